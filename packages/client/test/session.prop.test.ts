/** Whatever happens to calls, each is settled once. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"
import { form } from "./asked.js"
import { hand } from "./hand.js"

type Move =
  | { readonly _tag: "call"; readonly timeoutMs: number }
  | { readonly _tag: "answer" | "ask" | "fail" | "abort" | "progress"; readonly which: number }
  | { readonly _tag: "user"; readonly says: boolean }
  | { readonly _tag: "wait"; readonly ms: number }

const which = fc.nat(7)
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ _tag: fc.constant("call" as const), timeoutMs: fc.integer({ min: 1, max: 50 }) })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom("answer", "ask", "fail", "abort", "progress"), which }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("user" as const), says: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 30 }) }) }
)

it.each(["2025-11-25", "2026-07-28"])(
  "settles every call exactly once, and by the end all of them: %s",
  async (revision) => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 40 }), fc.constantFrom("close", "leave"), async (moves, end) => {
        const clock = simulated()
        const server = hand({ revision, answers: { "tools/call": () => undefined } })
        const asked: Array<(says: boolean) => void> = []
        const elicit = () =>
          new Promise<{ action: "accept" }>((resolve, reject) =>
            asked.push((says) => (says ? resolve({ action: "accept" }) : reject(new Error("no"))))
          )
        const client = await connect(server.channel, {
          clientInfo: { name: "c", version: "1" },
          prefer: revision as "2025-11-25",
          answer: { elicit, timeoutMs: 60 },
          clock
        })
        const calls: Array<{ settled: number; controller: AbortController; done: Promise<void> }> = []
        for (const move of moves) {
          const id = "which" in move ? (server.asked("tools/call")[move.which]?.id as number | undefined) : undefined
          switch (move._tag) {
            case "call": {
              const call = { settled: 0, controller: new AbortController(), done: Promise.resolve() }
              const { signal } = call.controller
              const settle = () => void call.settled++
              call.done = client
                .request(
                  "tools/call",
                  { name: "it" },
                  { timeoutMs: move.timeoutMs, signal, resetOnProgress: true, totalMs: 80, onProgress: () => {} }
                )
                .then(settle, settle)
              calls.push(call)
              break
            }
            case "answer":
              if (id !== undefined) server.send({ jsonrpc: "2.0", id, result: { content: [] } })
              break
            case "ask": {
              const result = {
                resultType: "input_required",
                inputRequests: { f: { method: "elicitation/create", params: form({}) } }
              }
              if (id !== undefined) server.send({ jsonrpc: "2.0", id, result })
              break
            }
            case "user":
              asked.shift()?.(move.says)
              break
            case "fail":
              if (id !== undefined) server.send({ jsonrpc: "2.0", id, error: { code: 1, message: "no" } })
              break
            case "progress":
              if (id !== undefined) server.tell("notifications/progress", { progressToken: id, progress: clock.now() })
              break
            case "abort":
              calls[move.which]?.controller.abort()
              break
            case "wait":
              clock.advance(move.ms)
          }
          for (let turns = 0; turns < 3; turns++) await Promise.resolve()
        }
        await (end === "close" ? client.close() : server.leave())
        await client.closed
        await Promise.all(calls.map(({ done }) => done))
        expect(calls.map(({ settled }) => settled)).toEqual(calls.map(() => 1))
        expect(clock.pending()).toBe(0)
      }),
      { numRuns: 200 }
    )
  }
)
