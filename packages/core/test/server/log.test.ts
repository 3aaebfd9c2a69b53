/** The client's log: at its level, once it is ready, and nothing twice when a handler runs again. */
import { describe, expect, it } from "vitest"
import type { LoggingLevel } from "../../src/wire/shapes.js"
import {
  ask,
  call,
  codes,
  define,
  everything,
  initialize,
  initialized,
  messages,
  ready,
  revisionNames,
  session
} from "./by-hand.js"

const levels: ReadonlyArray<LoggingLevel> = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
]
const said = (level: LoggingLevel, about?: { call: number; id: string }, data: unknown = "d") =>
  ({ _tag: "Logged", level, data, ...(about === undefined ? {} : { about }) }) as const
const heard = (by: ReturnType<typeof session>) => levels.filter((level) => by.tell(said(level)).length > 0)

describe("the log", () => {
  it.each(revisionNames)("has what is at the client's level or more severe on %s", (revision) => {
    const by = ready(revision, define(everything))
    for (const [at, level] of levels.entries()) {
      expect(by.said(ask(1, "logging/setLevel", { level }))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
      expect(heard(by)).toEqual(levels.slice(at))
    }
  })

  it("is at info until the client has said what it wants", () => {
    expect(heard(ready("2025-11-25", define(everything)))).toEqual(levels.slice(1))
  })

  it("goes by the session's own way, or by that of the request it is about", () => {
    const by = ready("2025-11-25", define(everything))
    by.hear(call("c"), "here")
    expect(by.tell({ _tag: "Logged", level: "error", data: { a: 1 }, logger: "db" })).toEqual([
      {
        _tag: "Send",
        message: {
          jsonrpc: "2.0",
          method: "notifications/message",
          params: { level: "error", data: { a: 1 }, logger: "db" }
        },
        via: undefined,
        last: false,
        text: undefined
      }
    ])
    expect(by.tell({ ...said("error", { call: 1, id: "c" }), data: undefined })).toEqual([
      {
        _tag: "Send",
        message: { jsonrpc: "2.0", method: "notifications/message", params: { level: "error", data: null } },
        via: "here",
        last: false,
        text: undefined
      }
    ])
  })

  it("is empty where logging was not declared, before the client is ready, and after the request has ended", () => {
    expect(heard(ready("2025-11-25", define({ tools: {} })))).toEqual([])
    const by = session(define(everything))
    expect(heard(by)).toEqual([])
    by.hear(initialize("2025-11-25"))
    by.hear(call("c"))
    expect(heard(by)).toEqual([])
    by.hear(initialized)
    by.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } })
    expect(by.tell(said("error", { call: 1, id: "c" }))).toEqual([])
    expect(by.tell(said("error", { call: 2, id: "d" }))).toEqual([])
  })

  it("has no level that is none", () => {
    const by = ready("2025-11-25", define(everything))
    expect(by.tell(said("loud" as LoggingLevel))).toEqual([])
    expect(codes(by.said(ask(1, "logging/setLevel", { level: "loud" })))).toEqual([-32602])
    expect(heard(by)).toEqual(levels.slice(1))
  })
})

describe("a handler that runs again", () => {
  const data = (outputs: ReturnType<ReturnType<typeof session>["tell"]>) =>
    (messages(outputs) as ReadonlyArray<{ params: { data: unknown } }>).map(({ params }) => params.data)
  const asking = () => {
    const by = ready("2025-11-25", define(everything), {}, { roots: {} })
    by.hear(call("c", "slow", { _meta: { progressToken: "t" } }))
    return by
  }
  const log = (by: ReturnType<typeof session>, number: number, word: string, level: LoggingLevel = "info") =>
    data(by.tell(said(level, { call: number, id: "c" }, word)))
  const again = (by: ReturnType<typeof session>, number: number) => {
    by.tell({
      _tag: "NeedsInput",
      call: number,
      id: "c",
      questions: [{ key: "k", method: "roots/list", params: undefined }],
      once: {}
    })
    by.hear({ jsonrpc: "2.0", id: number + 1, result: { roots: [] } })
    return number + 2
  }

  it("does not repeat what it logged, and goes on with what is new", () => {
    const by = asking()
    expect([log(by, 1, "a"), log(by, 1, "b")]).toEqual([["a"], ["b"]])
    const second = again(by, 1)
    expect([log(by, second, "a"), log(by, second, "b"), log(by, second, "c")]).toEqual([[], [], ["c"]])
    const third = again(by, second)
    expect(["a", "b", "c", "d"].map((word) => log(by, third, word))).toEqual([[], [], [], ["d"]])
  })

  it("does not repeat it either when the level has changed in between", () => {
    const by = asking()
    by.hear(ask(9, "logging/setLevel", { level: "error" }))
    expect([log(by, 1, "quiet"), log(by, 1, "loud", "error")]).toEqual([[], ["loud"]])
    by.hear(ask(9, "logging/setLevel", { level: "debug" }))
    const second = again(by, 1)
    expect([log(by, second, "quiet"), log(by, second, "loud", "error"), log(by, second, "new")]).toEqual([
      [],
      [],
      ["new"]
    ])
  })

  it("tells no progress that does not increase, and says nothing of it", () => {
    const by = asking()
    const progress = (number: number, value: number) =>
      by.tell({ _tag: "Progressed", call: number, id: "c", progress: value })
    expect(messages(progress(1, 1))).toHaveLength(1)
    expect(messages(progress(1, 2))).toHaveLength(1)
    const second = again(by, 1)
    expect([progress(second, 1), progress(second, 2)]).toEqual([[], []])
    expect(messages(progress(second, 3))).toHaveLength(1)
    expect(progress(second, Number.NaN)).toMatchObject([{ _tag: "Report", report: { _tag: "Unsendable" } }])
  })

  it("in another process does not repeat it either", () => {
    const by = ready(
      "2025-11-25",
      define(everything, {
        tools: [{ name: "slow", inputSchema: { type: "object" }, annotations: { idempotentHint: true } }]
      })
    )
    by.hear(call("c"))
    expect(log(by, 1, "a")).toEqual(["a"])
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toMatchObject([{ _tag: "Invoke", call: 1 }])
    expect([log(by, 1, "a"), log(by, 1, "b")]).toEqual([[], ["b"]])
  })
})
