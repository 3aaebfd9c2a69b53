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

  it("has the pages of such a walk prepared, and no others", () => {
    const by = ready("2025-11-25", five)
    expect(listed(by)).toBe(listed(by))
    expect(listed(by, "after:b")).toBe(listed(by, "after:b"))
    expect(listed(by, "after:a")).toEqual(listed(by, "after:a"))
    expect(listed(by, "after:a")).not.toBe(listed(by, "after:a"))
  })

  it("goes on behind the item that its cursor names, wherever that stands by now", () => {
    const { nextCursor } = listed(ready("2025-11-25", five))
    for (const [names, rest] of [
      [
        ["new", "a", "b", "c", "d"],
        ["c", "d"]
      ],
      [["b", "c"], ["c"]],
      [["a", "b"], []]
    ] as const) {
      const now = define({ tools: {} }, { tools: names.map((name) => tool(name)), pageSize: 2 })
      const page = listed(ready("2025-11-25", now), nextCursor)
      expect([page.tools.map(({ name }) => name), "nextCursor" in page]).toEqual([rest, false])
    }
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
    for (const cursor of ["", "nope", "after:f", "constructor"])
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
      execution: { taskSupport: "optional" }
    })
    const [listedTool] = listed(ready(revision, define({ tools: {} }, { tools: [whole] }))).tools
    expect(Object.keys(listedTool!)).toEqual(members)
  })

  it("leaves out an output schema that is not an object's", () => {
    const odd = define({ tools: {} }, { tools: [tool("odd", { outputSchema: { type: "array" } })] })
    expect(listed(ready("2025-11-25", odd)).tools).toEqual([{ name: "odd", inputSchema: { type: "object" } }])
  })
})

describe("resources and templates that share a name", () => {
  it.each([
    ["resources/list", "resources", "uri"],
    ["resources/templates/list", "templates", "uriTemplate"]
  ] as const)("are told apart by %s", (method, member, key) => {
    const items = ["file:///a", "file:///b", "file:///c"].map((uri) => ({ name: "same", [key]: uri }))
    const by = ready("2025-11-25", define({ resources: {} }, { [member]: items, pageSize: 1 }))
    const found: Array<unknown> = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const params = cursor === undefined ? {} : { cursor }
      const [{ result }] = by.said(ask(1, method, params)) as [
        { result: { nextCursor?: string; [member: string]: unknown } }
      ]
      found.push(...(Object.values(result)[0] as ReadonlyArray<unknown>))
      cursor = result.nextCursor
    }
    expect(found).toEqual(items)
  })
})
