/** A session that was opened by a handshake and requests that say who asks, on one channel: each behaves as it would alone. */
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Json, JsonObject } from "../../src/json.js"
import { revisions } from "../../src/revisions/index.js"
import type { Input, Output, Question } from "../../src/server/index.js"
import { serverMachine } from "../../src/server/index.js"
import { ask, call, codes, define, enveloped, everything, initialize, initialized, note, session } from "./by-hand.js"
import { again, onward, openedBy, sealedBy } from "./sealing.js"

const definition = define(everything, { revisions, prompts: [{ name: "p" }] })
const machine = serverMachine(definition)

type Side = "older" | "newer"
type Outputs = ReadonlyArray<Output>

/** What one side does next, if there is something to do, knowing what it has seen. */
type Act = (seen: Outputs) => Input | undefined
type Move = { readonly side: Side | "both"; readonly act: Act }

const of = <Tag extends Output["_tag"]>(outputs: Outputs, tag: Tag, at: number) =>
  outputs.filter((output): output is Extract<Output, { _tag: Tag }> => output._tag === tag).at(-1 - at)

const declared = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: {} } }
const question: Question = { key: "r", method: "roots/list", params: undefined }

const number = fc.nat(2)
const level = fc.constantFrom("debug", "info", "error")
const received = (side: Side, json: unknown, principal?: string): Input => ({
  _tag: "Received",
  json,
  via: side,
  principal
})

/** What a handler of one of the last calls says. */
const word = fc
  .tuple(number, fc.constantFrom("done", "asks", "asks", "logs", "gets on", "fails"), level)
  .map(([at, what, level]): Act => (seen) => {
    const invoke = of(seen, "Invoke", at)
    if (invoke === undefined) return undefined
    const { call, id } = invoke
    switch (what) {
      case "asks":
        return { _tag: "NeedsInput", call, id, questions: [question], once: { hold: at } }
      case "logs":
        return { _tag: "Logged", level: level as "info", data: what, about: { call, id } }
      case "gets on":
        return { _tag: "Progressed", call, id, progress: at }
      case "fails":
        return { _tag: "Failed", call, id, failure: { _tag: "Crashed" } }
      default:
        return { _tag: "Succeeded", call, id, result: { content: [{ type: "text", text: "done" }] } }
    }
  })

const older: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 2,
    arbitrary: number.map(
      (at): Act =>
        () =>
          received("older", call(`o${at}`, "slow", token(at)))
    )
  },
  {
    weight: 2,
    arbitrary: fc.tuple(number, level).map(
      ([at, level]): Act =>
        () =>
          received(
            "older",
            [
              ask("o-level", "logging/setLevel", { level }),
              ask("o-told", "resources/subscribe", { uri: "a:1" }),
              note("notifications/cancelled", { requestId: `o${at}` })
            ][at]
          )
    )
  },
  {
    weight: 2,
    arbitrary: number.map((at): Act => (seen) => {
      const asked = seen.flatMap((output) =>
        output._tag === "Send" && "method" in output.message && "id" in output.message ? [output.message.id] : []
      )
      const id = asked.at(-1 - at)
      return id === undefined ? undefined : received("older", { jsonrpc: "2.0", id, result: { roots: [] } })
    })
  },
  {
    weight: 1,
    arbitrary: level.map((level): Act => () => ({ _tag: "Logged", level: level as "info", data: "own" }))
  }
)

const answers = { r: { roots: [] } }
const goesOn: Act = (seen) => onward(seen, question, (seal) => again(seal, "n-again", declared, answers))

const newer: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(goesOn) },
  { weight: 4, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc.tuple(number, fc.option(level, { nil: undefined })).map(
      ([at, level]): Act =>
        () =>
          received(
            "newer",
            enveloped(
              `n${at}`,
              "tools/call",
              { name: "slow" },
              {
                ...declared,
                ...token(at)._meta,
                ...(level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level })
              }
            ),
            "ann"
          )
    )
  },
  {
    weight: 2,
    arbitrary: number.map(
      (at): Act =>
        () =>
          received(
            "newer",
            [
              enveloped("n-list", "tools/list"),
              enveloped("n-s", "subscriptions/listen", {
                notifications: { toolsListChanged: true, resourceSubscriptions: ["a:1"] }
              }),
              note("notifications/cancelled", { requestId: "n-s" })
            ][at]
          )
    )
  },
  {
    weight: 3,
    arbitrary: number.map(
      (at): Act =>
        (seen) =>
          maybe(of(seen, "Seal", at), sealedBy)
    )
  },
  {
    weight: 2,
    arbitrary: number.map(
      (at): Act =>
        (seen) =>
          maybe(of(seen, "Unseal", at), openedBy)
    )
  },
  {
    weight: 2,
    arbitrary: fc.tuple(number, fc.constantFrom("ann", "bob")).map(
      ([at, who]): Act =>
        (seen) =>
          maybe(of(seen, "Seal", at), (seal) => received("newer", again(seal, `n-again${at}`, declared, answers), who))
    )
  }
)

const token = (at: number) => ({ _meta: { progressToken: `t${at}` } })
const maybe = <A, B>(value: A | undefined, to: (value: A) => B): B | undefined =>
  value === undefined ? undefined : to(value)

const shared: fc.Arbitrary<Act> = fc.constantFrom<Act>(
  () => ({ _tag: "Updated", uri: "a:1" }),
  () => ({ _tag: "Changed", families: ["tools", "prompts"] })
)

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: older.map((act): Move => ({ side: "older", act })) },
  { weight: 8, arbitrary: newer.map((act): Move => ({ side: "newer", act })) },
  { weight: 1, arbitrary: shared.map((act): Move => ({ side: "both", act })) }
)

/** What each side sees, whatever else goes on. */
function run(moves: ReadonlyArray<Move>): { readonly [side in Side]: Outputs } {
  const seen: { readonly [side in Side]: Array<Output> } = { older: [], newer: [] }
  let state = machine.initial
  for (const { side, act } of moves) {
    const input = act(side === "both" ? [] : seen[side])
    if (input === undefined) continue
    const [next, outputs] = machine.step(state, input)
    state = next
    for (const output of outputs)
      seen[side === "both" ? (output._tag === "Send" && output.via === "newer" ? "newer" : "older") : side].push(output)
  }
  return seen
}

/** The machine's own numbers are by rank: what matters is which are the same. */
function ranked(outputs: Outputs): Json {
  const ranks = new Map<unknown, number>()
  const rank = (value: unknown) => ranks.get(value) ?? (ranks.set(value, ranks.size), ranks.size - 1)
  return JSON.parse(
    JSON.stringify(outputs, (key, value: unknown) =>
      ["call", "id", "requestId"].includes(key) && typeof value === "number" ? `#${rank(value)}` : value
    )
  ) as Json
}

const opening: ReadonlyArray<Move> = [initialize("2025-11-25", { roots: {} }, "o-init"), initialized].map((json) => ({
  side: "older",
  act: () => received("older", json)
}))

it("neither sees the other's levels, subscriptions, streams and questions", () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40, size: "max" }), fc.nat(2), (moves, late) => {
      const all = [...moves.slice(0, late), ...opening, ...moves.slice(late)]
      const together = run(all)
      for (const side of ["older", "newer"] as const) {
        const alone = run(all.filter((move) => move.side === side || move.side === "both"))
        expect(ranked(together[side])).toEqual(ranked(alone[side]))
        for (const output of together[side]) seen.add(`${side} ${kindOf(output)}`)
      }
    }),
    { numRuns: 1_000 }
  )
  for (const kind of [
    "older roots/list",
    "older notifications/message",
    "older notifications/progress",
    "older notifications/tools/list_changed",
    "older notifications/resources/updated",
    "newer input_required",
    "newer complete",
    "newer Invoke again",
    "newer -32602",
    "newer notifications/message",
    "newer notifications/progress",
    "newer notifications/tools/list_changed",
    "newer notifications/resources/updated"
  ])
    expect([...seen]).toContain(kind)
})

function kindOf(output: Output): string {
  if (output._tag === "Invoke") return output.answers === undefined ? "Invoke" : "Invoke again"
  if (output._tag !== "Send") return output._tag
  const message = output.message as { method?: string; result?: JsonObject; error?: { code: number } }
  return message.method ?? String(message.result?.["resultType"] ?? message.error?.code)
}

it("an id is in use for both", () => {
  const by = session(definition)
  by.hear(initialize("2025-11-25"))
  by.hear(initialized)
  by.hear(call(1))
  by.hear(enveloped(2, "tools/call", { name: "slow" }))
  by.hear(enveloped(3, "subscriptions/listen", { notifications: {} }))
  expect(codes(by.said(enveloped(1, "tools/list")))).toEqual([-32600])
  expect(codes(by.said(ask(2, "tools/list")))).toEqual([-32600])
  expect(codes(by.said(ask(3, "ping")))).toEqual([-32600])
  expect(codes(by.said(enveloped("1", "tools/list")))).toEqual([undefined])
})
