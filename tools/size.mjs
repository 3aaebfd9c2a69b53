/** What the published code weighs, minified and compressed, against its budget; and how long the core's source is. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { fromSources, inMemory, root } from "./workspace.mjs"

const server = (schema, imports = "") => `${imports}
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
const add = tool("add", { description: "Add two numbers", input: ${schema} }, ({ a, b }) => String(a + b))
serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
`
const jsonSchema = `{ type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] }`
const effectSchema = `Schema.Struct({ a: Schema.Finite, b: Schema.Finite })`

/**
 * A budget is in bytes; a program is run once, and only the files it loaded are counted. Where a budget is not kept, docs/performance.md says
 * why, and `limit` is what must not be passed.
 */
const entries = [
  {
    what: "@parley/core/server, all revisions",
    budget: 18_000,
    limit: 22_400,
    code: `export * from "@parley/core/server"\nexport * from "@parley/core/revisions"`
  },
  { what: "@parley/core/client", budget: 14_000, limit: 14_800, code: `export * from "@parley/core/client"` },
  {
    what: "one-tool stdio server, JSON Schema",
    budget: 32_000,
    limit: 37_700,
    program: true,
    code: server(jsonSchema)
  },
  {
    what: "one-tool stdio server, effect Schema",
    budget: 58_000,
    limit: 70_400,
    program: true,
    code: server(effectSchema, `import * as Schema from "effect/Schema"`)
  }
]
const lines = { budget: 5_000, limit: 8_700, file: 300 }

const tooBig = "  TOO BIG"

const conversation = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "size", version: "1" }
    }
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
  {
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "add", arguments: { a: 1, b: 2 } }
  }
]

/** With `--explain`, which modules an entry is made of, before minifying, the largest first. */
const explain = process.argv.includes("--explain")

let over = false
console.log(row("what", "min", "min+gz", "budget"))
for (const entry of entries) {
  try {
    const { min, gz, parts } = await weigh(entry)
    const verdict = judged(gz, entry, kB)
    over ||= verdict === tooBig
    console.log(row(entry.what, kB(min), kB(gz), kB(entry.budget)) + verdict)
    if (explain) for (const [name, bytes] of parts) console.log(row(`  ${name}`, kB(bytes)))
  } catch (error) {
    over = true
    console.log(
      row(entry.what, "-", "-", kB(entry.budget)) + `  FAILED: ${String(error).split("\n").slice(0, 3).join(" ")}`
    )
  }
}
countLines()
process.exitCode = over ? 1 : 0

async function weigh({ code, program = false }) {
  const folder = mkdtempSync(join(tmpdir(), "parley-size-"))
  try {
    const input = join(root, "entry.mjs")
    const build = await rolldown({
      input,
      platform: program ? "node" : "neutral",
      plugins: [inMemory(input, code), fromSources],
      tsconfig: join(root, "tsconfig.base.json"),
      onLog: (level, log) => {
        if (level === "warn" && log.code === "UNRESOLVED_IMPORT") throw new Error(log.message)
      }
    })
    const { output } = await build.write({
      dir: folder,
      format: "esm",
      minify: true,
      entryFileNames: "entry.mjs",
      chunkFileNames: "[name]-[hash].mjs"
    })
    await build.close()
    const loaded = program ? await filesLoaded(folder) : output.map((chunk) => join(folder, chunk.fileName))
    const bytes = loaded.map((file) => readFileSync(file))
    const parts = output
      .filter((chunk) => chunk.type === "chunk" && loaded.includes(join(folder, chunk.fileName)))
      .flatMap((chunk) => Object.entries(chunk.modules))
      .map(([id, module]) => [relative(root, id).replace(/^node_modules\/.*node_modules\//, ""), module.renderedLength])
      .filter(([, bytes]) => bytes > 0)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 40)
    return {
      parts,
      min: bytes.reduce((sum, each) => sum + each.length, 0),
      gz: bytes.reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Holds a conversation with the bundled server and asks V8 which of its files were loaded. */
async function filesLoaded(folder) {
  const coverage = join(folder, "coverage")
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const replies = await new Promise((resolve, reject) => {
    let out = ""
    const child = spawn(process.execPath, [join(folder, "entry.mjs")], {
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 10_000
    })
    child.stdin.on("error", () => {})
    child.on("error", reject)
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text
    })
    child.on("close", () => resolve(out))
    child.stdin.end(conversation.map((message) => `${JSON.stringify(message)}\n`).join(""))
  })
  if (!/"text":\s*"3"/.test(replies)) throw new Error(`the bundled server did not add: ${replies.slice(0, 400)}`)
  const urls = readdirSync(coverage).flatMap((name) =>
    JSON.parse(readFileSync(join(coverage, name), "utf8")).result.map((script) => script.url)
  )
  return [...new Set(urls)]
    .filter((url) => url.startsWith("file://"))
    .map((url) => fileURLToPath(url))
    .filter((file) => file.startsWith(folder))
}

function countLines() {
  const source = join(root, "packages/core/src")
  const files = readdirSync(source, { recursive: true })
    .map((name) => join(source, name))
    .filter((file) => file.endsWith(".ts") && statSync(file).isFile())
    .map((file) => ({ file: relative(root, file), text: readFileSync(file, "utf8") }))
    .filter(({ text }) => !/^\/\*\*[^\n]*`pnpm generate`/.test(text))
    .map(({ file, text }) => ({ file, count: text.split("\n").length - 1 }))
  const total = files.reduce((sum, each) => sum + each.count, 0)
  const long = files.filter(({ count }) => count > lines.file)
  const verdict = judged(total, lines, String)
  console.log(
    `core source: ${total} lines in ${files.length} files, at most ${lines.budget}, no file over ${lines.file}${verdict}`
  )
  for (const { file, count } of long) console.log(`${file} has ${count} lines  TOO LONG`)
  over ||= verdict === tooBig || long.length > 0
}

function judged(measured, { budget, limit = budget }, shown) {
  if (measured > limit) return tooBig
  return measured > budget ? `  over its budget; the limit is ${shown(limit)}` : ""
}

function row(what, ...cells) {
  return what.padEnd(40) + cells.map((cell) => cell.padStart(10)).join("")
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}
