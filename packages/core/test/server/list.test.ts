/** Tools listed: pages, cursors, prepared text, and the members each revision has. */
import { describe, expect, it } from "vitest"
import { ask, define, ready, session, tool } from "./by-hand.js"

const tools = define({ tools: {} })

describe("tools/list", () => {
  const listed = (by: ReturnType<typeof session>, cursor?: string) =>
    (
      by.said(ask(1, "tools/list", cursor === undefined ? undefined : { cursor }))[0] as {
        result: { tools: Array<{ name: string }>; nextCursor?: string }
      }
    ).result
  const five = define({ tools: {} }, { tools: ["a", "b", "c", "d", "e"].map((name) => tool(name)), pageSize: 2 })

  it("is prepared text of what the message says", () => {
    for (const outputs of [
      ready("2025-11-25", tools).hear(ask('q"', "tools/list")),
      session(tools).hear(ask(7, "ping"))
    ]) {
      const { message, text } = outputs[0] as { message: unknown; text: string }
      expect(JSON.parse(text)).toEqual(message)
    }
  })

  it("walks page by page and ends without a cursor", () => {
    const by = ready("2025-11-25", five)
    const first = listed(by)
    expect(first.tools.map(({ name }) => name)).toEqual(["a", "b"])
    const second = listed(by, first.nextCursor)
    expect(second.tools.map(({ name }) => name)).toEqual(["c", "d"])
    const third = listed(by, second.nextCursor)
    expect(third.tools.map(({ name }) => name)).toEqual(["e"])
    expect("nextCursor" in third).toBe(false)
  })

  it("ends on a page that is full, when there is no more", () => {
    const by = ready("2025-11-25", define({ tools: {} }, { tools: [tool("a"), tool("b")], pageSize: 2 }))
    expect("nextCursor" in listed(by)).toBe(false)
  })

  it("is empty when there are none, and pages hold one tool at least", () => {
    expect(listed(ready("2025-11-25", define({ tools: {} }, { tools: [] })))).toEqual({ tools: [] })
    expect(listed(ready("2025-11-25", define({ tools: {} }, { pageSize: 0 }))).tools).toHaveLength(1)
  })

  it("refuses a cursor it did not give out", () => {
    for (const cursor of ["", "nope", "after:e", "constructor"])
      expect(ready("2025-11-25", five).said(ask(1, "tools/list", { cursor }))).toMatchObject([
        { id: 1, error: { code: -32602, message: "Invalid cursor for tools/list: list again from the start" } }
      ])
  })

  it.each([
    [
      "2025-11-25",
      ["name", "inputSchema", "title", "description", "outputSchema", "annotations", "icons", "_meta", "execution"]
    ],
    ["2025-06-18", ["name", "inputSchema", "title", "description", "outputSchema", "annotations", "_meta"]],
    ["2025-03-26", ["name", "inputSchema", "description", "annotations"]],
    ["2024-11-05", ["name", "inputSchema", "description"]]
  ] as const)("lists tools with the members that %s has", (revision, members) => {
    const whole = tool("whole", {
      title: "Whole",
      description: "All there is",
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      icons: [],
      _meta: { a: 1 },
      execution: { taskSupport: "optional" },
      scopes: ["secret"]
    })
    const [listedTool] = listed(ready(revision, define({ tools: {} }, { tools: [whole] }))).tools
    expect(Object.keys(listedTool!)).toEqual(members)
  })

  it("leaves out an output schema that is not an object's", () => {
    const odd = define({ tools: {} }, { tools: [tool("odd", { outputSchema: { type: "array" } })] })
    expect(listed(ready("2025-11-25", odd)).tools).toEqual([{ name: "odd", inputSchema: { type: "object" } }])
  })
})
