/** Who does not import the Effect surface gets nothing of it. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, it } from "vitest"

const source = join(import.meta.dirname, "../../src")

/** What a module imports, types among it, and all that this imports in turn. */
function reached(entry: string): { readonly files: ReadonlyArray<string>; readonly packages: ReadonlyArray<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(/(?:\bfrom |^import |\bimport\()"([^"]+)"/gm)) {
      if (specifier!.startsWith(".")) visit(join(dirname(file), specifier!.replace(/\.js$/, ".ts")))
      else packages.add(specifier!)
    }
  }
  visit(join(source, entry))
  return { files: [...files].map((file) => relative(source, file)), packages: [...packages] }
}

describe("the main entry", () => {
  const { files, packages } = reached("index.ts")

  it("reaches no module of the Effect surface", () => {
    expect(files).toContain("connect.ts")
    expect(files.filter((file) => file.startsWith("effect/"))).toEqual([])
  })

  it("names nothing of effect", () => {
    expect(packages.filter((name) => name.startsWith("effect"))).toEqual([])
  })

  it("is all that the surface takes at run time from without its folder", () => {
    const folder = join(source, "effect")
    const taken = readdirSync(folder).flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), "utf8").matchAll(/^(?:import|export) (?!type)[^"]*"(\.\.[^"]+)"/gm),
        ([, specifier]) => specifier
      )
    )
    expect(new Set(taken)).toEqual(new Set(["../index.js"]))
  })
})
