/** Sessions that two processes serve for real, over stores that a third one keeps. */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { rolldown } from "rolldown"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import type { Json } from "./fake-exchange.js"
import { offer } from "./remote-stores.js"
import { initialize } from "./serving.js"
import type { SharedStores } from "./shared-stores.js"
import { sharedStores } from "./shared-stores.js"

const folder = mkdtempSync(join(tmpdir(), "parley-"))
let stores: SharedStores
let offered: Awaited<ReturnType<typeof offer>>
let children: ReadonlyArray<ChildProcess>
let urls: ReadonlyArray<string>

beforeAll(async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "fixtures/process.ts"),
    platform: "node",
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  await bundle.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(async () => {
  stores = sharedStores()
  offered = await offer(stores)
  const child = () =>
    spawn(process.execPath, [join(folder, "process.mjs"), String(offered.port)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
  children = [child(), child()]
  const lines = children.map(({ stdout }) => once(createInterface({ input: stdout! }), "line"))
  urls = (await Promise.all(lines)).map(([line]) => String(line))
})

afterEach(async () => {
  await Promise.all(children.map((child) => end(child)))
  await offered.close()
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGKILL")
  await gone
}

const request = (at: number, method: string, headers: Record<string, string>, body?: unknown): Promise<Response> =>
  fetch(urls[at % 2]!, {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

async function opened(at: number) {
  const reply = await request(at, "POST", {}, initialize("2025-11-25", { elicitation: {} }))
  const headers = { "mcp-session-id": reply.headers.get("mcp-session-id")! }
  const ready = await request(at + 1, "POST", headers, { jsonrpc: "2.0", method: "notifications/initialized" })
  expect(ready.status).toBe(202)
  return headers
}

/** The messages of a stream as they come, with the ids of its events. */
async function* messages(response: Response) {
  let text = ""
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n")) {
      const block = text.slice(0, at)
      text = text.slice(at + 2)
      const data = /^data: (.+)$/m.exec(block)?.[1]
      const id = /^id: (.+)$/m.exec(block)?.[1]
      if (data !== undefined) yield { id, message: JSON.parse(data) }
    }
  }
}

/** A busy machine may take its time, and the reply is then an event. */
async function replyOf(response: Response): Promise<Json> {
  if (response.headers.get("content-type") === "application/json") return response.json()
  for await (const { message } of messages(response)) return message
}

const calls = (id: number, name: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {} }
})
const accepts = (id: unknown, guests: number) => ({
  jsonrpc: "2.0",
  id,
  result: { action: "accept", content: { guests } }
})

test("requests go to either process in turn", async () => {
  const headers = await opened(0)
  const pids = new Set<string>()
  for (let at = 0; at < 6; at++) {
    const reply = await replyOf(await request(at, "POST", headers, calls(at, "pid")))
    pids.add(reply.result.content[0].text)
  }
  expect(pids).toEqual(new Set(children.map(({ pid }) => String(pid))))
})

test("a question is asked by one and answered to the other: the call completes once, and its effects happen once", async () => {
  const headers = await opened(1)
  const replies = await Promise.all(
    [0, 1, 2, 3].map(async (at) => {
      const all: Array<Json> = []
      for await (const { message } of messages(await request(at, "POST", headers, calls(at, "book")))) {
        all.push(message)
        if (message.method !== "elicitation/create") continue
        const answer = await request(at + 1, "POST", headers, accepts(message.id, at))
        expect(answer.status).toBe(202)
      }
      return all
    })
  )
  for (const [at, all] of replies.entries()) {
    expect(all).toHaveLength(2)
    expect(all[1].id).toBe(at)
    expect(all[1].result.content[0].text).toContain(`booked for ${at},`)
  }
  expect(offered.notes.filter((note) => note === "held")).toHaveLength(4)
  expect(offered.notes.filter((note) => note === "booked")).toHaveLength(4)
})

test("a process is killed while a question is open: the other one completes the call", async () => {
  const headers = await opened(0)
  const asked = messages(await request(0, "POST", headers, calls(1, "book")))
  const { value } = await asked.next()
  await end(children[0]!)
  await expect(asked.next()).rejects.toThrow()
  const back = messages(await request(1, "GET", { ...headers, "last-event-id": value!.id! }))
  expect((await request(1, "POST", headers, accepts(value!.message.id, 2))).status).toBe(202)
  const reply = await back.next()
  expect(reply.value?.message).toMatchObject({
    id: 1,
    result: { content: [{ text: expect.stringContaining("booked for 2") }] }
  })
  expect((await back.next()).done).toBe(true)
  expect(offered.notes).toEqual(["held", "booked"])
})

test("a request is withdrawn by way of the process that does not serve it", async () => {
  const headers = await opened(0)
  const running = request(0, "POST", headers, calls(1, "wait"))
  await vi.waitFor(() => expect(offered.notes).toEqual(["waits"]), { timeout: 10_000 })
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
  expect((await request(1, "POST", headers, cancelled)).status).toBe(202)
  await vi.waitFor(() => expect(offered.notes).toEqual(["waits", "withdrawn"]), { timeout: 10_000 })
  const told: Array<unknown> = []
  for await (const { message } of messages(await running)) told.push(message)
  expect(told).toEqual([])
})

test("a session that is ended by way of one is no more in the other", async () => {
  const headers = await opened(0)
  const stream = await request(0, "GET", headers)
  expect((await request(1, "DELETE", headers)).status).toBe(204)
  await stream.text()
  expect((await request(0, "POST", headers, calls(1, "pid"))).status).toBe(404)
  expect(stores.kept.size).toBe(0)
})
