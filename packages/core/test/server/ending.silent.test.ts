/** A client that sends nothing more: it gets what does not wait for it, and is asked nothing. */
import { describe, expect, it } from "vitest"
import { call, define, ready, tool } from "./by-hand.js"

const drain = { of: "drain", call: 0 } as const
const closed = { _tag: "Close", reason: "stopped" }
const done = { _tag: "Succeeded", call: 1, id: 1, result: { content: [] } } as const

describe("a client that sends nothing more", () => {
  const asking = define({ tools: {} }, { tools: [tool("slow")] })
  const rootsClient = () => ready("2025-11-25", asking, { drainMs: 250 }, { roots: {} })
  const question = { key: "roots", method: "roots/list", params: undefined }
  const needs = (number: number, id: number) =>
    ({ _tag: "NeedsInput", call: number, id, questions: [question], once: {} }) as const
  const refused = (id: number) => ({
    _tag: "Send",
    message: { id, error: { code: -32603, message: "The server is stopping" } }
  })

  it("is told at once that what waits for its answers will not be done, and gets the rest", () => {
    const by = rootsClient()
    by.hear(call(1))
    by.hear(call(2))
    by.tell(needs(1, 1))
    expect(by.tell({ _tag: "InputEnded" })).toMatchObject([
      { _tag: "StartTimer", timer: drain, ms: 250 },
      { _tag: "StopTimer" },
      { _tag: "Send", message: { method: "notifications/cancelled" } },
      refused(1),
      { _tag: "Report" }
    ])
    expect(by.tell({ ...done, call: 2, id: 2 })).toMatchObject([
      { _tag: "Send", message: { id: 2 } },
      { _tag: "StopTimer", timer: drain },
      closed
    ])
  })

  it.each([false, true])("is asked nothing more (moved: %j)", (moved) => {
    const by = rootsClient()
    by.hear(call(1))
    by.tell({ _tag: "InputEnded" })
    if (moved) by.move()
    expect(by.tell(needs(1, 1))).toMatchObject([refused(1), { _tag: "Report" }, { _tag: "StopTimer" }, closed])
  })

  it("is closed at once when it waits for nothing but answers of its own", () => {
    const by = rootsClient()
    by.hear(call(1))
    by.tell(needs(1, 1))
    expect(by.tell({ _tag: "InputEnded" }).at(-1)).toEqual(closed)
    expect(rootsClient().tell({ _tag: "InputEnded" })).toEqual([closed])
  })

  it("may do so after the server began to stop", () => {
    const by = rootsClient()
    by.hear(call(1))
    by.tell(needs(1, 1))
    by.tell({ _tag: "Stopping" })
    expect(by.tell({ _tag: "InputEnded" }).at(-1)).toEqual(closed)
  })
})
