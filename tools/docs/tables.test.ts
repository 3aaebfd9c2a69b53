/** Tables in pages written by hand are put in where they are wanted, and what stands around them is left alone. */
import { describe, expect, test } from "vitest"
import { tabled, tables } from "./tables.ts"

const tableOf = (name: string): string => {
  if (name !== "one two") throw new Error(`no ${name}`)
  return "| $& | b |\n| - | - |\n"
}
const shown = "<!-- table: one two -->\n\n| $& | b |\n| - | - |\n"

describe("tabled", () => {
  test("adds the table that is missing", () => {
    expect(tabled("before\n\n<!-- table: one two -->\n\nafter\n", tableOf)).toBe(`before\n\n${shown}\nafter\n`)
  })

  test("replaces the one that is stale, and nothing behind it", () => {
    expect(tabled("<!-- table: one two -->\n\n| old |\n| - |\n| x |\n\nafter | b\n", tableOf)).toBe(
      `${shown}\nafter | b\n`
    )
  })

  test("leaves alone what is right, also at the end of the file", () => {
    expect(tabled(shown, tableOf)).toBe(shown)
    expect(tabled(shown.trimEnd(), tableOf)).toBe(shown)
  })

  test("fails when there is no such table", () => {
    expect(() => tabled("<!-- table: gone -->\n", tableOf)).toThrow("no gone")
  })
})

test("a capability is told with what either side may send, and since when", () => {
  const rows = tables().get("server capabilities")!.split("\n")
  expect(rows).toContain("| `tools` | `tools/list`, `tools/call` |  |  |")
  expect(rows).toContain("| `tools.listChanged` |  | *`notifications/tools/list_changed`* |  |")
  expect(rows).toContain("| `tasks.requests.tools.call` | `tools/call` as a task |  | since 2025-11-25 |")
  expect(tables().get("client capabilities")!.split("\n")).toContain(
    "| `roots.listChanged` | *`notifications/roots/list_changed`* |  |  |"
  )
})
