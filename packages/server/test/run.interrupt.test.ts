/** What a runner keeps of calls: those under way, until they end or are withdrawn. */
import type { Input, Invoke } from "@parley/core/server"
import { describe, expect, it, vi } from "vitest"
import { RunningCall } from "../src/call.js"
import { defineServer, tool } from "../src/index.js"
import { runner } from "../src/run.js"

/** A runner over one tool whose calls end when they are told to. */
function running() {
  const ends: Array<{ readonly signal: AbortSignal; readonly end: (text: string) => void }> = []
  const slow = tool(
    "slow",
    {},
    (_, { signal }) => new Promise<string>((resolve) => ends.push({ signal, end: resolve }))
  )
  const fed: Array<Input> = []
  const { tools } = defineServer({ name: "runs", version: "1.0.0" }, [slow])
  const { invoke, interrupt } = runner(
    () => tools,
    (input) => void fed.push(input),
    () => {}
  )
  const call = (call: number): void =>
    invoke({
      _tag: "Invoke",
      call,
      id: call,
      target: { _tag: "Tool", name: "slow", arguments: {} },
      peer: { revision: "2025-11-25", capabilities: {}, info: {} },
      meta: undefined,
      progress: false
    } satisfies Invoke)
  return { call, ends, fed, interrupt }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a call that waits", () => {
  it("is interrupted, and nothing is kept of it though it never settles", () => {
    const interrupted = vi.spyOn(RunningCall.prototype, "interrupt")
    const { call, ends, interrupt } = running()
    call(1)
    call(2)
    interrupt(1, "enough")
    expect(ends.map(({ signal }) => signal.aborted)).toEqual([true, false])
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
})
