/** The function of `req` and `res` on node:http2, where `:authority` is the host. */
import { once } from "node:events"
import type { IncomingHttpHeaders } from "node:http2"
import { connect, constants, createServer } from "node:http2"
import type { AddressInfo } from "node:net"
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { NodeHandler } from "../../src/node/index.js"
import { nodeHandler } from "../../src/node/index.js"

const revision = "2026-07-28"

const aborted: Array<unknown> = []
const wait = tool("wait", {}, async (_, { signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve))
  aborted.push(signal.reason)
  return "over"
})

const stops: Array<() => void> = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

async function serving() {
  const mcp: NodeHandler = nodeHandler(
    defineServer({ name: "two", version: "1.0.0" }, [tool("hello", {}, () => "Hello!"), wait]),
    { streamAfterMs: 0, drainMs: 1 }
  )
  const server = createServer(mcp).listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect(`http://localhost:${(server.address() as AddressInfo).port}`)
  stops.push(
    () => client.destroy(),
    () => server.close()
  )
  const ask = (name: string, headers: Record<string, string> = {}) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" }
    }
    const stream = client.request({
      ":method": "POST",
      ":path": "/mcp",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...headers
    })
    stream.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta } }))
    return stream
  }
  return { mcp, ask }
}

describe("on HTTP/2", () => {
  it.each<readonly [string, Record<string, string>, number]>([
    ["a name that is allowed", {}, 200],
    ["the same name in Host", { ":authority": "localhost", host: "LOCALHOST:80" }, 200],
    ["a name that is not allowed", { ":authority": "evil.example.com" }, 403],
    ["one that Host hides", { ":authority": "evil.example.com", host: "localhost" }, 400],
    ["one that hides that of Host", { ":authority": "localhost", host: "evil.example.com" }, 400]
  ])("the host is the authority: %s", async (_, headers, status) => {
    const { ask } = await serving()
    const stream = ask("hello", headers)
    const [head] = (await once(stream, "response")) as [IncomingHttpHeaders & { ":status": number }]
    expect(head[":status"]).toBe(status)
    stream.close()
  })

  it("a stream that the client resets cancels its request, and one that is open is ended by close", async () => {
    const { mcp, ask } = await serving()
    const [one, other] = [ask("wait"), ask("wait")]
    await Promise.all([once(one, "response"), once(other, "response")])
    one.close(constants.NGHTTP2_CANCEL)
    await once(one, "close")
    const ended = once(other.resume(), "end")
    await Promise.all([mcp.close(), ended])
    expect(aborted).toHaveLength(2)
    expect(mcp.count().answers).toBe(0)
  })
})
