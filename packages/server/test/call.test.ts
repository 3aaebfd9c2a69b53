/** What a handler is given beside its arguments: progress, the signal, who asks. */
import { describe, expect, it } from "vitest"
import type { Call } from "../src/index.js"
import { defineServer, tool } from "../src/index.js"
import type { Talk } from "./talk.js"
import { talking } from "./talk.js"

const info = { name: "calls", version: "1.0.0" }

/** A tool that hands its call out and ends when it is told to. */
function held() {
  let begun!: (call: Call) => void
  let end!: (text: string) => void
  const call = new Promise<Call>((resolve) => (begun = resolve))
  const ended = new Promise<string>((resolve) => (end = resolve))
  const held = tool("held", {}, (_, call) => {
    begun(call)
    return ended
  })
  return { held, call, end: (text = "ended") => end(text) }
}

const start = ({ send }: Talk, id: string | number, meta?: object): void =>
  send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "held", ...(meta && { _meta: meta }) } })

const progressIn = ({ heard }: Talk) =>
  heard.filter(({ method }) => method === "notifications/progress").map(({ params }) => params)

describe("what a handler is given beside its arguments", () => {
  it("is who asks and the request's _meta", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7, { "example.com/trace": "abc" })
    const given = await call
    expect(given.peer).toEqual({
      revision: "2025-11-25",
      capabilities: {},
      info: { name: "hand", version: "1.0.0" }
    })
    expect(given.meta).toEqual({ "example.com/trace": "abc" })
    expect(given.wantsProgress).toBe(false)
    end()
  })
})

describe("progress", () => {
  it("is told to whoever asked for it, and only when it increases", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7, { progressToken: "t" })
    const { progress, wantsProgress } = await call
    expect(wantsProgress).toBe(true)
    for (const value of [1, 1, 0.5, Number.NaN, Infinity, 2]) progress(value, 10, `at ${value}`)
    progress(3, Infinity)
    progress(4)
    end()
    await talk.until(({ id }) => id === 7)
    expect(progressIn(talk)).toEqual([
      { progressToken: "t", progress: 1, total: 10, message: "at 1" },
      { progressToken: "t", progress: 2, total: 10, message: "at 2" },
      { progressToken: "t", progress: 4 }
    ])
  })

  it("is not told to a client that did not ask", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const { progress } = await call
    progress(1)
    end()
    await talk.until(({ id }) => id === 7)
    expect(progressIn(talk)).toEqual([])
  })

  it("has no message in 2024-11-05, which knows none", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]), {}, "2024-11-05")
    start(talk, 7, { progressToken: 0 })
    const { progress } = await call
    progress(1, 2, "half")
    end()
    await talk.until(({ id }) => id === 7)
    expect(progressIn(talk)).toEqual([{ progressToken: 0, progress: 1, total: 2 }])
  })

  it("is dropped after the reply, also when the id is in use again", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7, { progressToken: "t" })
    const { progress } = await call
    end()
    await talk.until(({ id }) => id === 7)
    progress(1)
    start(talk, 7, { progressToken: "u" })
    progress(2)
    await talk.ask("ping")
    progress(3)
    await talk.ask("ping")
    expect(progressIn(talk)).toEqual([])
  })

  it("is dropped after the session has ended", async () => {
    const { held: it, call } = held()
    const talk = await talking(defineServer(info, [it]), { drainMs: 1 })
    start(talk, 7, { progressToken: "t" })
    const { progress } = await call
    await talk.serving.close()
    expect(() => progress(1)).not.toThrow()
    expect(progressIn(talk)).toEqual([])
  })
})

describe("what would break the wire", () => {
  it("is not told as progress", async () => {
    const { held: it, call, end } = held()
    const reports: Array<unknown> = []
    const talk = await talking(defineServer(info, [it]), { report: (report) => void reports.push(report) })
    start(talk, 7, { progressToken: "t" })
    const { progress } = await call
    progress(1, 2, 5 as never)
    progress("2" as never)
    progress(3, "4" as never)
    progress(4)
    end()
    await talk.until(({ id }) => id === 7)
    expect(progressIn(talk)).toEqual([{ progressToken: "t", progress: 4 }])
    expect(reports).toContainEqual({
      _tag: "Unsendable",
      method: "notifications/progress",
      why: "message: expected a string",
      peer: expect.objectContaining({ revision: "2025-11-25" })
    })
  })

  it("is said in words in the log", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it], { declare: { logging: true } }))
    start(talk, 7)
    const { log } = await call
    const round: { self?: object } = {}
    round.self = round
    log("info", round)
    log("info", 5n)
    log("error", new Error("why"))
    log("info", undefined, 5 as never)
    log("info", () => 5)
    log("info", { a: 1 }, "me")
    log("verbose" as never, "x")
    end()
    await talk.until(({ id }) => id === 7)
    log("info", "too late")
    await talk.ask("ping")
    const said = talk.heard.filter(({ method }) => method === "notifications/message").map(({ params }) => params)
    expect(said).toEqual([
      { level: "info", data: "[object Object]" },
      { level: "info", data: "5" },
      { level: "error", data: "Error: why" },
      { level: "info", data: null },
      { level: "info", data: null },
      { level: "info", data: { a: 1 }, logger: "me" }
    ])
  })
})

describe("the client's log", () => {
  it("has what the client asked for, and nothing where logging was not declared", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it], { declare: { logging: true } }))
    await talk.ask("logging/setLevel", { level: "error" })
    start(talk, 7)
    const { log } = await call
    log("warning", "no")
    log("alert", "yes")
    end()
    await talk.until(({ id }) => id === 7)
    expect(talk.heard.filter(({ method }) => method === "notifications/message")).toHaveLength(1)
    const silent = held()
    const other = await talking(defineServer(info, [silent.held]))
    start(other, 7)
    ;(await silent.call).log("alert", "no")
    silent.end()
    await other.until(({ id }) => id === 7)
    expect(other.heard.some(({ method }) => method === "notifications/message")).toBe(false)
    expect((await other.ask("logging/setLevel", { level: "error" })).error.code).toBe(-32601)
  })
})

describe("the signal", () => {
  it("is not made before somebody looks, and then is always the same", async () => {
    let made = 0
    const Real = AbortController
    globalThis.AbortController = class extends Real {
      constructor() {
        super()
        made++
      }
    }
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const given = await call
    expect(made).toBe(0)
    expect(given.signal).toBe(given.signal)
    expect(made).toBe(1)
    globalThis.AbortController = Real
    end()
  })

  it("is aborted when the client withdraws the request, with its reason, and nothing is replied", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const { signal } = await call
    expect(signal.aborted).toBe(false)
    talk.tell("notifications/cancelled", { requestId: 7, reason: "enough" })
    await talk.ask("ping")
    expect(signal.reason).toMatchObject({ name: "AbortError", message: "enough" })
    end()
    await talk.ask("ping")
    expect(talk.heard.some(({ id }) => id === 7)).toBe(false)
  })

  it("is aborted already when it is looked at too late", async () => {
    const { held: it, call } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const given = await call
    talk.tell("notifications/cancelled", { requestId: 7 })
    await talk.ask("ping")
    expect(given.signal.aborted).toBe(true)
    expect(given.signal.reason).toMatchObject({ message: "the request was cancelled" })
  })

  it("is not aborted by the cancellation of another id, of another type", async () => {
    const { held: it, call, end } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const { signal } = await call
    talk.tell("notifications/cancelled", { requestId: "7" })
    talk.tell("notifications/cancelled", { requestId: 8 })
    await talk.ask("ping")
    expect(signal.aborted).toBe(false)
    end()
    await talk.until(({ id }) => id === 7)
  })

  it("is aborted when the client goes", async () => {
    const { held: it, call } = held()
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7)
    const { signal } = await call
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve))
    await talk.leave()
    await aborted
    expect(signal.reason).toMatchObject({ message: "the client is gone" })
    expect(await talk.serving.closed).toMatchObject({ _tag: "Gone" })
  })

  it("is aborted when the server stops and the time to finish is over", async () => {
    const { held: it, call } = held()
    const talk = await talking(defineServer(info, [it]), { drainMs: 1 })
    start(talk, 7)
    const { signal } = await call
    await talk.serving.close()
    expect(signal.reason).toMatchObject({ message: "the server is stopping" })
  })

  it("makes what a handler throws afterwards no news", async () => {
    const it = tool("held", {}, (_, call) => {
      call.progress(1)
      return new Promise<string>((_resolve, reject) =>
        call.signal.addEventListener("abort", () => reject(call.signal.reason as Error))
      )
    })
    const talk = await talking(defineServer(info, [it]))
    start(talk, 7, { progressToken: 7 })
    await talk.until(({ method }) => method === "notifications/progress")
    talk.tell("notifications/cancelled", { requestId: 7 })
    await talk.ask("ping")
    await talk.ask("ping")
    expect(talk.crashes).toEqual([])
  })
})
