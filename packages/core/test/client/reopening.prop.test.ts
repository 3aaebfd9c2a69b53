/** Whatever a transport refuses, loses and finds again: each call is over once, and no id is used twice. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Input, Output } from "../../src/client/index.js"
import { agreed, called, define, error, offered, opened, result } from "./by-hand.js"

type Move =
  | { readonly do: "call"; readonly method: string; readonly total: boolean }
  | { readonly do: "answer" | "error" | "refuse" | "lose"; readonly nth: number; readonly status: number }
  | { readonly do: "abandon" | "late"; readonly nth: number }
  | { readonly do: "reopen"; readonly how: "well" | "badly" }
  | { readonly do: "ask" | "move" }

const nth = fc.nat(7)
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      method: fc.constantFrom("ping", "tools/list"),
      total: fc.boolean()
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("answer" as const, "error" as const, "refuse" as const, "lose" as const, "lose" as const),
      nth,
      status: fc.constantFrom(0, 400, 404, 500)
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("abandon" as const, "late" as const), nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("reopen" as const),
      how: fc.constantFrom("well" as const, "well" as const, "well" as const, "badly" as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("ask" as const, "move" as const) }) }
)

describe("a session over a transport that fails", () => {
  it("keeps count", () => fc.assert(fc.property(fc.array(move, { maxLength: 60 }), keepsCount)))
})

function keepsCount(moves: ReadonlyArray<Move>): void {
  const by = opened("2025-11-25", offered, define({ roots: {} }), { cancels: "exchange" })
  /** Requests that are under way, and what was last proposed. */
  let sent: Array<number> = []
  let proposed: number | undefined
  const used = new Set<number>([1])
  const settled = new Map<number, number>()
  const timers = new Set<string>()
  const calls: Array<number> = []
  let asks = 0

  const take = (outputs: ReadonlyArray<Output>): void => {
    for (const output of outputs)
      switch (output._tag) {
        case "Send": {
          const { id, method } = output.message as { readonly id?: number; readonly method?: string }
          if (id === undefined || method === undefined) break
          expect(used.has(id)).toBe(false)
          used.add(id)
          if (method === "initialize") proposed = id
          else sent.push(id)
          break
        }
        case "Settle":
          settled.set(output.call, (settled.get(output.call) ?? 0) + 1)
          break
        case "StartTimer":
          timers.add(`${output.timer.of} ${output.timer.call}`)
          break
        case "StopTimer":
          expect(timers.delete(`${output.timer.of} ${output.timer.call}`)).toBe(true)
          break
        default:
      }
  }
  const tell = (input: Input): void => take(by.tell(input))
  const over = (id: number): void => void (sent = sent.filter((one) => one !== id))

  for (const one of moves) {
    // Whatever a call waits for, its time runs.
    for (const call of calls) if (!settled.has(call)) expect(timers).toContain(`request ${call}`)
    switch (one.do) {
      case "call": {
        const call = Math.max(by.state().last, calls.at(-1) ?? 0) + 1
        calls.push(call)
        // Where it is held its number is its id all the same.
        tell(called(call, one.method, undefined, { totalMs: one.total ? 100 : undefined }))
        break
      }
      case "answer":
      case "error":
      case "refuse":
      case "lose": {
        const id = sent[one.nth % Math.max(1, sent.length)]
        if (id === undefined) break
        over(id)
        if (one.do === "answer") take(by.hear(result(id, { tools: [] })))
        else if (one.do === "error") take(by.hear(error(id, -32603)))
        else if (one.do === "refuse") tell({ _tag: "Refused", id, status: one.status, body: "" })
        else tell({ _tag: "SessionLost", id })
        break
      }
      case "abandon": {
        const call = calls[one.nth % Math.max(1, calls.length)]
        if (call !== undefined) tell({ _tag: "Abandoned", call })
        break
      }
      case "late": {
        const timer = [...timers].filter((name) => !name.startsWith("opening"))[one.nth]
        if (timer === undefined) break
        timers.delete(timer)
        const [of, call] = timer.split(" ")
        // The one that ran out need not be stopped, and the machine may stop it.
        timers.add(timer)
        tell({ _tag: "TimerFired", timer: { of: of as "request", call: Number(call) } })
        break
      }
      case "reopen": {
        if (proposed === undefined) break
        const id = proposed
        proposed = undefined
        take(by.hear(one.how === "well" ? agreed("2025-11-25", offered, {}, id) : error(id, -32603)))
        break
      }
      case "ask":
        take(by.hear({ jsonrpc: "2.0", id: `q${++asks}`, method: "roots/list" }))
        break
      case "move":
        by.move()
        break
    }
  }
  tell({ _tag: "Stopping" })
  for (const call of calls) expect(settled.get(call)).toBe(1)
  expect(settled.size).toBe(calls.length)
  expect([...timers]).toEqual([])
}
