/** Links in the pages lead somewhere, and no page is forgotten in the index. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { anchor } from "./markdown.ts"

const root = join(import.meta.dirname, "../..")
const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))
const pages = ["README.md", "CONTRIBUTING.md", "examples/README.md", ...docs.map((name) => `docs/${name}`)]

const textOf = (path: string): string => readFileSync(join(root, path), "utf8")

/** What stands in fences and in code is not a link. */
const proseOf = (path: string): string =>
  textOf(path)
    .replace(/^(`{3,})[^]*?^\1/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""))

const headingsOf = (path: string): ReadonlyArray<string> =>
  [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, words]) => anchor(words!))

test("every link within the repository leads to a file, and to a heading of it where one is named", () => {
  const lost: Array<string> = []
  for (const page of pages)
    for (const [, target] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue
      const [file, heading] = target!.split("#")
      const path = file === "" ? page : relative(root, join(root, dirname(page), file!))
      if (!existsSync(join(root, path))) lost.push(`${page}: ${target!}`)
      else if (heading !== undefined && !headingsOf(path).includes(`#${heading}`)) lost.push(`${page}: ${target!}`)
    }
  expect(lost).toEqual([])
})

test("the index names every page of docs/", () => {
  const index = textOf("docs/README.md")
  expect(docs.filter((name) => name !== "README.md" && !index.includes(`](${name})`))).toEqual([])
})
