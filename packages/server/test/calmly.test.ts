/** What the user's own functions throw ends nothing but their own turn. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Outcome, Tracing } from "../src/index.js"
import { defineServer, live, tool } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "calm", version: "1.0.0" }
const boom = (): never => {
  throw new Error("boom")
}
const hello = tool("hello", {}, () => "Hello!")
const failing = tool("failing", {}, () => boom())
const later = tool("later", {}, async () => "later")
const said = (text: string) => ({ content: [{ type: "text", text }] })
let told: ReturnType<typeof vi.spyOn>

beforeEach(() => void (told = vi.spyOn(console, "error").mockReturnValue()))
afterEach(() => void vi.restoreAllMocks())

describe("onNotification that fails", () => {
  it.each<readonly [string, () => void]>([
    ["throws", boom],
    ["rejects", () => Promise.reject(new Error("boom"))]
  ])("leaves the session alive, and is told on the console: it %s", async (_, onNotification) => {
    const capabilities = { roots: { listChanged: true } }
    const talk = await talking(defineServer(info, [hello]), { onNotification }, undefined, capabilities)
    talk.tell("notifications/roots/list_changed")
    expect(await talk.call("hello")).toEqual(said("Hello!"))
    expect(told.mock.calls).toEqual([["A listener failed: boom"]])
  })
})

describe("a tracer that rejects", () => {
  const rejects = (): never => Promise.reject(new Error("boom")) as never

  it.each<readonly [string, Tracing, failures: number]>([
    // Nor has its promise a span to run anything in.
    ["when a call begins", { begin: rejects }, 3],
    ["beside running it", { begin: () => ({ run: (work) => (work(), rejects()), end: () => undefined }) }, 5],
    [
      "with what the handler came to",
      { begin: () => ({ run: (async (work: () => unknown) => work()) as never, end: () => undefined }) },
      0
    ],
    ["when it has ended", { begin: () => ({ run: (work) => work(), end: rejects }) }, 3]
  ])("changes no answer, and is no rejection that nobody heeds: %s", async (_, tracing, failures) => {
    const unhandled: Array<unknown> = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on("unhandledRejection", note)
    const talk = await talking(defineServer(info, [hello, failing, later]), { tracing })
    expect(await talk.call("hello")).toEqual(said("Hello!"))
    expect(await talk.call("failing")).toEqual({ ...said("The tool failing failed."), isError: true })
    expect(await talk.call("later")).toEqual(said("later"))
    await new Promise((done) => setImmediate(done))
    process.off("unhandledRejection", note)
    expect(unhandled).toEqual([])
    expect(told.mock.calls.filter(([text]: ReadonlyArray<unknown>) => text === "A listener failed: boom")).toHaveLength(
      failures
    )
  })
})

describe("a tracer that throws", () => {
  const run = <A>(work: () => A): A => work()
  const twice = <A>(work: () => A): A => {
    work()
    return work()
  }

  it.each<readonly [string, Tracing, failures: number]>([
    ["when a call begins", { begin: boom }, 3],
    ["instead of running it", { begin: () => ({ run: boom, end: () => undefined }) }, 6],
    ["after it ran it", { begin: () => ({ run: (work) => (work(), boom()), end: () => undefined }) }, 5],
    ["when it has ended", { begin: () => ({ run, end: boom }) }, 3],
    ["never, but runs it twice", { begin: () => ({ run: twice, end: () => undefined }) }, 0]
  ])("changes no answer: %s", async (_, tracing, failures) => {
    let ran = 0
    const counting = tool("counting", {}, () => String(++ran))
    const talk = await talking(defineServer(info, [counting, failing, later]), { tracing })
    expect(await talk.call("counting")).toEqual(said("1"))
    expect(await talk.call("failing")).toEqual({ ...said("The tool failing failed."), isError: true })
    expect(await talk.call("later")).toEqual(said("later"))
    expect(talk.crashes).toMatchObject([["failing", { message: "boom" }]])
    expect(told.mock.calls).toEqual(Array.from({ length: failures }, () => ["A listener failed: boom"]))
  })

  it("is not disturbed where it does not throw", async () => {
    const seen: Array<unknown> = []
    const tracing: Tracing = {
      begin: ({ target }) => {
        seen.push(target._tag)
        return { run, end: (outcome: Outcome) => void seen.push(outcome._tag) }
      }
    }
    const talk = await talking(defineServer(info, [hello, failing]), { tracing })
    await talk.call("hello")
    await talk.call("failing")
    expect(seen).toEqual(["Tool", "Succeeded", "Tool", "Failed"])
  })
})

describe("an onChange listener that throws", () => {
  it("keeps neither the change nor the sessions from going on", async () => {
    const counting = live(defineServer(info, [hello], { declare: { tools: { listChanged: true } } }))
    counting.onChange(boom)
    const talk = await talking(counting)
    await counting.set([later])
    expect(await talk.call("later")).toEqual(said("later"))
    expect(talk.heard.map(({ method }) => method)).toContain("notifications/tools/list_changed")
    expect(told.mock.calls).toEqual([["A listener failed: boom"]])
  })
})
