/** Any conversation of both kinds of client on one channel: nothing throws, states can move at any step, and each is answered once, by its own rules. */
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Json, JsonObject } from "../../src/json.js"
import { isObject } from "../../src/json.js"
import { revisions, v2026_07_28 } from "../../src/revisions/index.js"
import type { RequestRow } from "../../src/row.js"
import type { Input, Output } from "../../src/server/index.js"
import { serverMachine } from "../../src/server/index.js"
import { ask, call, codes, define, enveloped, everything, initialize, initialized, messages, note } from "./by-hand.js"
import { again, onward, openedBy, requestOf, sealedBy, tokenOf } from "./sealing.js"

const machine = serverMachine(
  define(everything, { revisions, prompts: [{ name: "p" }], requires: { echo: ["elicitation.url"] } }),
  { maxListens: 2, maxInFlight: 4, maxSealed: 500 }
)

const declared = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: {} } }
const question = {
  key: "a",
  method: "elicitation/create",
  params: { message: "m", requestedSchema: { type: "object", properties: {} } }
}

const id = fc.constantFrom<string | number>(1, 2, "1")
const level = fc.constantFrom<JsonObject>(
  {},
  { "io.modelcontextprotocol/logLevel": "info" },
  { "io.modelcontextprotocol/logLevel": "loud" },
  { progressToken: 1 }
)
const answers = fc.constantFrom<JsonObject>({}, { a: { action: "decline" } }, { a: 7 })
const retried = fc.record(
  {
    requestState: fc.constantFrom<Json>("", "wrong", 7),
    inputResponses: fc.constantFrom<Json>({}, { a: { action: "decline" } }, { a: 7 }, null)
  },
  { requiredKeys: [] }
)
const modern = fc
  .tuple(
    id,
    fc.constantFrom(
      "tools/call",
      "tools/list",
      "prompts/get",
      "resources/read",
      "server/discover",
      "subscriptions/listen",
      "ping",
      "nope"
    ),
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: retried }),
    level
  )
  .map(([id, method, retry, meta]) =>
    enveloped(
      id,
      method,
      {
        name: method === "prompts/get" ? "p" : "slow",
        uri: "a:1",
        notifications: { toolsListChanged: true, resourceSubscriptions: ["a:1"] },
        ...retry
      },
      { ...declared, ...meta }
    )
  )
const legacy = fc.oneof(
  id.map((id) => initialize("2025-11-25", { elicitation: {} }, id)),
  fc.constant<JsonObject>(initialized as unknown as JsonObject),
  id.map((id) => call(id)),
  id.map((id) => ask(id, "ping")),
  id.map((id) => ask(id, "resources/subscribe", { uri: "a:1" })),
  id.map((id) => ({ jsonrpc: "2.0", id, result: { action: "accept", content: {} } })),
  id.map((requestId) => note("notifications/cancelled", { requestId })),
  fc.tuple(modern, modern).map((both) => both as unknown)
)

/** What happens next; what a handler says is about one of those that were ever asked. */
type Move = (outputs: ReadonlyArray<Output>) => Input

/** One of the last. */
const of = <Tag extends Output["_tag"]>(outputs: ReadonlyArray<Output>, tag: Tag, at: number) => {
  const all = outputs.filter((output): output is Extract<Output, { _tag: Tag }> => output._tag === tag)
  return all.at(-1 - (at % 3))
}
const news: Input = { _tag: "Updated", uri: "a:1" }
const goesOn: Move = (outputs) =>
  onward(outputs, question, (seal) => again(seal, 2, declared, { a: { action: "decline" } })) ?? news

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(goesOn) },
  {
    weight: 20,
    arbitrary: fc
      .tuple(modern, fc.constantFrom("x", "y"), fc.constantFrom(undefined, "ann"))
      .map(([json, via, principal]): Move => () => ({ _tag: "Received", json, via, principal }))
  },
  {
    weight: 12,
    arbitrary: fc.tuple(legacy, fc.constantFrom("x", "y")).map(([json, via]): Move => () => ({
      _tag: "Received",
      json,
      via
    }))
  },
  {
    weight: 30,
    arbitrary: fc.tuple(fc.nat(9), fc.nat(4)).map(
      ([at, what]): Move =>
        (outputs) =>
          said(of(outputs, "Invoke", at), what)
    )
  },
  {
    weight: 16,
    arbitrary: fc.tuple(fc.nat(2), fc.constantFrom(true, true, false)).map(([at, can]): Move => (outputs) => {
      const seal = of(outputs, "Seal", at)
      if (seal === undefined) return news
      return can ? sealedBy(seal) : { _tag: "Sealed", call: seal.call, id: seal.id, token: undefined }
    })
  },
  {
    weight: 16,
    arbitrary: fc
      .tuple(fc.nat(2), id, fc.constantFrom("good", "good", "whose", "which", "changed"), answers)
      .map(([at, id, how, inputResponses]): Move => (outputs) => {
        const seal = of(outputs, "Seal", at)
        if (seal === undefined) return news
        const { principal, method, params } = requestOf(seal)
        const requestState = how === "changed" ? `x${tokenOf(seal)}` : tokenOf(seal)
        const other = how === "which" ? { name: "echo", uri: "a:2" } : {}
        return {
          _tag: "Received",
          json: enveloped(id, method, { ...params, ...other, requestState, inputResponses }, declared),
          via: "x",
          principal: how === "whose" ? `${principal}'s friend` : principal
        }
      })
  },
  {
    weight: 16,
    arbitrary: fc.nat(1).map((at): Move => (outputs) => {
      const seal = of(outputs, "Unseal", at)
      return seal === undefined ? news : openedBy(seal)
    })
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Move>(
      () => news,
      () => ({ _tag: "Changed", families: ["tools"] }),
      () => ({ _tag: "ExchangeClosed", via: "y" }),
      () => ({ _tag: "Resumed" })
    )
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Move>(
      () => ({ _tag: "Stopping" }),
      () => ({ _tag: "InputEnded" }),
      () => ({ _tag: "PeerClosed" }),
      () => ({ _tag: "TimerFired", timer: { of: "drain", call: 0 } })
    )
  }
)

function said(invoke: Extract<Output, { _tag: "Invoke" }> | undefined, what: number): Input {
  if (invoke === undefined) return news
  const { call, id, target } = invoke
  const result =
    target._tag === "Tool" ? { content: [] } : target._tag === "Prompt" ? { messages: [] } : { contents: [] }
  switch (what) {
    case 0:
    case 5:
    case 6:
      return { _tag: "NeedsInput", call, id, questions: [question], once: {} }
    case 1:
      return { _tag: "Logged", level: "warning", data: 1, about: { call, id } }
    case 2:
      return { _tag: "Progressed", call, id, progress: 1 }
    case 3:
      return { _tag: "Failed", call, id, failure: { _tag: "Crashed" } }
    default:
      return { _tag: "Succeeded", call, id, result }
  }
}

it("holds for any conversation", () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40, size: "max" }), (moves) => {
      let state = machine.initial
      const all: Array<Output> = []
      /** By the request's id, its method where it says who asks and is not answered yet. */
      const waiting = new Map<string | number, string>()
      for (const next of moves) {
        const input = next(all)
        const moved = machine.decode(JSON.parse(JSON.stringify(machine.encode(state))))
        if (!moved.ok) throw new Error(moved.error)
        const [after, outputs] = machine.step(state, input)
        expect(machine.step(moved.value, input)[1]).toEqual(outputs)
        const refused = outputs.some(
          (output) =>
            output._tag === "Report" && output.report._tag === "Refused" && output.report.failure._tag === "IdInUse"
        )
        const json = input._tag === "Received" && isObject(input.json) && !refused ? input.json : {}
        if (typeof json["method"] === "string") {
          const who = isObject(json["params"]) ? json["params"]["_meta"] : undefined
          if (who === undefined) waiting.delete(json["id"] as string)
          else waiting.set(json["id"] as string, json["method"])
        }
        if (input._tag === "Unsealed" && outputs.length > 0 && !outputs.some(isIgnored)) {
          const runs = outputs.some(({ _tag }) => _tag === "Invoke")
          seen.add(runs ? "runs again" : `${input.payload === undefined ? "wrong" : "right"} state refused`)
          if (!runs) expect(codes(messages(outputs))).toEqual([-32602])
          if (input.payload === undefined) expect(runs).toBe(false)
        }
        for (const output of outputs) {
          all.push(output)
          if (output._tag !== "Send" || refused) continue
          const message = output.message as { id?: string; method?: string; result?: JsonObject }
          const method = message.method === undefined && message.id !== undefined ? waiting.get(message.id) : undefined
          if (method === undefined) {
            // What is no answer to such a request says nothing of what only such have.
            if (message.result !== undefined) expect(message.result).not.toHaveProperty("resultType")
            continue
          }
          waiting.delete(message.id!)
          if (message.result === undefined) continue
          const row = v2026_07_28.client[method] as RequestRow
          const type = String(message.result["resultType"])
          const check = type === "complete" ? row.result : row.resultTypes[type]!
          expect(check(message.result)).toBeUndefined()
          expect(message.result).toHaveProperty(["_meta", "io.modelcontextprotocol/serverInfo"])
          seen.add(`${method} ${type}`)
        }
        state = after
      }
    }),
    { numRuns: 500 }
  )
  for (const kind of [
    "server/discover complete",
    "tools/list complete",
    "tools/call complete",
    "tools/call input_required",
    "prompts/get input_required",
    "resources/read input_required",
    "runs again",
    "right state refused",
    "wrong state refused"
  ])
    expect([...seen]).toContain(kind)
})

const isIgnored = (output: Output): boolean => output._tag === "Report" && output.report._tag === "Ignored"
