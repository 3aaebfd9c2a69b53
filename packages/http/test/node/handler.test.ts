/** The function of `req` and `res`, on a server of one's own. */
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { NodeHandler, NodeOptions } from "../../src/node/index.js"
import { nodeHandler } from "../../src/node/index.js"
import type { Stage } from "./sockets.js"
import { post, stage } from "./sockets.js"

const server = defineServer({ name: "handled", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")])

let staged: Stage | undefined
let mcp: NodeHandler | undefined
afterEach(async () => {
  await mcp?.close()
  await staged?.stop()
})

async function serving(options: NodeOptions = {}): Promise<Stage> {
  mcp = nodeHandler(server, options)
  return (staged = await stage(mcp))
}

const initialize = post(
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } }
  })
)

describe("nodeHandler", () => {
  it("answers wherever it is mounted, also before the server is ready", async () => {
    const { raw } = await serving()
    const one = raw()
    one.write(initialize.replace("/mcp", "/any/where?at=all"))
    expect(await one.until(/"serverInfo"/)).toMatch(/^HTTP\/1.1 200 OK/)
    await mcp!.ready
  })

  it.each<readonly [string, NodeOptions, string | undefined]>([
    ["the other end of the connection", {}, "127.0.0.1"],
    ["what the user's function makes of a request", { from: (request) => request.headers["x-real-ip"] }, "192.0.2.1"],
    ["nobody where that knows nobody", { from: () => undefined }, undefined]
  ])("takes who asks to be %s", async (_, options, expected) => {
    let from: string | undefined = "unasked"
    const authenticate: NodeOptions["authenticate"] = (asked) => {
      from = asked.from
      return { forbidden: true }
    }
    const { raw } = await serving({ ...options, authenticate })
    const one = raw()
    one.write(initialize.replace("Host:", "X-Real-Ip: 192.0.2.1\r\nHost:"))
    await one.until(/ 403 /)
    expect(from).toBe(expected)
  })

  it("refuses what comes once it is closed, and leaves the connection to its server", async () => {
    const { raw } = await serving()
    const one = raw()
    one.write(initialize)
    await one.until(/"serverInfo"/)
    await mcp!.close()
    one.write(initialize)
    expect(await one.until(/ 503 /)).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it("reads what was held back, such as by one that had something to look up", async () => {
    mcp = nodeHandler(server)
    staged = await stage((request, response) => {
      request.pause()
      setImmediate(() => mcp!(request, response))
    })
    const one = staged.raw()
    one.write(initialize)
    expect(await one.until(/"serverInfo"/)).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it("ends an answer that was begun before, and tells of it", async () => {
    const crashed: Array<unknown> = []
    mcp = nodeHandler(server, { crashed: (...told) => crashed.push(told) })
    staged = await stage((request, response) => {
      response.writeHead(200, { "content-type": "text/plain" })
      response.write("begun")
      mcp!(request, response)
    })
    const one = staged.raw()
    one.write(initialize)
    expect(await one.until(/\r\n0\r\n\r\n$/)).toMatch(/begun/)
    expect(crashed).toMatchObject([["an HTTP request", { message: expect.stringMatching(/was begun before/) }]])
  })

  it.each([
    ["http://localhost/mcp", "localhost", 200],
    ["http://LOCALHOST:80/mcp", "localhost", 200],
    ["https://localhost/mcp", "localhost:443", 200],
    ["http://localhost:81/mcp", "localhost", 400],
    ["http://evil.example.com/mcp", "localhost", 400],
    ["http://localhost/mcp", "evil.example.com", 400],
    ["http://localhost@evil.example.com/mcp", "localhost", 400],
    ["http://evil.example.com/mcp", "evil.example.com", 403]
  ])("a whole address as the target has no other host than Host: %s, %s", async (target, host, status) => {
    const { raw } = await serving()
    const one = raw()
    one.write(initialize.replace("POST /mcp", `POST ${target}`).replace("Host: localhost", `Host: ${host}`))
    expect(await one.until(/\}$/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it.each<readonly [object, RegExp]>([
    [{ stallMs: 0 }, /nodeHandler needs a whole number from 1 on for stallMs/],
    [{ from: "x-real-ip" }, /a function for from/],
    [{ path: "/mcp" }, /unknown option path/]
  ])("refuses %j", (options, why) => {
    expect(() => nodeHandler(server, options)).toThrow(why)
  })
})
