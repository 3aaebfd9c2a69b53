/** Listening for real: addresses, paths, limits on heads and idle connections, and the end. */
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { defineServer, tool } from "@parley/server"
import * as Schema from "effect/Schema"
import { afterEach, describe, expect, it } from "vitest"
import type { Listening, ListenOptions } from "../../src/node/index.js"
import { listen } from "../../src/node/index.js"
import type { Raw } from "./sockets.js"
import { raw } from "./sockets.js"

let entered: () => void = () => {}
let finish: () => void = () => {}
const items = [
  tool("hello", { description: "Greets" }, (_, { context }) => `Hello, ${String(context)}!`),
  tool("wait", { description: "Waits to be told" }, (_, { signal }) => {
    entered()
    return new Promise<string>((resolve, reject) => {
      finish = () => resolve("finished")
      signal.addEventListener("abort", () => reject(signal.reason as Error))
    })
  }),
  tool("much", { description: "Says a lot" }, () => "a".repeat(32 * 1024 * 1024))
]
const server = defineServer({ name: "listening", version: "1.0.0" }, items)

const open: Array<Listening> = []
const sockets: Array<Raw> = []
afterEach(async () => {
  finish()
  for (const { socket } of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map(({ close }) => close()))
})

async function listening(options: ListenOptions = {}): Promise<Listening> {
  const one = await listen(server, options)
  open.push(one)
  return one
}

function connected({ port }: Listening, host?: string): Raw {
  const one = raw(port, host)
  sockets.push(one)
  return one
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" }
}

/** A call at 2026-07-28, as bytes on the wire. */
function call(name: string, ...headers: ReadonlyArray<string>): string {
  const params = { name, arguments: {}, _meta: meta }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  return [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: tools/call",
    `Mcp-Name: ${name}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    "",
    body
  ].join("\r\n")
}

const enters = (): Promise<void> => new Promise((resolve) => (entered = resolve))

describe("listen", () => {
  it("says where it is, and is there on both loopback addresses", async () => {
    const one = await listening()
    expect(one.url).toBe(`http://localhost:${one.port}/mcp`)
    for (const host of ["127.0.0.1", "::1"]) {
      const there = connected(one, host)
      const failed = once(there.socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code)
      const ready = once(there.socket, "connect").then(() => "connected")
      // A machine may have only one of them.
      if (host === "::1" && (await Promise.race([failed, ready])) !== "connected") continue
      there.write(call("hello"))
      expect(await there.until(/Hello, undefined!/)).toMatch(/^HTTP\/1.1 200 OK/)
    }
  })

  it.each<readonly [ListenOptions, RegExp]>([
    [{ port: 65_536 }, /port up to 65535/],
    [{ port: -1 }, /whole number from 0 on for port/],
    [{ path: "mcp" }, /path that begins with "\/"/],
    [{ path: "/mcp?a" }, /without a query/],
    [{ host: 1 } as never, /a string for host/],
    [{ hots: "localhost" } as never, /unknown option hots/],
    [{ maxBodyBytes: 0 }, /whole number from 1 on for maxBodyBytes/]
  ])("refuses %j", async (options, why) => {
    await expect(listen(server, options)).rejects.toThrow(why)
  })

  it.each([
    ["0.0.0.0", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1"]
  ])("has a url that clients of this machine can use, bound to %s", async (host, name) => {
    const one = await listening({ host })
    expect(one.url).toBe(`http://${name}:${one.port}/mcp`)
    expect((await fetch(one.url, { method: "PUT" })).status).toBe(405)
  })

  it("says so when its port is taken", async () => {
    const { port } = await listening()
    await expect(listen(server, { port })).rejects.toMatchObject({ code: "EADDRINUSE" })
  })

  it("does not listen when a schema is refused", async () => {
    const union = Schema.Union([Schema.Struct({}), Schema.String]) as never
    const broken = defineServer({ name: "broken", version: "1.0.0" }, [tool("bad", { input: union }, () => "")])
    await expect(listen(broken)).rejects.toThrow(/The input schema of tool bad can not be used/)
  })

  it("is 404 at other paths, and at the path it is given it is not", async () => {
    const one = await listening({ path: "/elsewhere/here" })
    const client = connected(one)
    client.write(call("hello").replace("/mcp", "/elsewhere/here"))
    await client.until(/Hello/)
    client.write(call("hello"))
    expect(await client.until(/ 404 [^]*\}$/)).toMatch('{"error":"Nothing is served at this path"}')
  })

  it("hands what is made of a request to the handler", async () => {
    const client = connected(await listening({ context: (request) => request.headers["x-name"] }))
    client.write(call("hello", "X-Name: Ada"))
    await client.until(/Hello, Ada!/)
  })

  it("knows a server that is bound to an address by it, and by no other name", async () => {
    const client = connected(await listening({ host: "127.0.0.2" }), "127.0.0.2")
    client.write(call("hello").replace("Host: localhost", "Host: 127.0.0.2:80"))
    await client.until(/ 200 OK/)
    client.write(call("hello").replace("Host: localhost", "Host: evil.example"))
    await client.until(/ 403 /)
  })

  it("lets nobody in by two names at once", async () => {
    const client = connected(await listening())
    client.write(call("hello", "Host: evil.example"))
    expect(await client.until(/\}$/)).toMatch(/^HTTP\/1.1 403 /)
  })
})

describe("limits", () => {
  it("a head that is too large is 431", async () => {
    const client = connected(await listening({ maxHeaderBytes: 1024 }))
    client.write(call("hello", `X-Much: ${"a".repeat(1024)}`))
    expect(await client.closed).toMatch(/^HTTP\/1.1 431 /)
  })

  it("a head that comes too slowly is 408, and so is none", async () => {
    const one = await listening({ headersMs: 1, bodyMs: 1 })
    const [slow, silent] = [connected(one), connected(one)]
    slow.write("POST /mcp HTTP/1.1\r\nHost: local")
    expect(await slow.closed).toMatch(/^HTTP\/1.1 408 /)
    expect(await silent.closed).toMatch(/^HTTP\/1.1 408 |^$/)
  })

  it("a body that comes too slowly is 408, and a large one 413", async () => {
    const one = await listening({ bodyMs: 1, maxBodyBytes: 10 })
    const slow = connected(one)
    slow.write(
      call("hello")
        .replace(/\{[^]*$/, "{")
        .replace(/Content-Length: \d+/, "Content-Length: 5")
    )
    expect(await slow.closed).toMatch(/^HTTP\/1.1 408 /)
    const large = connected(one)
    large.write(call("hello"))
    await large.until(/^HTTP\/1.1 413 /)
  })

  it("a body is asked for only when it is wanted", async () => {
    const one = await listening({ maxBodyBytes: 1024 })
    const wanted = connected(one)
    const [head, body] = call("hello", "Expect: 100-continue").split("\r\n\r\n")
    wanted.write(`${head}\r\n\r\n`)
    await wanted.until(/100 Continue\r\n\r\n$/)
    wanted.write(body!)
    await wanted.until(/Hello/)
    const foreign = connected(one)
    foreign.write(`${head!.replace("Host: localhost", "Host: evil.example")}\r\n\r\n`)
    expect(await foreign.closed).toMatch(/^HTTP\/1.1 403 /)
  })

  it("a connection without a request is closed after a while", async () => {
    const client = connected(await listening({ idleMs: 1 }))
    client.write(call("hello"))
    expect(await client.closed).toMatch(/Hello/)
  })

  it("a client that takes nothing of a large answer is let go", async () => {
    const client = connected(await listening({ stallMs: 50 }))
    client.write(call("much"))
    client.socket.pause()
    const { close } = open.pop()!
    await close()
  })
})

describe("close", () => {
  it("answers what was accepted, takes nothing more, and leaves no connection", async () => {
    const one = await listening()
    const [busy, idle] = [connected(one), connected(one)]
    idle.write(call("hello"))
    await idle.until(/Hello/)
    const inside = enters()
    busy.write(call("wait"))
    await inside
    const closed = one.close()
    await idle.closed
    await expect(
      new Promise((resolve, reject) => httpRequest(one.url, resolve).on("error", reject).end())
    ).rejects.toMatchObject({ code: "ECONNREFUSED" })
    finish()
    expect(await busy.closed).toMatch(/"finished"/)
    await closed
    await one.close()
  })

  it("interrupts what takes longer than drainMs", async () => {
    const one = await listening({ drainMs: 1 })
    const busy = connected(one)
    const inside = enters()
    busy.write(call("wait"))
    await inside
    await one.close()
    expect(await busy.closed).toMatch(/The server is stopping/)
  })

  it("lets a connection go at once that was opened ahead, and gives others a while: half a request, or no reader", async () => {
    const one = await listening()
    const [half, ahead, deaf] = [connected(one), connected(one), connected(one)]
    half.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
    deaf.write(call("much"))
    await deaf.until(/ 200 OK/)
    deaf.socket.pause()
    for (const { socket } of [half, ahead]) if (socket.connecting) await once(socket, "connect")
    const order: Array<string> = []
    void ahead.closed.then(() => order.push("ahead"))
    void half.closed.then(() => order.push("half"))
    await one.close()
    await half.closed
    expect(order).toEqual(["ahead", "half"])
  })
})
