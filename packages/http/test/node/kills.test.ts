/** The whole server on real sockets, and clients that are killed, stop reading, or never get to a request. */
import { createServer } from "node:http"
import { defineServer, live, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import { requests } from "../../src/node/requests.js"
import type { Endpoint } from "../../src/server/endpoint.js"
import { endpoint } from "../../src/server/endpoint.js"
import type { HttpOptions } from "../../src/server/options.js"
import type { Raw, Stage } from "./sockets.js"
import { stage, still } from "./sockets.js"

let staged: Stage
let served: Endpoint
afterEach(async () => {
  await staged.stop()
  await served.close()
  const { answers, sessions } = served.count()
  if (answers + sessions > 0) throw new Error(`${answers} answers and ${sessions} sessions are left`)
})

let entered: () => void = () => {}
let ended: (why: string) => void = () => {}
let finish: () => void = () => {}
const enters = (): Promise<void> => new Promise((resolve) => (entered = resolve))
const ends = (): Promise<string> => new Promise((resolve) => (ended = resolve))

const piece = 64 * 1024
const times = 4096

const server = live(
  defineServer(
    { name: "killed", version: "1.0.0" },
    [
      tool("wait", { description: "Waits to be told" }, (_, call) => {
        call.progress(1)
        return new Promise<string>((resolve) => {
          finish = () => resolve("finished")
          call.signal.addEventListener("abort", () => ended("aborted"))
          entered()
        })
      }),
      tool("shout", { description: "Logs 256 MiB" }, async (_, call) => {
        entered()
        for (let time = 0; time < times && !call.signal.aborted; time++) {
          call.log("error", `${time} ${"a".repeat(piece)}`)
          await new Promise((resolve) => setImmediate(resolve))
        }
        ended(call.signal.aborted ? "aborted" : "said")
        return "said"
      })
    ],
    { declare: { logging: true, tools: { listChanged: true } } }
  )
)

async function open(options: HttpOptions = {}): Promise<void> {
  served = endpoint(server, options)
  const take = requests({ ...still, handle: served.handle })
  staged = await stage(take, createServer())
  await served.ready
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/logLevel": "debug"
}

function send(message: object, ...headers: ReadonlyArray<string>): string {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  const head = [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  return [...head, ...headers, "", body].join("\r\n")
}

function modern(method: string, params: { readonly name?: string }): string {
  const headers = ["MCP-Protocol-Version: 2026-07-28", `Mcp-Method: ${method}`]
  if (params.name !== undefined) headers.push(`Mcp-Name: ${params.name}`)
  return send({ id: 1, method, params: { ...params, _meta: { ...envelope, progressToken: 1 } } }, ...headers)
}

const cut: ReadonlyArray<readonly [string, (raw: Raw) => unknown]> = [
  ["killed", (raw) => raw.socket.destroy()],
  ["reset", (raw) => raw.socket.resetAndDestroy()],
  ["half open: it has ended its side", (raw) => raw.socket.end()]
]

describe("2026-07-28: a client that is", () => {
  it.each(cut)("%s cancels its call", async (_, leave) => {
    await open()
    const [inside, over] = [enters(), ends()]
    const raw = staged.raw()
    raw.write(modern("tools/call", { name: "wait" }))
    await inside
    expect(served.count().answers).toBe(1)
    leave(raw)
    expect(await over).toBe("aborted")
    expect(served.count().answers).toBe(0)
  })

  it.each(cut)("%s no longer listens", async (_, leave) => {
    await open()
    const raw = staged.raw()
    const notifications = { toolsListChanged: true }
    raw.write(modern("subscriptions/listen", { notifications } as object))
    await raw.until(/acknowledged/)
    expect(served.count().answers).toBe(1)
    leave(raw)
    await raw.closed
    while (served.count().answers > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it("not reading gets what fits, and the server's memory does not grow with what it is told", async () => {
    await open()
    const [inside, over] = [enters(), ends()]
    const raw = staged.raw()
    raw.socket.pause()
    const before = process.memoryUsage.rss()
    raw.write(modern("tools/call", { name: "shout" }))
    await inside
    expect(await over).toBe("said")
    // What was said is 256 MiB; without bounds all of it would still be here.
    expect(process.memoryUsage.rss() - before).toBeLessThan(160 * 1024 * 1024)
    raw.socket.resume()
    expect(await raw.until(/"result"/)).toMatch('"text":"said"')
  })
})

describe("a session: a client that is", () => {
  const clientInfo = { name: "raw", version: "1.0.0" }
  const initialize = {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
  }

  async function session(): Promise<(message: object) => string> {
    const raw = staged.raw()
    raw.write(send(initialize))
    const [, id] = /mcp-session-id: (\S+)/i.exec(await raw.until(/"serverInfo"/))!
    const headers = [`Mcp-Session-Id: ${id}`, "MCP-Protocol-Version: 2025-11-25"]
    raw.write(send({ method: "notifications/initialized" }, ...headers))
    await raw.until(/ 202 /)
    return (message) => send(message, ...headers)
  }

  it.each(cut)("%s has not cancelled its call, which goes on, and the session with it", async (_, leave) => {
    await open()
    const post = await session()
    const inside = enters()
    let aborted = false
    void ends().then(() => (aborted = true))
    const raw = staged.raw()
    raw.write(post({ id: 1, method: "tools/call", params: { name: "wait", _meta: { progressToken: 1 } } }))
    await inside
    leave(raw)
    await raw.closed
    const again = staged.raw()
    again.write(post({ id: 2, method: "ping" }))
    await again.until(/"id":2/)
    expect(aborted).toBe(false)
    finish()
    expect(served.count().sessions).toBe(1)
  })

  it("not reading does not make the server's memory grow either", async () => {
    await open()
    const post = await session()
    const [inside, over] = [enters(), ends()]
    const raw = staged.raw()
    raw.socket.pause()
    const before = process.memoryUsage.rss()
    raw.write(post({ id: 1, method: "tools/call", params: { name: "shout" } }))
    await inside
    expect(await over).toBe("said")
    expect(process.memoryUsage.rss() - before).toBeLessThan(160 * 1024 * 1024)
    raw.socket.resume()
    expect(await raw.until(/"result"/)).toMatch('"text":"said"')
  })
})

describe("what never gets to a request", () => {
  it("leaves nothing behind: bytes of no protocol, heads cut anywhere, bodies cut anywhere", async () => {
    await open()
    const whole = modern("tools/call", { name: "wait" })
    const cuts = Array.from({ length: Math.ceil(whole.length / 7) }, (_, n) => n * 7)
    await Promise.all(
      cuts.map(async (at) => {
        const raw = staged.raw()
        await new Promise<void>((resolve) => raw.socket.write(whole.slice(0, at) || "\0", () => resolve()))
        raw.socket.end()
        await raw.closed
      })
    )
    const garbage = staged.raw()
    garbage.write("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
    expect(await garbage.closed).toMatch(/^HTTP\/1.1 400 /)
    expect(served.count()).toEqual({ answers: 0, sessions: 0 })
  })

  it("a thousand refused requests leave no session, and the next one is served", async () => {
    await open()
    const raw = staged.raw()
    const refused = [
      send({ id: 1, method: "tools/list" }),
      send({ id: 1, method: "tools/list" }, "Mcp-Session-Id: none"),
      send({ id: 1, method: "initialize", params: {} }),
      send({ id: 1, method: "initialize" }).replace("application/json\r\nA", "text/plain\r\nA"),
      send({ id: 1, method: "initialize" }).replace("Host: localhost", "Host: evil.example")
    ]
    for (let time = 0; time < 200; time++) raw.write(refused.join(""))
    await raw.until((came) => came.split("HTTP/1.1 ").length === 1001)
    expect(served.count()).toEqual({ answers: 0, sessions: 0 })
    raw.write(modern("tools/list", {}))
    await raw.until(/"tools":\[/)
    expect(raw.text()).not.toMatch(/HTTP\/1.1 5/)
  })
})
