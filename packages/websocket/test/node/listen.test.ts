/** Who gets a connection, how many there are, whether they live, and how they end. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "@parley/client"
import type { Clock } from "@parley/driver"
import { nodeHandler } from "@parley/http/node"
import { http } from "@parley/http"
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { webSocket } from "../../src/client/web-socket.js"
import { carrying } from "../../src/line/offers.js"
import type { Listening, ListenOptions } from "../../src/node/listen.js"
import { listen } from "../../src/node/listen.js"
import { upgrader } from "../../src/node/upgrader.js"
import type { Raw } from "../raw.js"
import { frame, open, opened, text } from "../raw.js"

const me = { clientInfo: { name: "demo", version: "1.0.0" } }
const who = tool("who", {}, (_, call) => JSON.stringify([call.principal, call.context]))
const server = defineServer({ name: "listening", version: "1.0.0" }, [who])

let listening: Listening | undefined
const cut: Array<Raw> = []
afterEach(async () => {
  for (const { socket } of cut.splice(0)) socket.destroy()
  await listening?.close()
  listening = undefined
})

async function begin(options: ListenOptions = {}): Promise<string> {
  listening = await listen(server, options)
  return listening.url
}

async function status(url: string, headers: Readonly<Record<string, string>> = {}, target?: string): Promise<string> {
  const raw = await open(url, headers, target)
  if (typeof raw === "string") return raw.slice(9, 12)
  cut.push(raw)
  const chosen = /sec-websocket-protocol: (.*)/i.exec((raw as Raw & { readonly head: string }).head)?.[1]
  return chosen === undefined ? "101" : `101 ${chosen}`
}

describe("a request to connect", () => {
  const authenticate: NonNullable<ListenOptions["authenticate"]> = ({ header }) => {
    const said = header("Authorization")
    return said === "Bearer ada"
      ? { principal: "ada" }
      : said === "Bearer bob"
        ? { forbidden: true }
        : { unauthorized: {} }
  }
  const protocols = (...all: ReadonlyArray<string>) => ({ "sec-websocket-protocol": all.join(", ") })
  it.each<readonly [string, Readonly<Record<string, string>>, ListenOptions, string]>([
    ["without a subprotocol", {}, {}, "101"],
    ["with ours", protocols("mcp"), {}, "101 mcp"],
    ["with ours among others", protocols("graphql-ws", "mcp"), {}, "101 mcp"],
    ["with others only", protocols("graphql-ws"), {}, "400"],
    ["by another name", { host: "evil.example.com" }, {}, "403"],
    ["by two names", { host: "localhost\r\nhost: evil.example.com" }, {}, "403"],
    ["by a name that is allowed", { host: "mcp.example.com" }, { allowedHosts: ["mcp.example.com"] }, "101"],
    ["from a page elsewhere", { origin: "https://evil.example.com" }, {}, "403"],
    ["from a page of this machine", { origin: "http://localhost:5173" }, {}, "101"],
    ["from a page that is allowed", { origin: "https://a.example" }, { allowedOrigins: ["https://a.example"] }, "101"],
    ["without a token", {}, { authenticate }, "401"],
    ["with a token", { authorization: "Bearer ada" }, { authenticate }, "101"],
    ["with a token that is not enough", { authorization: "Bearer bob" }, { authenticate }, "403"],
    ["with a token as a page sends it", protocols("mcp", carrying("ada")), { authenticate }, "101 mcp"],
    ["with a token and nothing else", protocols(carrying("ada")), { authenticate }, "400"],
    ["with two tokens", protocols("mcp", carrying("ada"), carrying("bob")), { authenticate }, "400"],
    [
      "with a token in both places",
      { authorization: "Bearer ada", ...protocols("mcp", carrying("ada")) },
      { authenticate },
      "400"
    ],
    ["with what is no token", protocols("mcp", "mcp.bearer.====="), { authenticate }, "400"],
    [
      "when authenticate fails",
      {},
      { authenticate: () => Promise.reject(new Error("down")), crashed: () => {} },
      "500"
    ],
    ["when context fails", {}, { context: () => JSON.parse("no"), crashed: () => {} }, "500"],
    ["of another version", { "sec-websocket-version": "12" }, {}, "426"],
    ["of one whose pages are in another header", { "sec-websocket-version": "8" }, {}, "426"],
    ["of two versions", { "sec-websocket-version": "13\r\nsec-websocket-version: 8" }, {}, "426"],
    ["without a key", { "sec-websocket-key": "" }, {}, "400"]
  ])("%s", async (_, headers, options, expected) => {
    expect(await status(await begin(options), headers)).toBe(expected)
  })

  it.each([
    ["http://localhost/mcp", "localhost", "101"],
    ["ws://LOCALHOST:80/mcp?a=b", "localhost", "101"],
    ["http://localhost/other", "localhost", "404"],
    ["http://evil.example/mcp", "localhost", "400"],
    ["http://localhost:81/mcp", "localhost", "400"],
    ["http://localhost/mcp", "evil.example", "400"],
    ["http://evil.example/mcp", "evil.example", "403"]
  ])("for %s, with the host %s", async (target, host, expected) => {
    expect(await status(await begin({}), { host }, target)).toBe(expected)
  })

  it("elsewhere finds nothing, and without an upgrade is told so", async () => {
    const url = await begin()
    expect(await status(url.replace("/mcp", "/other"))).toBe("404")
    const plain = await fetch(url.replace("ws:", "http:"))
    expect([plain.status, plain.headers.get("upgrade")]).toEqual([426, "websocket"])
    await plain.text()
    expect((await fetch(url.replace("ws:", "http:").replace("/mcp", "/"))).status).toBe(404)
  })

  it("is asked for in vain when there are too many, until one goes", async () => {
    const url = await begin({
      maxConnections: 2,
      maxConnectionsPerClient: 1,
      from: ({ headers }) => headers["x-real-ip"]
    })
    const first = await opened(url, { "x-real-ip": "1" })
    expect(await status(url, { "x-real-ip": "1" })).toBe("429")
    expect(await status(url, { "x-real-ip": "2" })).toBe("101")
    expect(await status(url, { "x-real-ip": "3" })).toBe("503")
    first.write(frame(8, Buffer.of(0x03, 0xe8)))
    await first.closed
    await expect.poll(() => listening!.count()).toBe(1)
    expect(await status(url, { "x-real-ip": "1" })).toBe("101")
  })

  it("tells handlers who it was, in both eras", async () => {
    const url = await begin({ authenticate, context: ({ url }) => url })
    for (const prefer of ["newest", "oldest"] as const) {
      const client = await connect(webSocket(`${url}?a=1`, { token: "ada" }), { ...me, prefer })
      expect((await client.callTool("who")).content).toEqual([{ type: "text", text: '["ada","/mcp?a=1"]' }])
      await client.close()
    }
  })

  it("that is refused is told to the client", async () => {
    const url = await begin({ authenticate })
    await expect(connect(webSocket(url), me)).rejects.toThrow(/HTTP 401 instead of opening a WebSocket: Unauthorized/)
    const refused = new WebSocket(url, "mcp")
    refused.on("error", () => {})
    expect(
      (
        await new Promise<{ headers: object }>((resolve) =>
          refused.on("unexpected-response", (_, response) => resolve(response))
        )
      ).headers
    ).toMatchObject({ "www-authenticate": "Bearer" })
    refused.terminate()
  })
})

describe("one port and path", () => {
  it("is shared with Streamable HTTP", async () => {
    const mcp = upgrader(server, { path: "/mcp" })
    const handler = nodeHandler(server)
    const both = createServer(handler).on("upgrade", mcp)
    await new Promise<void>((resolve) => both.listen(0, "127.0.0.1", resolve))
    const at = `127.0.0.1:${(both.address() as AddressInfo).port}/mcp`
    for (const channel of [http(`http://${at}`), webSocket(`ws://${at}`)]) {
      const client = await connect(channel, me)
      expect((await client.listTools()).map(({ name }) => name)).toEqual(["who"])
      await client.close()
    }
    await Promise.all([mcp.close(), handler.close()])
    both.closeAllConnections()
    await new Promise((resolve) => both.close(resolve))
  })
})

describe("a silent client", () => {
  /** A clock that goes when it is told to. */
  function byHand() {
    let now = 1
    let due: Array<{ readonly at: number; readonly callback: () => void }> = []
    const clock: Clock = {
      now: () => now,
      after: (ms, callback) => {
        const one = { at: now + ms, callback }
        due.push(one)
        return { cancel: () => void (due = due.filter((other) => other !== one)), hold: () => {} }
      }
    }
    const go = (ms: number): void => {
      now += ms
      for (const one of due.filter(({ at }) => at <= now)) {
        due = due.filter((other) => other !== one)
        one.callback()
      }
    }
    return { clock, go }
  }

  it("is cut when it answers no ping, and not when it does", async () => {
    const { clock, go } = byHand()
    const url = await begin({ clock, heartbeatMs: 10, silenceMs: 25 })
    const dead = await opened(url)
    const alive = new WebSocket(url, "mcp")
    await new Promise((resolve) => alive.once("open", resolve))
    const pinged = (): Promise<unknown> => new Promise((resolve) => alive.once("ping", resolve))
    /** By the time of the answer its own answer to a ping has come as well. */
    const roundTrip = (): Promise<unknown> => {
      alive.ping()
      return new Promise((resolve) => alive.once("pong", resolve))
    }
    go(10)
    for (let beat = 0; beat < 3; beat++) {
      const ping = pinged()
      go(10)
      await ping
      await roundTrip()
      go(10)
    }
    expect(await dead.closed).toBeUndefined()
    expect(listening!.count()).toBe(1)
    alive.terminate()
  })
})

describe("the end", () => {
  it("answers what was accepted, and closes with 1001", async () => {
    let finish!: (said: string) => void
    let began!: () => void
    const begun = new Promise<void>((resolve) => (began = resolve))
    const slow = tool("slow", {}, () => {
      began()
      return new Promise<string>((resolve) => (finish = resolve))
    })
    const own = await listen(defineServer({ name: "ending", version: "1.0.0" }, [slow]), { closeMs: 200 })
    const client = await connect(webSocket(own.url), me)
    const raw = await opened(own.url)
    const call = client.callTool("slow")
    await begun
    const closed = own.close()
    expect(await status(own.url).catch(() => "none")).not.toContain("101")
    finish("done")
    expect((await call).content).toEqual([{ type: "text", text: "done" }])
    raw.socket.on("data", () => {})
    expect(await raw.closed).toBe(1001)
    await closed
    expect((await client.closed)._tag).toBe("Gone")
  })

  it("does not wait for a client that never answers the close frame", async () => {
    const url = await begin({ closeMs: 50 })
    const raw = await opened(url)
    raw.write(text({ jsonrpc: "2.0", id: 1, method: "ping" }))
    await raw.next()
    await listening!.close()
    expect(listening!.count()).toBe(0)
    expect(await raw.closed).toBe(1001)
  })
})

describe("options", () => {
  it.each([
    [{ prot: 1 }, "unknown option prot"],
    [{ port: 70_000 }, "a port up to 65535"],
    [{ path: "mcp" }, 'a path that begins with "/"'],
    [{ heartbeatMs: 0 }, "a whole number from 1 on for heartbeatMs"],
    [{ allowedHosts: "localhost" }, "a list of texts for allowedHosts"],
    [{ allowedOrigins: ["localhost"] }, "an origin is"]
  ])("%j is refused", async (options, why) => {
    await expect(listen(server, options as ListenOptions)).rejects.toThrow(why)
  })
})
