/** What is done once: never twice, whatever it comes to, and never in the way of a question. */
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Call, Tool } from "../src/index.js"
import { defineServer, form, serve, tool } from "../src/index.js"
import { talk as talkTo, talking } from "./talk.js"

const info = { name: "once", version: "1.0.0" }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const asks = { guests }
type Asking = Call<{ guests: typeof guests }>
const able = { elicitation: {} }
const accepted = { action: "accept", content: { guests: 3 } }
const text = (said: string) => ({ content: [{ type: "text", text: said }] })
const talkOf = (one: unknown, options = {}) => talking(defineServer(info, [one as Tool]), options, undefined, able)
const isQuestion = ({ method }: { method?: string }) => method === "elicitation/create"
const asked = (call: Asking) => call.ask("guests", { message: "?" })

describe("an effect that asks", () => {
  it.each([
    ["at once", (call: Asking) => () => asked(call)],
    ["after a while", (call: Asking) => async () => (await Promise.resolve(), asked(call))],
    ["as an Effect", (call: Asking) => () => Effect.promise(() => asked(call))],
    ["as an Effect that may fail", (call: Asking) => () => Effect.tryPromise(() => asked(call))],
    [
      "within another one",
      (call: Asking) => async () => (await Promise.resolve(), call.once("inner", async () => asked(call)))
    ]
  ])("ends its call, and says why: %s", async (_, effect) => {
    const talk = await talkOf(tool("book", { asks }, async (_, call) => (await call.once("hold", effect(call)), "x")))
    expect(await talk.call("book")).toMatchObject({ isError: true, content: [{ text: "The tool book failed." }] })
    await talk.ask("ping")
    expect(talk.heard.some(isQuestion)).toBe(false)
    expect(talk.crashes[0]).toEqual(["book", expect.objectContaining({ name: "TypeError" })])
    expect(String(talk.crashes[0]![1])).toContain("What is done once may not ask")
  })

  it("does so whatever its handler makes of it, and is answered once", async () => {
    const signals: Array<AbortSignal> = []
    const book = tool("book", { asks }, async (_, call) => {
      signals.push(call.signal)
      await call.once("hold", () => asked(call)).catch(() => undefined)
      return "never mind"
    })
    const talk = await talkOf(book)
    expect(await talk.call("book")).toMatchObject({ isError: true })
    await talk.ask("ping")
    expect(talk.heard.filter(({ id }) => id === 2)).toHaveLength(1)
    expect(talk.crashes).toHaveLength(1)
    expect(signals[0]!.aborted).toBe(true)
  })

  it("ends its call also when the handler is no async function", async () => {
    const book = tool("book", { asks }, (_, call) => {
      void call.once("hold", () => asked(call))
      return "never mind"
    })
    const talk = await talkOf(book)
    expect(await talk.call("book")).toMatchObject({ isError: true })
    expect(talk.crashes).toHaveLength(1)
  })
})

describe("an effect that takes its time beside a question", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  /** A tool that holds while it asks, until it is told to finish. */
  const holding = () => {
    const begun = vi.fn<(signal: AbortSignal) => void>()
    let finish!: (value: unknown) => void
    const book = tool("book", { asks }, async (_, call) => {
      const hold = call.once("hold", () => {
        begun(call.signal)
        return new Promise((resolve) => (finish = resolve))
      })
      const { guests } = await asked(call)
      return `${JSON.stringify(await hold)} ${guests}`
    })
    return { book, begun, finish: (value: unknown) => finish(value) }
  }

  it("does not keep the question back for ever, and is not broken off, nor begun again", async () => {
    const { book, begun, finish } = holding()
    const talk = await talkOf(book)
    const called = talk.call("book")
    await talk.ask("ping")
    expect(talk.heard.some(isQuestion)).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    await talk.answer("elicitation/create", accepted)
    await talk.ask("ping")
    expect(begun.mock.calls.map(([signal]) => signal.aborted)).toEqual([false])
    finish({ at: "desk" })
    expect(await called).toEqual(text('{"at":"desk"} 3'))
    expect(begun).toHaveBeenCalledTimes(1)
    expect(begun.mock.calls[0]![0].aborted).toBe(true)
    expect(talk.crashes).toEqual([])
  })

  it("gives the next run its value when it ended in between", async () => {
    const { book, begun, finish } = holding()
    const talk = await talkOf(book)
    const called = talk.call("book")
    await vi.advanceTimersByTimeAsync(1_000)
    await talk.until(isQuestion)
    finish(7)
    await talk.ask("ping")
    await talk.answer("elicitation/create", accepted)
    expect(await called).toEqual(text("7 3"))
    expect(begun).toHaveBeenCalledTimes(1)
  })

  it("leaves the question its time limit", async () => {
    const talk = await talkOf(holding().book, { askMs: 5_000 })
    const called = talk.call("book")
    await vi.advanceTimersByTimeAsync(7_000)
    expect(await called).toMatchObject({
      isError: true,
      content: [{ text: "The client did not answer in time: guests" }]
    })
  })

  it.each([0, 1_000])("leaves the call to be withdrawn, after %i ms", async (ms) => {
    const { book, begun } = holding()
    const talk = await talkOf(book)
    talk.send({ jsonrpc: "2.0", id: "it", method: "tools/call", params: { name: "book" } })
    await vi.advanceTimersByTimeAsync(ms)
    talk.tell("notifications/cancelled", { requestId: "it" })
    await vi.advanceTimersByTimeAsync(5_000)
    await talk.ask("ping")
    expect(talk.heard.filter(isQuestion)).toHaveLength(ms === 0 ? 0 : 1)
    expect(talk.heard.some(({ id }) => id === "it")).toBe(false)
    // Where it was asked already, what is done once is done to its end.
    expect(begun.mock.calls[0]![0].aborted).toBe(ms === 0)
  })

  it("may do more once while it is waited for", async () => {
    let finish!: () => void
    const inner = vi.fn<() => void>()
    const book = tool("book", { asks }, async (_, call) => {
      const hold = call.once("outer", async () => {
        await new Promise<void>((resolve) => (finish = resolve))
        await call.once("inner", () => inner())
        return "both"
      })
      await asked(call)
      return hold
    })
    const talk = await talkOf(book)
    const called = talk.call("book")
    await talk.ask("ping")
    finish()
    await talk.answer("elicitation/create", accepted)
    expect(await called).toEqual(text("both"))
    expect(inner).toHaveBeenCalledTimes(1)
  })

  it("is not begun again by another process, which can not know how it ended", async () => {
    const { book, begun } = holding()
    let state: unknown
    const keep = (kept: unknown): void => void (state = JSON.parse(JSON.stringify(kept)))
    const talk = await talkOf(book, { session: { keep } })
    void talk.call("book")
    await vi.advanceTimersByTimeAsync(1_000)
    const question = await talk.until(isQuestion)
    const other = talkTo(defineServer(info, [book]), { session: { state, keep } }, serve)
    other.send({ jsonrpc: "2.0", id: question.id, result: accepted })
    expect(await other.until(({ id }) => id === 2)).toMatchObject({ result: { isError: true } })
    expect(String(other.crashes[0]![1])).toContain(
      "hold is not done again: it was begun, and nobody knows how it ended"
    )
    expect(begun).toHaveBeenCalledTimes(1)
  })
})

describe("an effect whose value JSON can not say", () => {
  it.each([
    ["a bigint", () => 5n, "a bigint"],
    ["a circle", circle, "self.self"]
  ])("was done: it is not done again, and every run is told why: %s", async (_, make, why) => {
    const effect = vi.fn<() => void>()
    const errors: Array<unknown> = []
    const book = tool("book", { asks }, async (_, call) => {
      for (let i = 0; i < 2; i++) await call.once("charge", () => (effect(), make())).catch((e) => errors.push(e))
      const { guests } = await asked(call)
      return `${guests}`
    })
    const talk = await talkOf(book)
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted)
    expect(await called).toEqual(text("3"))
    expect(effect).toHaveBeenCalledTimes(1)
    expect(errors).toHaveLength(4)
    for (const error of errors)
      expect(String(error)).toContain(`charge is not done again: its value can not be written as JSON: ${why}`)
  })
})

it("gives later runs a value of their own, which the handler may change", async () => {
  const runs: Array<unknown> = []
  const book = tool("book", { asks }, async (_, call) => {
    const list = await call.once("list", () => ["a"])
    runs.push([...list])
    list.push("b")
    await asked(call)
    await asked(call)
    return "x"
  })
  const talk = await talkOf(book)
  const called = talk.call("book")
  await talk.answer("elicitation/create", accepted)
  await talk.answer("elicitation/create", accepted)
  await called
  expect(runs).toEqual([["a"], ["a"], ["a"]])
})

function circle(): unknown {
  const one: { self?: unknown } = {}
  one.self = one
  return one
}
