/** What a server lists is judged item by item: in every revision, and in every list there is. */
import { describe, expect, it } from "vitest"
import { revisions } from "../../src/revisions/index.js"

/** One of each that every revision takes, and the members that it can not do without. */
const lists: Readonly<
  Record<string, readonly [item: Readonly<Record<string, unknown>>, needed: ReadonlyArray<string>]>
> = {
  "tools/list": [{ name: "a", inputSchema: { type: "object" } }, ["name", "inputSchema"]],
  "prompts/list": [{ name: "a" }, ["name"]],
  "resources/list": [{ name: "a", uri: "a:1" }, ["name", "uri"]],
  "resources/templates/list": [{ name: "a", uriTemplate: "a:{b}" }, ["name", "uriTemplate"]],
  "tasks/list": [
    { taskId: "t", status: "working", createdAt: "c", lastUpdatedAt: "l", ttl: null },
    ["taskId", "status", "createdAt", "lastUpdatedAt"]
  ]
}

/** Only 2025-11-25 lists tasks. */
const listed = (name: string) => Object.keys(lists).filter((list) => list !== "tasks/list" || name === "2025-11-25")

describe.each(revisions.map((revision) => [revision.name, revision.items] as const))("%s", (name, items) => {
  it("has a check for each list", () => expect(Object.keys(items).toSorted()).toEqual(listed(name).toSorted()))

  it.each(listed(name))("takes an item of %s, and none without what it needs", (method) => {
    const [item, needed] = lists[method]!
    const check = items[method]!
    expect(check(item)).toBeUndefined()
    for (const name of needed) expect(check({ ...item, [name]: undefined }), name).toBeDefined()
    for (const other of [null, "text", 1, []]) expect(check(other)).toBeDefined()
  })
})
