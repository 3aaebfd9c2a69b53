/** What is for web standards reaches nothing of Node, at any depth. */
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))

/** The modules of Node that a program reaches, and whether it names a global that only Node has. */
async function reached(entry: string): Promise<{ modules: ReadonlyArray<string>; globals: ReadonlyArray<string> }> {
  const bundle = await rolldown({
    input: source(entry),
    platform: "neutral",
    // It looks for what it can use before it uses it.
    external: /^(node:|effect\/)/,
    tsconfig: false,
    logLevel: "silent",
    resolve: { conditionNames: ["@parley/source", "import"], mainFields: ["module", "main"] }
  })
  const { output } = await bundle.generate({ format: "esm" })
  await bundle.close()
  const chunks = output.filter((one) => one.type === "chunk")
  const modules = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  const code = chunks.map(({ code }) => code).join("\n")
  return {
    modules: modules.filter((name) => name.startsWith("node:")),
    globals: [...new Set(code.match(/\b(?:Buffer|setImmediate|__dirname)\b(?=[.(])/g) ?? [])]
  }
}

it.each(["server/index.ts", "client/index.ts", "index.ts"])("%s runs where there is no Node", async (entry) => {
  expect(await reached(entry)).toEqual({ modules: [], globals: [] })
})

it("node/index.ts does not: the test can tell", async () => {
  const { modules, globals } = await reached("node/index.ts")
  expect(modules).toEqual(expect.arrayContaining(["node:http", "node:buffer"]))
  expect(globals).toContain("Buffer")
})
