/** Servers of 2026-07-28 that lie of what they have, or keep from a client what it would have to declare: each is found. */
import type { JsonObject } from "@parley/core"
import type { Output } from "@parley/core/server"
import { brokenBy, serverConversation } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { codeOf, own } from "../src/envelope.js"
import type { Broken } from "./broken-servers.js"
import { drawn, found, results, sends, without } from "./broken-servers.js"
import { both, everything, modern } from "./definitions.js"

/** What `server/discover` says, changed; the server does as before. */
const says = (change: (capabilities: JsonObject) => JsonObject): NonNullable<Broken["puts"]> =>
  results((result) =>
    "supportedVersions" in result ? { ...result, capabilities: change(result["capabilities"] as JsonObject) } : result
  )
const family = (capabilities: JsonObject, name: string, settings: JsonObject): JsonObject => ({
  ...capabilities,
  [name]: settings
})
const only = { ...modern, capabilities: { tools: {} } }

describe("a server that, asked what it is, says less than it serves:", () => {
  it.each<[string, number, RegExp, (capabilities: JsonObject) => JsonObject]>([
    ["nothing", 1, /was served, and nobody declared it/, () => ({})],
    ["no tools", 1, /"tools\/\w+" was served, and nobody declared it/, (all) => without(all, "tools")],
    ["no completion", 1, /"completion\/complete" was served/, (all) => without(all, "completions")],
    ["no logs", 7, /notifications\/message was sent, and nobody declared logging/, (all) => without(all, "logging")],
    ["no changes of tools", 9, /is honoured, where/, (all) => family(all, "tools", {})],
    ["no subscriptions", 9, /is honoured, where/, (all) => family(all, "resources", { listChanged: true })]
  ])("%s", (_, number, why, change) => {
    expect(found(number, { puts: says(change) })).toMatch(why)
    expect(found(number, { definition: both, puts: says(change) })).toMatch(why)
  })
})

describe("a server that, asked what it is, says more than it serves:", () => {
  it.each<[string, number, RegExp, (capabilities: JsonObject) => JsonObject]>([
    ["prompts", 2, /prompts\/\w+ is declared and was answered with -32601/, (all) => ({ ...all, prompts: {} })],
    ["completion", 2, /completion\/complete is declared and/, (all) => ({ ...all, completions: {} })],
    ["changes", 9, /is honoured, where/, (all) => family(all, "tools", { listChanged: true })]
  ])("%s", (_, number, why, change) => expect(found(number, { definition: only, puts: says(change) })).toMatch(why))

  it("and one that says it otherwise the next time", () => {
    let times = 0
    const puts = says((all) => (++times % 2 === 0 ? { ...all, experimental: { "io.example/y": {} } } : all))
    expect(found(1, { puts })).toMatch("a server that said it has")
  })
})

it("the same lies in initialize are found", () => {
  const lies = (change: (capabilities: JsonObject) => JsonObject): Broken => ({
    definition: everything,
    puts: results((result) =>
      "protocolVersion" in result ? { ...result, capabilities: change(result["capabilities"] as JsonObject) } : result
    )
  })
  expect(
    found(
      1,
      lies(() => ({}))
    )
  ).toMatch("was served, and nobody declared it")
  expect(
    found(2, { ...lies((all) => ({ ...all, prompts: {} })), definition: { ...everything, capabilities: {} } })
  ).toMatch("is declared and was answered with -32601")
})

describe("a server that does not say by -32021 what its client would have to declare:", () => {
  const needs = modern.tools.map(({ name }) => [name, ["roots", "elicitation"]] as const)
  const definition = { ...modern, requires: Object.fromEntries(needs) }
  const instead = (put: (message: JsonObject) => JsonObject, when: (output: Output) => boolean = () => true) =>
    sends((message) => (codeOf(message) === -32021 && when(message as never) ? put(message) : message))
  const { jsonrpc } = { jsonrpc: "2.0" } as const
  const answers: ReadonlyArray<[string, RegExp, (message: JsonObject) => JsonObject]> = [
    [
      "by -32602",
      /was answered with -32602/,
      ({ id }) => ({ jsonrpc, id: id!, error: { code: -32602, message: "You need roots" } })
    ],
    [
      "by -32603",
      /was answered with -32603/,
      ({ id }) => ({ jsonrpc, id: id!, error: { code: -32603, message: "You need roots" } })
    ],
    [
      "in words that a model reads",
      /was answered with a result/,
      ({ id }) => ({
        jsonrpc,
        id: id!,
        result: { resultType: "complete", isError: true, content: [{ type: "text", text: "You need roots" }] }
      })
    ]
  ]
  it.each(answers)("%s, before any handler runs", (_, why, put) =>
    expect(found(2, { definition, puts: instead(put) })).toMatch(why)
  )
  it.each(answers)("%s, when a handler wanted to ask", (_, why, put) => {
    const reason = found(2, { definition: { ...modern, requires: {} }, puts: instead(put) })
    expect(reason).toMatch(why)
    expect(reason).toMatch(/needs (roots|sampling|elicitation)/)
  })

  const telling = (change: (needed: JsonObject) => JsonObject): NonNullable<Broken["puts"]> =>
    instead((message) => {
      const error = message["error"] as JsonObject
      const requiredCapabilities = change(own(error["data"], "requiredCapabilities") as JsonObject)
      return { ...message, error: { ...error, data: { requiredCapabilities } } }
    })
  it("names more than it needs", () =>
    expect(found(2, { definition, puts: telling((needed) => ({ ...needed, sampling: {} })) })).toMatch(
      "the client was told"
    ))
  it("names what its client has declared", () => {
    const puts = telling((needed) => ("elicitation" in needed ? { ...needed, elicitation: { url: {} } } : needed))
    expect(found(2, { definition, puts })).toMatch("has declared some of that")
  })
})

it("one that keeps its word is not found", () => {
  for (const one of drawn.slice(0, 30)) expect(brokenBy(serverConversation(only, one))).toBeUndefined()
})
