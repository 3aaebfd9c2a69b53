/** What may be sent as a result: what the row says, and on a page only items that are whole. */
import { describe, expect, it } from "vitest"
import { unsendable } from "../src/outcome.js"
import { v2025_11_25, v2026_07_28 } from "../src/revisions/index.js"
import type { RequestRow } from "../src/row.js"
import { request } from "../src/row.js"

const found = (method: string, result: unknown, task = false) =>
  unsendable(v2025_11_25, v2025_11_25.client[method] as RequestRow, method, result, task)
const anything = () => undefined
const task = { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null }

describe("a result", () => {
  it("is judged by its row", () => {
    expect(found("tools/call", { content: [] })).toBeUndefined()
    expect(found("tools/call", {})).toEqual({ at: "content", expected: "an array" })
    expect(found("tools/call", undefined)).toMatchObject({ at: "" })
  })
  it("of a call that is a task is the task", () => {
    expect(found("tools/call", { task }, true)).toBeUndefined()
    expect(found("tools/call", { content: [] }, true)).toEqual({ at: "task", expected: "an object" })
    expect(found("resources/read", { contents: [] }, true)).toBeUndefined()
  })
})

describe("how long a result may be kept", () => {
  const kept = (method: string, result: object) =>
    unsendable(v2026_07_28, v2026_07_28.client[method] as RequestRow, method, result, false)
  it("is never less than no time where it may be kept at all", () => {
    for (const ttlMs of [0, 1, undefined]) expect(kept("resources/read", { contents: [], ttlMs })).toBeUndefined()
    for (const ttlMs of [-1, -0.5]) expect(kept("resources/read", { contents: [], ttlMs })?.at).toBe("ttlMs")
    expect(kept("resources/list", { resources: [], ttlMs: -1 })).toEqual({
      at: "ttlMs",
      expected: "an integer from 0 on"
    })
    expect(kept("tools/call", { content: [], ttlMs: -1 })).toBeUndefined()
  })
  it("is for the check of its row to judge where it is no number", () => {
    const row = request("client", anything, anything, { cacheable: true })
    expect(unsendable(v2026_07_28, row, "x/y", { ttlMs: "-1" }, false)).toBeUndefined()
    expect(unsendable(v2026_07_28, row, "x/y", { ttlMs: -1 }, false)?.at).toBe("ttlMs")
  })
})

describe("a page", () => {
  it("is judged item by item", () => {
    expect(found("tasks/list", { tasks: [task, task] })).toBeUndefined()
    expect(found("tasks/list", { tasks: [] })).toBeUndefined()
    expect(found("tasks/list", { tasks: 7 })).toMatchObject({ at: "tasks" })
    expect(found("tasks/list", { tasks: [task, {}] })).toEqual({ at: "tasks[1].taskId", expected: "a string" })
    expect(found("tasks/list", { tasks: [[]] })).toEqual({ at: "tasks[0]", expected: "an object" })
  })
})
