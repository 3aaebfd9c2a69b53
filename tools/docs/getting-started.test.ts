/** What the first page has its reader write and run does what the page says, to the letter; only times and dice differ. */
import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/getting-started.md"), "utf8")
const fences = (tag: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${tag}\\n([^]*?)^\`\`\``, "gm"))].map(([, text]) => text!)

const [server, client] = fences("ts no-run")
const [inspected, called, rolled] = fences("text")
const commands = fences("sh").flatMap((text) => text.trim().split("\n"))

// Inside the repository, so that the packages resolve as they do in its top folder.
const cache = join(root, "node_modules/.cache/docs")
let folder: string

beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, "started-"))
  const written = mkdtempSync(join(folder, "written-"))
  writeFileSync(join(written, "dice.mjs"), server!)
  writeFileSync(join(written, "roll.mjs"), client!)
  await bundle(join(written, "dice.mjs"), "dice.mjs")
  await bundle(join(written, "roll.mjs"), "roll.mjs")
  await bundle(join(root, "packages/cli/src/bin.ts"), "packages/cli/dist/bin.js")
  copyFileSync(join(root, "packages/cli/package.json"), join(folder, "packages/cli/package.json"))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** From the sources, so that no build is needed before. */
async function bundle(input: string, output: string): Promise<void> {
  const made = await rolldown({
    input,
    platform: "node",
    logLevel: "warn",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  await made.write({ file: join(folder, output), format: "esm", codeSplitting: false })
  await made.close()
}

/** What a command line prints, on both streams. */
const run = (line: string): Promise<string> => {
  const [program, ...args] = line.split(" ")
  expect(program).toBe("node")
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, timeout: 20_000 }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
}

/** Lines as they are, but for how long things took, what the die showed, and where the terminal broke a line. */
const plain = (text: string): string =>
  text
    .replace(/, after [\d.]+ m?s$/gm, "")
    .replace(/ *[\d.]+ m?s\b/g, " 0 ms")
    .replace(/("?rolled"?: ?)\d+/g, "$10")
    .trim()

test("the server is seen by inspect as the page shows it", async () => {
  const line = commands.find((command) => command.includes(" inspect "))!
  expect(plain(await run(line))).toBe(plain(inspected!))
})

test("its tool is called rightly, and refused wrong arguments, as the page shows it", async () => {
  const [right, wrong] = commands.filter((command) => command.includes(" call "))
  const [result, refusal] = called!.trim().split("\n")
  expect(plain(await run(right!))).toBe(plain(result!))
  expect((await run(wrong!)).replace(/\s+/g, " ")).toContain(refusal!)
})

test("the client lists and calls it as the page shows it", async () => {
  expect(plain(await run("node roll.mjs"))).toBe(plain(rolled!))
})
