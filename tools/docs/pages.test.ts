/** The generated pages leave nothing out, and their links lead somewhere. */
import { revisions } from "@parley/core/revisions"
import { expect, test } from "vitest"
import { anchor, listed, table } from "./markdown.ts"
import { linesOf, span } from "./methods.ts"
import { addedAt, frameRows, removedAt } from "./narrowing.ts"
import { pages } from "./pages.ts"

const written = pages()
const oldestFirst = [...revisions].reverse()
const places = oldestFirst.slice(1)

test("every method of every revision has its line in the matrix, with an arrow for who sends it", () => {
  const rows = written.get("docs/methods.md")!.split("\n")
  const wrong: Array<string> = []
  for (const [column, { client, server, questions }] of oldestFirst.entries())
    for (const method of new Set([client, server, questions].flatMap((rows) => Object.keys(rows)))) {
      const cells = rows.find((row) => /^\| \*?\[/.test(row) && row.includes(`[\`${method}\`]`))?.split(" | ")
      const [sent, answered] = [Object.hasOwn(client, method), Object.hasOwn(server, method)]
      const arrow = sent ? (answered ? "⇄" : "→") : answered ? "←" : "↩"
      if (cells?.[column + 1]?.replace(" |", "") !== arrow) wrong.push(`${method} ${arrow} ${String(cells)}`)
    }
  expect(wrong).toEqual([])
})

test("links within the pages lead to headings, files and lines that are there", () => {
  for (const [path, page] of written)
    for (const [, target] of page.matchAll(/\]\(([^)]+)\)/g)) {
      const [file, heading] = target!.split("#")
      const named = file === "" ? path : file!.startsWith("../") ? file!.slice(3) : `docs/${file}`
      if (named === "README.md") continue
      expect([...written.keys()]).toContain(named)
      if (heading === undefined) continue
      const headings = [...written.get(named)!.matchAll(/^#+ (.*)$/gm)].map(([, words]) => anchor(words!))
      expect(headings).toContain(`#${heading}`)
    }
})

test("a method that both sides send alike is one line, and two where it needs other capabilities", () => {
  const from = (method: string) =>
    linesOf(oldestFirst)
      .filter((line) => line.method === method)
      .map((line) => line.from)
  expect(from("ping")).toEqual(["both"])
  expect(from("tasks/get")).toEqual(["client", "server"])
})

test("what only some revisions say of a method is told with their names", () => {
  const { notes } = linesOf(oldestFirst).find(({ method }) => method === "completion/complete")!
  expect(notes).toBe("its capability is not on the wire yet (in 2024-11-05)")
})

test("a span of revisions is named by its open end, or by its members", () => {
  expect(span(["c", "d"], ["a", "b", "c", "d"])).toBe("since c")
  expect(span(["a", "b"], ["a", "b", "c", "d"])).toBe("until b")
  expect(span(["a"], ["a", "b", "c", "d"])).toBe("in a")
  expect(span(["a", "c"], ["a", "b", "c", "d"])).toBe("in a and c")
})

test("a part that several shapes have is listed once, under all its paths", () => {
  const text = { of: { mark: [2, 0, 4] } } as const
  const content = { tag: "type", of: { text: [0, text], image: [0, text], sound: 1 } } as const
  const frames = { Call: { of: { content: [0, content] } }, Prompt: { of: { said: [0, content] } } } as const
  expect(frameRows(frames, places, addedAt)).toEqual([
    ["`Call` › `content`<br>`Prompt` › `said`", "`sound`", "", "", ""],
    ["`Call` › `content` › `text`, `image`", "", "`mark`", "", ""]
  ])
  expect(frameRows(frames, places, removedAt)).toEqual([["`Call` › `content` › `text`, `image`", "", "", "", "`mark`"]])
})

test("a column that no row fills is left out", () => {
  expect(table(["a", "b"], [["1", ""]])).toBe("| a |\n| --- |\n| 1 |")
})

test("the last of several is joined by and", () => {
  expect([listed([]), listed(["a"]), listed(["a", "b", "c"])]).toEqual(["", "a", "a, b and c"])
})

test("what is deprecated is marked, and told with what to do instead", () => {
  const marked = linesOf(oldestFirst).filter(({ notes }) => notes.includes("deprecated (since 2026-07-28)"))
  expect(marked.map(({ method }) => method)).toEqual(["notifications/message", "sampling/createMessage", "roots/list"])
  expect(written.get("docs/methods.md")).toMatch(/^\| roots +\| 2026-07-28 +\|/m)
})
