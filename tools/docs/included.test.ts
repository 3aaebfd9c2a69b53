import { describe, expect, test } from "vitest"
import { included } from "./included.ts"

const files: Readonly<Record<string, string>> = {
  "a.mjs": "const a = `$& $1`\n",
  "b.json": "{}\n",
  "d.ts": "export {}\n",
  "c.md": "```js\ninner\n```\n"
}
const read = (path: string): string => {
  const text = files[path]
  if (text === undefined) throw new Error(`no ${path}`)
  return text
}
const shown = "<!-- file: a.mjs -->\n\n```js\nconst a = `$& $1`\n```\n"

describe("included", () => {
  test("adds the fence that is missing", () => {
    expect(included("before\n\n<!-- file: a.mjs -->\n\nafter\n", read)).toBe(`before\n\n${shown}\nafter\n`)
    expect(included("<!-- file: a.mjs -->\n", read)).toBe(shown)
  })

  test("replaces the fence that is stale, and nothing behind it", () => {
    const stale = "<!-- file: a.mjs -->\n```js\nold\n\n```\n\nafter\n\n```js\nother\n```\n"
    expect(included(stale, read)).toBe(`${shown}\nafter\n\n\`\`\`js\nother\n\`\`\`\n`)
    expect(included("<!-- file: a.mjs -->\n\n```js\n```\nafter\n", read)).toBe(`${shown}after\n`)
  })

  test("leaves alone what is right, also at the end of the file", () => {
    expect(included(shown, read)).toBe(shown)
    expect(included(shown.trimEnd(), read)).toBe(shown)
  })

  test("shows each of several files", () => {
    const both = included("<!-- file: a.mjs -->\n\n<!-- file: b.json -->\n", read)
    expect(both).toBe(`${shown}\n<!-- file: b.json -->\n\n\`\`\`json\n{}\n\`\`\`\n`)
    expect(included(both, read)).toBe(both)
  })

  test("fences a file that has fences itself with more ticks", () => {
    const once = included("<!-- file: c.md -->\n", read)
    expect(once).toBe("<!-- file: c.md -->\n\n````md\n```js\ninner\n```\n````\n")
    expect(included(once, read)).toBe(once)
  })

  test("tags no fence so that it would be run as an example", () => {
    expect(included("<!-- file: d.ts -->\n", read)).toContain("```tsx\n")
  })

  test("fails when a file is gone", () => {
    expect(() => included("<!-- file: gone.mjs -->\n", read)).toThrow("no gone.mjs")
  })
})
