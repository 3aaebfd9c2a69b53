/** Progress goes to whoever asked for it, upwards, while the request lives. */
import { describe, expect, it } from "vitest"
import { call, define, messages, ready, send } from "./by-hand.js"

const tools = define({ tools: {} })
const progress = (value: number, rest: { total?: number; message?: string } = {}) =>
  ({ _tag: "Progressed", call: 1, id: "x", progress: value, ...rest }) as const
const running = (revision: Parameters<typeof ready>[0] = "2025-11-25", token: string | number | null = "t") => {
  const by = ready(revision, tools)
  by.hear(call("x", "slow", token === null ? {} : { _meta: { progressToken: token } }), "here")
  return by
}
const sent = (progressToken: unknown, rest: object) =>
  send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, ...rest } }, "here", false)

describe("progress", () => {
  it.each(["t", "", 0, 7])("goes by the way of its request, with the token %j as it came", (token) => {
    expect(running("2025-11-25", token).tell(progress(0.5, { total: 2, message: "half" }))).toEqual([
      sent(token, { progress: 0.5, total: 2, message: "half" })
    ])
  })

  it("has no message on 2024-11-05, and has one later", () => {
    expect(running("2024-11-05").tell(progress(1, { total: 2, message: "half" }))).toEqual([
      sent("t", { progress: 1, total: 2 })
    ])
    expect(running("2025-03-26").tell(progress(1, { message: "half" }))).toEqual([
      sent("t", { progress: 1, message: "half" })
    ])
    expect(running("2025-06-18").tell(progress(1, { message: "half" }))).toEqual([
      sent("t", { progress: 1, message: "half" })
    ])
  })

  it("must increase", () => {
    const by = running()
    expect(messages(by.tell(progress(-1)))).toHaveLength(1)
    expect(messages(by.tell(progress(0)))).toHaveLength(1)
    for (const [value, why] of [
      [0, "progress must increase: 0 after 0"],
      [-5, "progress must increase: -5 after 0"]
    ] as const)
      expect(by.tell(progress(value))).toMatchObject([
        { _tag: "Report", report: { _tag: "Unsendable", method: "notifications/progress", why } }
      ])
    expect(messages(by.tell(progress(0.001)))).toHaveLength(1)
  })

  it("must be a number that JSON has", () => {
    const by = running()
    for (const input of [
      progress(Number.NaN),
      progress(Infinity),
      progress(1, { total: Number.NaN }),
      progress(1, { total: -Infinity }),
      progress(1, { message: 7 as never })
    ])
      expect(by.tell(input)).toMatchObject([{ _tag: "Report", report: { _tag: "Unsendable" } }])
    expect(messages(by.tell(progress(1)))).toHaveLength(1)
  })

  it("has a message that is text, or is not sent", () => {
    const by = running("2025-11-25")
    for (const message of [1n, 7, null, {}, Symbol("x")] as ReadonlyArray<unknown> as ReadonlyArray<never>)
      expect(by.tell(progress(1, { message }))).toMatchObject([
        {
          _tag: "Report",
          report: { _tag: "Unsendable", method: "notifications/progress", why: "message: expected a string" }
        }
      ])
    expect(messages(by.tell(progress(1)))).toHaveLength(1)
  })

  it("is not sent when nobody asked, for another call, or after the reply", () => {
    expect(running("2025-11-25", null).tell(progress(1))).toEqual([])
    const by = running()
    expect(by.tell({ ...progress(1), call: 2 })).toEqual([])
    expect(by.tell({ ...progress(1), id: "y" })).toEqual([])
    by.tell({ _tag: "Succeeded", call: 1, id: "x", result: { content: [] } })
    expect(by.tell(progress(2))).toEqual([])
  })
})
