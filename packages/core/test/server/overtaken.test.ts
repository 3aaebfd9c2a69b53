/** Questions of a task that has gone on without their answers. */
import { describe, expect, it } from "vitest"
import { answer, declared, form, needs, roots, server, timer } from "./asking.js"
import { define, everything, ready } from "./by-hand.js"

const tasked = define({ ...everything, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } })
const wait = (id: string, taskId = "t") => ({ jsonrpc: "2.0", id, method: "tasks/result", params: { taskId } })
const overtaken = { _tag: "Overtaken", id: "c", taskId: "t" } as const

/** One who waits for a task's result, and was asked two things. */
function waiting() {
  const by = ready("2025-11-25", tasked, {}, declared)
  by.hear(wait("c"), "here")
  by.tell(needs([form("a"), roots("b")]))
  return by
}

describe("a request for the result of a task that has gone on", () => {
  it("has its questions taken back, and runs again with the answers that are there", () => {
    const by = waiting()
    by.hear(answer(3))
    by.move()
    const reason = "the task has gone on without an answer"
    expect(by.tell(overtaken)).toMatchObject([
      { _tag: "StopTimer", timer: timer(2) },
      { message: { method: "notifications/cancelled", params: { requestId: 2, reason } }, via: "here" },
      { _tag: "Invoke", call: 4, id: "c", answers: { b: { _tag: "Answered" } } }
    ])
    expect(by.hear(answer(2))).toMatchObject([{ _tag: "Report" }])
    expect(by.tell({ _tag: "Succeeded", call: 4, id: "c", result: { content: [] } })).toMatchObject([
      { message: { id: "c", result: { content: [] } } }
    ])
  })

  it("is left alone when it runs, is over, waits for another task, or is no such request", () => {
    const by = waiting()
    expect(by.tell({ ...overtaken, taskId: "other" })).toEqual([])
    expect(by.tell({ ...overtaken, id: "d" })).toEqual([])
    by.tell(overtaken)
    expect(by.tell(overtaken)).toEqual([])
    by.tell({ _tag: "Succeeded", call: 4, id: "c", result: { content: [] } })
    expect(by.tell(overtaken)).toEqual([])
    const other = ready("2025-11-25", server, {}, declared)
    other.hear({ jsonrpc: "2.0", id: "c", method: "tools/call", params: { name: "slow" } })
    other.tell(needs([roots()]))
    expect(other.tell(overtaken)).toEqual([])
  })
})
