/** Servers of 2026-07-28 that break a rule each, in conversations drawn at random: the right invariant finds every one of them. */
import type { JsonObject } from "@parley/core"
import type { Output } from "@parley/core/server"
import { brokenBy, serverConversation } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { own } from "../src/envelope.js"
import { everyCapability } from "../src/declaring.js"
import type { Broken } from "./broken-servers.js"
import { drawn, found, key, asIf, without, sends, results, told, isWhole } from "./broken-servers.js"
import { both, modern } from "./definitions.js"

it("one that breaks none is not found", () => {
  for (const one of drawn.slice(0, 30)) expect(brokenBy(serverConversation(modern, one))).toBeUndefined()
})

describe("1: a server that serves what it must not", () => {
  it.each<[string, RegExp, Broken]>([
    [
      "whoever names a version that it does not speak",
      /nobody can tell for whom/,
      { takes: asIf((meta) => ({ ...meta, [key("protocolVersion")]: "2026-07-28" })) }
    ],
    [
      "whoever does not say what its client can do",
      /nobody can tell for whom/,
      { takes: asIf((meta) => ({ [key("clientCapabilities")]: {}, ...meta })) }
    ],
    [
      "whoever wants logs at a level that there is not",
      /nobody can tell for whom/,
      { takes: asIf((meta) => without(meta, key("logLevel"))) }
    ],
    [
      "a tool to who can not do what it needs",
      /was called, and the client did not declare/,
      { takes: asIf((meta) => (isWhole(meta) ? { ...meta, [key("clientCapabilities")]: everyCapability } : meta)) }
    ],
    [
      "whoever brings a state that it did not seal",
      /runs for no request/,
      {
        takes: (input) =>
          input._tag === "Unsealed" && input.payload === undefined
            ? { ...input, payload: { asked: {}, answers: {}, once: {}, logged: 0 } }
            : input
      }
    ]
  ])("%s", (_, why, broken) => expect(found(1, broken)).toMatch(why))
})

describe("2: a server that says what is missing, and", () => {
  const lacking = (change: (data: unknown) => unknown) =>
    sends((message) => {
      const error = own(message, "error") as JsonObject | undefined
      if (own(error, "code") !== -32021) return message
      return { ...message, error: { ...error, data: change(own(error, "data")) } as unknown as JsonObject }
    })
  const needs = modern.tools.map(({ name }) => [name, ["roots", "elicitation.url"]] as const)
  const definition = { ...modern, requires: Object.fromEntries(needs) }
  it("forgets some of it is found", () =>
    expect(found(2, { definition, puts: lacking(() => ({ requiredCapabilities: { roots: {} } })) })).toMatch(
      "what is missing is"
    ))
  it("nothing is, is found", () =>
    expect(found(2, { takes: asIf((meta) => ({ ...meta, [key("clientCapabilities")]: {} })) })).toMatch(
      "its client declared what it needs"
    ))
  it("does not know its own methods is found", () =>
    expect(
      found(2, {
        puts: sends((message, input) =>
          input._tag === "Received" && own(input.json, "method") === "server/discover"
            ? { jsonrpc: "2.0", id: message["id"]!, error: { code: -32601, message: "" } }
            : message
        )
      })
    ).toMatch("server/discover is declared and was answered with -32601"))
})

it("5: a server that tells of changes on no stream is found", () =>
  expect(found(5, { puts: told(/list_changed/, (message) => without(message, "params")) })).toMatch(
    "before it heard notifications/initialized"
  ))

describe("6: a server that mistakes versions:", () => {
  const invoked =
    (peer: object): NonNullable<Broken["puts"]> =>
    (outputs) =>
      outputs.map((one) => (one._tag === "Invoke" ? { ...one, peer: { ...one.peer, ...peer } } : one))
  const errors = (change: (data: JsonObject) => JsonObject) =>
    sends((message) => {
      const error = own(message, "error")
      const data = own(error, "data") as JsonObject | undefined
      return data === undefined ? message : { ...message, error: { ...(error as JsonObject), data: change(data) } }
    })
  it.each<[string, RegExp, Broken]>([
    ["serves by another one", /its handler runs for 2025-11-25/, { puts: invoked({ revision: "2025-11-25" }) }],
    [
      "takes what another request declared",
      /a client that did not declare/,
      { puts: invoked({ capabilities: everyCapability }) }
    ],
    [
      "does not read the header",
      /refused with -32020/,
      { takes: (input) => (input._tag === "Received" ? { ...input, header: undefined } : input) }
    ],
    ["names others", /the versions named are/, { puts: errors((data) => ({ ...data, supported: ["2025-11-25"] })) }],
    [
      "names not what was asked for",
      /the versions named are/,
      { puts: errors((data) => ({ ...data, requested: "" })) }
    ],
    [
      "names others when it is asked what it is",
      /those spoken are/,
      { puts: results((result) => ("supportedVersions" in result ? { ...result, supportedVersions: [] } : result)) }
    ],
    [
      "names both kinds where one is meant",
      /the versions named are/,
      { definition: both, puts: errors((data) => ({ ...data, supported: both.revisions.map(({ name }) => name) })) }
    ]
  ])("%s", (_, why, broken) => expect(found(6, broken)).toMatch(why))
})

describe("7: a server that asks", () => {
  it("by a request of its own is found", () =>
    expect(
      found(7, {
        puts: (outputs) =>
          outputs.map((output): Output => {
            if (output._tag !== "Seal") return output
            const message = { jsonrpc: "2.0", id: output.call, method: "roots/list" } as const
            return { _tag: "Send", message, via: "v1", last: false, text: undefined }
          })
      })
    ).toMatch('"roots/list" was sent, and 2026-07-28 has none from a server'))
  it("inside a result for what its client did not declare is found", () =>
    expect(found(7, { takes: asIf((meta) => ({ ...meta, [key("clientCapabilities")]: everyCapability })) })).toMatch(
      "asks inside its result"
    ))
})

describe("8: a server whose results", () => {
  it.each<[string, RegExp, (result: JsonObject) => JsonObject]>([
    ["have no type", /result\/resultType/, (result) => without(result, "resultType")],
    ["have another type", /result\/resultType/, (result) => ({ ...result, resultType: "done" })],
    ["ask where nothing is asked", /result/, (result) => ({ ...result, resultType: "input_required" })],
    ["do not say how long they may be kept", /result\/ttlMs/, (result) => without(result, "ttlMs")],
    [
      "may be kept for less than no time",
      /result\/ttlMs/,
      (result) => ("ttlMs" in result ? { ...result, ttlMs: -1 } : result)
    ],
    ["do not say who may have them", /result\/cacheScope/, (result) => without(result, "cacheScope")],
    ["do not say whose they are", /does not say whose/, (result) => without(result, "_meta")],
    ["ask nothing and remember nothing", /result/, (result) => without(result, "inputRequests", "requestState")]
  ])("%s is found", (_, why, change) => expect(found(8, { puts: results(change) })).toMatch(why))

  const refusals = (change: (error: JsonObject) => object) =>
    sends((message) => {
      const error = own(message, "error") as JsonObject | undefined
      return error === undefined ? message : ({ ...message, error: change(error) } as unknown as JsonObject)
    })
  it.each<[string, RegExp, (error: JsonObject) => object]>([
    ["with a number of older revisions", /error\/code/, (error) => ({ ...error, code: -32002 })],
    ["with a number that a page once had", /error\/code/, (error) => ({ ...error, code: -32042 })],
    ["with a number that is the specification's", /error\/code/, (error) => ({ ...error, code: -32099 })],
    ["without what belongs to the number", /error\/data/, ({ code }) => ({ code, message: "" })]
  ])("that refuses %s is found", (_, why, change) => expect(found(8, { puts: refusals(change) })).toMatch(why))
  it("that names no id where it could not read one is found", () =>
    expect(
      found(8, {
        puts: sends((message) => ("error" in message && !("id" in message) ? { ...message, id: null } : message))
      })
    ).toMatch("id"))
})
