/** What a runner keeps of calls: those under way, until they end, wait for answers, or are withdrawn. */
import type { Input, Invoke } from "@parley/core/server"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { defineServer, failed, form, prompt, tool } from "../src/index.js"
import { runner } from "../src/run.js"
import { RunningCall } from "../src/running-call.js"
import { visits } from "../src/visits.js"

const guests = form({ type: "object", properties: { guests: { type: "integer" } } })

/** A runner over tools whose calls end when they are told to. */
function running() {
  const ends: Array<{ readonly signal: AbortSignal; readonly end: (value: unknown) => void }> = []
  const crashes: Array<unknown> = []
  const effects: Array<string> = []
  const fed: Array<Input> = []
  const held = (signal: AbortSignal) => new Promise<never>((resolve) => ends.push({ signal, end: resolve as never }))
  const server = defineServer({ name: "runs", version: "1.0.0" }, [
    tool("slow", {}, (_, { signal }) => held(signal)),
    tool("judged", { input: judging(() => held(new AbortController().signal)) }, () => void effects.push("ran")),
    tool("hurt", {}, (_, { signal }) => held(signal).then(() => Promise.reject(new Error("interrupted")))),
    tool("says", {}, (_, { signal }) => held(signal).then(() => Promise.reject(failed("not in time")))),
    tool("effect", {}, () =>
      Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void effects.push("interrupted"))))
    ),
    tool("asks", { asks: { guests } }, async (_, call) => {
      await call.ask("guests", { message: "?" }).catch(() => undefined)
      return held(call.signal)
    }),
    prompt("prompt", {}, (_, { signal }) => held(signal))
  ])
  const feed = (input: Input): void => void fed.push(input)
  const { invoke, interrupt } = runner(
    () => server,
    { feed, crashed: (_, error) => crashes.push(error), tracing: undefined, visits: visits(feed), session: 1 },
    () => Promise.reject(new Error("no tasks here"))
  )
  const call = (call: number, name = "slow"): void =>
    invoke({
      _tag: "Invoke",
      call,
      id: call,
      target: name === "prompt" ? { _tag: "Prompt", name, arguments: {} } : { _tag: "Tool", name, arguments: {} },
      peer: { revision: "2025-11-25", capabilities: { elicitation: {} }, info: {} },
      meta: undefined,
      progress: false,
      answers: undefined,
      once: undefined,
      principal: undefined
    } satisfies Invoke)
  return { call, ends, fed, crashes, effects, interrupt }
}

/** A schema that takes its time. */
const judging = (hold: () => Promise<unknown>) =>
  ({
    "~standard": {
      version: 1,
      vendor: "slow",
      validate: async (value: unknown) => hold().then(() => ({ value })),
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) }
    }
  }) as never

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a call that waits", () => {
  it.each(["slow", "prompt"])("is interrupted, and nothing is kept of it though it never settles: %s", (name) => {
    const interrupted = vi.spyOn(RunningCall.prototype, "interrupt")
    const { call, ends, interrupt } = running()
    call(1, name)
    call(2, name)
    interrupt(1, "enough")
    expect(ends.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(ends[0]!.signal.reason).toMatchObject({ name: "AbortError", message: "enough" })
    expect(interrupted).toHaveBeenCalledTimes(1)
    interrupt(1, "again")
    expect(interrupted).toHaveBeenCalledTimes(1)
    interrupt(2, undefined)
    expect(interrupted).toHaveBeenCalledTimes(2)
    interrupted.mockRestore()
  })

  it("is kept no longer once it has settled: an interrupt finds nothing", async () => {
    const { call, ends, fed, interrupt } = running()
    call(1)
    ends[0]!.end("done")
    await turn()
    expect(fed).toMatchObject([{ _tag: "Succeeded", call: 1 }])
    interrupt(1, "late")
    expect(ends[0]!.signal.aborted).toBe(false)
  })

  it("is kept no longer once it waits for answers, though it never settles", async () => {
    const { call, ends, fed, interrupt } = running()
    const interrupted = vi.spyOn(RunningCall.prototype, "interrupt")
    call(1, "asks")
    await turn()
    expect(fed).toMatchObject([{ _tag: "NeedsInput", call: 1 }])
    expect(ends[0]!.signal.aborted).toBe(true)
    interrupt(1, "late")
    expect(interrupted).not.toHaveBeenCalled()
    ends[0]!.end("nobody hears this")
    await turn()
    expect(fed).toHaveLength(1)
    interrupted.mockRestore()
  })

  it("says no more than its result once it is interrupted, which the machine drops", async () => {
    const { call, ends, fed, interrupt, crashes } = running()
    call(1)
    interrupt(1, "enough")
    ends[0]!.end("late")
    await turn()
    expect(fed).toMatchObject([{ _tag: "Succeeded", call: 1 }])
    expect(crashes).toEqual([])
  })

  it("does not begin when it was withdrawn while its arguments were judged", async () => {
    const { call, ends, fed, effects, interrupt } = running()
    call(1, "judged")
    interrupt(1, "enough")
    ends[0]!.end(undefined)
    await turn()
    expect(effects).toEqual([])
    expect(fed).toEqual([])
  })

  it("surprises nobody with what it throws because it was interrupted", async () => {
    const { call, ends, fed, crashes, interrupt } = running()
    for (const [number, name] of ["hurt", "hurt", "says"].entries()) call(number + 1, name)
    interrupt(1, "enough")
    for (const { end } of ends) end(undefined)
    await turn()
    expect(crashes).toEqual([new Error("interrupted")])
    expect(fed).toMatchObject([
      { call: 1, failure: { _tag: "Crashed" } },
      { call: 2, failure: { _tag: "Crashed" } },
      { call: 3, failure: { _tag: "Told" } }
    ])
  })

  it("is interrupted as an Effect, whether that runs already or is still to be loaded", async () => {
    const { call, effects, crashes, interrupt } = running()
    call(1, "effect")
    interrupt(1, "before it ran")
    await vi.dynamicImportSettled()
    await turn()
    expect(effects).toEqual([])
    call(2, "effect")
    await vi.dynamicImportSettled()
    await turn()
    interrupt(2, "enough")
    await turn()
    expect(effects).toEqual(["interrupted"])
    expect(crashes).toEqual([])
  })
})
