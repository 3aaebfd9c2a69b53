/** Servers that mistake streams, or what a request is told of: the right invariant finds every one of them. */
import type { Definition, JsonObject } from "@parley/core"
import type { Input, Output } from "@parley/core/server"
import { invariants, recordServer } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { own } from "../src/envelope.js"
import type { Broken } from "./broken-servers.js"
import { found, key, asIf, sends, results, told, retagged } from "./broken-servers.js"
import { both, modern } from "./definitions.js"

describe("3: a server that answers", () => {
  it("a stream twice is found", () =>
    expect(
      found(3, {
        puts: (outputs, { _tag }) =>
          _tag === "Stopping" ? [...outputs, ...outputs.filter((one) => one._tag === "Send")] : outputs
      })
    ).toMatch("a reply to nothing"))
  it("a stream at once is found", () =>
    expect(
      found(3, {
        puts: (outputs) =>
          outputs.flatMap((output) => {
            const tag = own(own(own(own(output, "message"), "params"), "_meta"), key("subscriptionId"))
            if (output._tag !== "Send" || !isAcknowledgement(output.message)) return [output]
            return [output, { ...output, message: { jsonrpc: "2.0", id: tag, result: {} } as never, last: true }]
          })
      })
    ).toMatch("its stream goes on"))
  it("no stream when it ends, or never acknowledges it, is found", () => {
    const ended = (message: JsonObject, { _tag }: Input) =>
      _tag === "Stopping" && "result" in message ? undefined : message
    expect(found(3, { puts: sends(ended) })).toMatch("subscriptions/listen was never answered")
    expect(found(3, { puts: told(/acknowledged/, () => undefined) })).toMatch("subscriptions/listen was never answered")
  })
  it("what its client has hung up on is found", () =>
    expect(found(3, { takes: (input) => (input._tag === "ExchangeClosed" ? undefined : input) })).toMatch(
      "answered after it had been cancelled"
    ))
})

const isAcknowledgement = (message: unknown): boolean =>
  own(message, "method") === "notifications/subscriptions/acknowledged"

describe("9: a server whose streams", () => {
  const acknowledged = (change: (wish: JsonObject) => JsonObject): Broken => ({
    puts: told(/acknowledged/, (message) => {
      const params = message["params"] as JsonObject
      return { ...message, params: { ...params, notifications: change(params["notifications"] as JsonObject) } }
    })
  })
  const few: Definition = { ...modern, capabilities: { tools: {}, resources: { listChanged: true } } }
  const changes = /list_changed|updated/
  it.each<[string, RegExp, Broken]>([
    [
      "honour what was not declared",
      /is honoured, where/,
      { ...acknowledged((wish) => ({ ...wish, toolsListChanged: true })), definition: few }
    ],
    ["honour what nobody wanted", /is honoured, where/, acknowledged((wish) => ({ ...wish, toolsListChanged: true }))],
    ["do not honour what was declared", /is honoured, where/, acknowledged(() => ({}))],
    ["are not told", /was due on/, { puts: told(changes, () => undefined) }],
    ["are told without their name", /was due on/, { puts: told(changes, (message) => retagged(message, {})) }],
    [
      "are told under a name of another kind",
      /names the stream|was due on/,
      {
        puts: told(changes, (message) => {
          const id = own(own(message["params"], "_meta"), key("subscriptionId"))
          return retagged(message, { [key("subscriptionId")]: String(id) })
        })
      }
    ],
    [
      "are told of other resources",
      /did not ask for that|was due on/,
      {
        puts: told(/updated/, (message) => ({
          ...message,
          params: { ...(message["params"] as JsonObject), uri: "x:" }
        }))
      }
    ],
    [
      "are told twice",
      /was due on/,
      {
        puts: (outputs) =>
          outputs.flatMap((one) =>
            one._tag === "Send" && /list_changed/.test(String(own(one.message, "method"))) ? [one, one] : [one]
          )
      }
    ],
    [
      "go on when their client has ended them",
      /which its client has ended|names the stream/,
      {
        takes: (input) =>
          input._tag === "Received" && own(input.json, "method") === "notifications/cancelled" ? undefined : input
      }
    ],
    ["are not cancelled where messages cancel", /cancelled 0 times/, { puts: told(/cancelled/, () => undefined) }],
    [
      "are cancelled before they are answered",
      /in whatever order|goes on/,
      { puts: (outputs, { _tag }) => (_tag === "Stopping" ? outputs.toReversed() : outputs) }
    ],
    [
      "are cancelled where the end of an exchange says it",
      /cancelled 1 times/,
      {
        options: { cancels: "exchange" },
        puts: (outputs, { _tag }) =>
          outputs.flatMap((one) => {
            const id = own(own(own(own(one, "message"), "result"), "_meta"), key("subscriptionId"))
            if (one._tag !== "Send" || _tag !== "Stopping" || id === undefined) return [one]
            const params = { requestId: id, _meta: { [key("subscriptionId")]: id } } as JsonObject
            return [one, { ...one, message: { jsonrpc: "2.0", method: "notifications/cancelled", params } }]
          })
      }
    ],
    [
      "end with an answer that does not name them",
      /does not name it/,
      { puts: results((result) => ({ ...result, _meta: {} })) }
    ]
  ])("%s is found", (_, why, broken) => expect(found(9, broken)).toMatch(why))
})

describe("9: a server that tells of a request", () => {
  it("logs that nobody asked for is found", () =>
    expect(found(9, { takes: asIf((meta) => ({ [key("logLevel")]: "debug", ...meta })) })).toMatch("asked for none"))
  it("logs that are less severe than was asked for is found", () =>
    expect(
      found(9, {
        takes: asIf((meta) => (key("logLevel") in meta ? { ...meta, [key("logLevel")]: "debug" } : meta))
      })
    ).toMatch("was asked for"))
  it("progress to who wanted none is found", () =>
    expect(found(9, { takes: asIf((meta) => ({ progressToken: "mine", ...meta })) })).toMatch("no live request has"))
})

describe("a stream and a session on one channel", () => {
  const meta: JsonObject = {
    [key("protocolVersion")]: "2026-07-28",
    [key("clientCapabilities")]: {},
    progressToken: "t"
  }
  const received = (json: unknown, via: string): Input => ({ _tag: "Received", json, via })
  const ask = (id: number, method: string, params: JsonObject) => ({ jsonrpc: "2.0", id, method, params })
  const clientInfo = { name: "c", version: "1" }
  const opening = [
    received(ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }), "a"),
    received({ jsonrpc: "2.0", method: "notifications/initialized" }, "a")
  ]
  const listens = { notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///a"] }, _meta: meta }
  const run = recordServer(both, [
    ...opening,
    received(ask(2, "subscriptions/listen", listens), "b"),
    received(ask(2, "ping", {}), "a"),
    { _tag: "Updated", uri: "file:///a" },
    received({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, "b"),
    { _tag: "Updated", uri: "file:///a" }
  ])
  const send = (message: object, via: string | undefined): Output =>
    ({ _tag: "Send", message, via, last: false, text: undefined }) as Output
  const note = (method: string, params: object) => ({ jsonrpc: "2.0", method, params })
  const breaks = (number: number, at: number, more: ReadonlyArray<Output>, all = run.steps[at]!.outputs) => {
    const steps = run.steps.map((step, index) => (index === at ? { ...step, outputs: [...all, ...more] } : step))
    return invariants.find((one) => one.number === number)!.check({ ...run, steps })?.why
  }

  it("are told what each has asked for", () => {
    for (const { check } of invariants) expect(check(run)).toBeUndefined()
    const sent = run.steps.map(({ outputs }) => outputs.flatMap((one) => (one._tag === "Send" ? [one.via] : [])))
    expect(sent).toEqual([["a"], [], ["b"], ["a"], ["b"], [], []])
  })
  it("share their ids", () =>
    expect(breaks(4, 3, [send({ jsonrpc: "2.0", id: 2, result: {} }, "a")], [])).toMatch("the id 2 was in use"))
  it("do not hear what the other has asked for", () => {
    const update = note("notifications/resources/updated", { uri: "file:///a" })
    expect(breaks(9, 4, [send(update, undefined)])).toMatch("nobody had subscribed to it")
  })
  it("hear of a stream on its own way only, and of no progress or log on it", () => {
    const tagged = { uri: "file:///a", _meta: { [key("subscriptionId")]: 2 } }
    expect(breaks(10, 4, [send(note("notifications/resources/updated", tagged), "a")], [])).toMatch('was told by "a"')
    const progress = note("notifications/progress", { progressToken: "t", progress: 1 })
    expect(breaks(9, 4, [send(progress, "b")])).toMatch("which no live request has")
    const log = note("notifications/message", { level: "error", data: 1, _meta: { [key("subscriptionId")]: 2 } })
    expect(breaks(9, 4, [send(log, "b")])).toMatch("notifications/message was sent on a stream")
  })
  it("hear nothing of a stream that its client has ended", () => {
    const tagged = { uri: "file:///a", _meta: { [key("subscriptionId")]: 2 } }
    expect(breaks(9, 6, [send(note("notifications/resources/updated", tagged), "b")])).toMatch(
      "names the stream 2, which is not open"
    )
    expect(breaks(3, 6, [send({ jsonrpc: "2.0", id: 2, result: {} }, "b")])).toMatch("after it had been cancelled")
  })
})
