/** Servers without measure: what is nested too deep, does not end, or never leaves off asking. */
import { expect, it } from "vitest"
import { widthOf } from "../src/layout.js"
import { fixture, parley, script } from "./stage.js"

/** `reply` writes the rest of a response; `say` a whole message. */
const server = (answers: string, version = "2025-11-25"): ReadonlyArray<string> =>
  script(`
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const say = (text) => process.stdout.write(text + "\\n")
  const reply = (result) => say('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + "}")
  const deep = '{"a":'.repeat(4500) + "1" + "}".repeat(4500)
  if (method === "initialize")
    reply('{"protocolVersion":"${version}","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}')
  else { ${answers} }
})`)

const tool = `'{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}'`

it("refuses an answer that is nested too deep, with a document all the same", async () => {
  const answers = `reply(method === "tools/list" ? ${tool} : '{"content":[],"structuredContent":' + deep + "}")`
  const { code, stdout } = await parley(["call", "t", "--json", ...server(answers)])
  expect(code).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({
    error: { kind: "refused", message: "The answer is nested deeper than 500 levels, and is not shown" }
  })
})

it.each([
  ["a schema", `reply('{"tools":[{"name":"t","inputSchema":{"type":"object","default":' + deep + "}}]}")`, 0],
  ["a malformed tool", `reply('{"tools":[{"name":5,"x":' + deep + "}]}")`, 0],
  ["a batch of batches", `say("[".repeat(4500) + "]".repeat(4500)); reply(${tool})`, 0]
])("shows a server with %s that is nested too deep", async (_, answers, code) => {
  const shown = await parley(["inspect", "--json", ...server(answers)])
  expect(shown.code).toBe(code)
  expect(JSON.parse(shown.stdout)).toMatchObject({ server: { name: "s" } })
  expect((await parley(["inspect", ...server(answers)])).stdout).toContain("Remarks")
})

const endless = `globalThis.n ??= 0
  const tools = Array.from({ length: 4000 }, () => ({ name: "t" + globalThis.n++, inputSchema: { type: "object" } }))
  reply(JSON.stringify({ tools, nextCursor: "c" + globalThis.n }))`

it("shows what it has of a list that does not end", async () => {
  const { code, stdout } = await parley(["inspect", "--json", ...server(endless)])
  const { tools, remarks } = JSON.parse(stdout) as { tools: { items: Array<unknown>; cut: string }; remarks: object }
  expect([code, tools.items.length, tools.cut]).toEqual([4, 10_000, "more than 10000 items"])
  expect(remarks).toContainEqual({
    weight: "wrong",
    text: "The tools are not shown to their end: more than 10000 items."
  })
})

it("ends a server that asks and asks, and counts what it declined", async () => {
  const question = `'{"jsonrpc":"2.0","id":"q' + at + '","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}'`
  const answers = `if (method === "tools/list") reply(${tool}); else for (let at = 0; at < 300; at++) say(${question})`
  const { code, stderr } = await parley(["call", "t", ...server(answers)])
  expect(code).toBe(4)
  expect(stderr.match(/It was declined/g)).toHaveLength(1)
  expect(stderr).toMatch(/! It asked \d+ more times, with the same answer\./)
  expect(stderr).toContain("The server asked more than 100 questions")
})

it("ends an answer that only ever comes nearer", async () => {
  const progress = `say(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress: ++n } }))`
  const answers = `if (method === "tools/list") return reply(${tool}); let n = 0; setInterval(() => { ${progress} }, 20)`
  const { code, stderr } = await parley(["call", "t", "--timeout", "200", ...server(answers)])
  expect(code).toBe(5)
  expect(stderr).toContain("tools/call was not answered within 2000 ms, for all the progress it told of")
})

it("calls a server that leaves during a call one that left", async () => {
  const answers = `if (method === "tools/list") reply(${tool}); else process.exit(4)`
  const { code, stdout } = await parley(["call", "t", "--json", ...server(answers)])
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ error: { kind: "left", exitCode: 3 } })
})

it.each([40, 50, 60])("keeps every line within %i columns", async (columns) => {
  const env = { COLUMNS: String(columns) }
  for (const name of ["hostile", "sdk-1"]) {
    const { stdout } = await parley(["inspect", ...fixture(name)], { env })
    for (const text of stdout.split("\n")) expect(widthOf(text), text).toBeLessThanOrEqual(columns)
  }
})

it("says that a question lapsed", async () => {
  const question = `'{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}'`
  const cancel = `'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q","reason":"too late"}}'`
  const answers = `if (method === "tools/list") reply(${tool})
    else { say(${question}); setTimeout(() => { say(${cancel}); reply('{"content":[]}') }, 300) }`
  const { code, stderr } = await parley(["call", "t", ...server(answers)], { types: [] })
  expect(code).toBe(0)
  expect(stderr).toContain("! The server asked you to fill in a form (m). It lapsed: too late.")
})
