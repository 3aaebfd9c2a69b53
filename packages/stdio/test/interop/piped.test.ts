/** Our server as a plain program: lines in, lines out, and a code when it leaves. */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"

let server: Bundled
beforeAll(async () => void (server = await bundled("../interop/server.ts")))
afterAll(() => server.remove())

const opening = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "pipe", version: "1" } }
  },
  { jsonrpc: "2.0", method: "notifications/initialized" }
]
const call = (id: number, name: string, args: object = {}, _meta: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta }
})
const lines = (messages: ReadonlyArray<object>): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("")

describe("a server whose input ends", () => {
  it("answers everything it was sent, and leaves with 0", async () => {
    const many = Array.from({ length: 500 }, (_, i) => call(i + 2, "echo", { text: `t${i}` }))
    const child = start()
    child.stdin!.end(lines([...opening, ...many]))
    const { heard, left } = await outcome(child)
    expect(left).toEqual([0, null])
    expect(heard.map(({ id }) => id)).toEqual(Array.from({ length: 501 }, (_, i) => i + 1))
    expect(heard[500]).toMatchObject({ result: { content: [{ text: "t499" }] } })
  })

  it("answers with an error what is not done in time, and leaves with 0", async () => {
    const child = start({ DRAIN_MS: "1" })
    child.stdin!.end(lines([...opening, call(2, "wait"), call(3, "echo", { text: "x" })]))
    const { heard, left } = await outcome(child)
    expect(left).toEqual([0, null])
    expect(heard.map(({ id }) => id)).toEqual([1, 3, 2])
    expect(heard[2]).toMatchObject({ error: { code: -32603, message: "The server is stopping" } })
  })

  it("answers what is no JSON and what is no message before it leaves", async () => {
    const child = start()
    child.stdin!.end(`not json\n[]\n{}\n${lines(opening)}`)
    const { heard, left } = await outcome(child)
    expect(left).toEqual([0, null])
    expect(heard).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 1, result: { protocolVersion: "2025-11-25" } }
    ])
  })
})

describe("a server that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("by %s answers what it accepted, and leaves with 0", async (signal) => {
    const child = start({ DRAIN_MS: "1" })
    child.stdin!.write(lines([...opening, call(2, "wait", {}, { progressToken: "t" })]))
    const { heard, left } = await outcome(child, (message) => {
      if (message.method === "notifications/progress") child.kill(signal)
    })
    expect(left).toEqual([0, null])
    expect(heard.at(-1)).toMatchObject({ id: 2, error: { message: "The server is stopping" } })
  })
})

const start = (env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [server.path], { env, stdio: ["pipe", "pipe", "ignore"] })

interface Line {
  readonly id?: unknown
  readonly method?: string
}

async function outcome(child: ChildProcess, told: (message: Line) => void = () => {}) {
  const heard: Array<Line> = []
  const left = new Promise((resolve) => child.once("close", (code, signal) => resolve([code, signal])))
  for await (const line of createInterface({ input: child.stdout! })) {
    const message = JSON.parse(line) as Line
    heard.push(message)
    told(message)
  }
  return { heard, left: await left }
}
