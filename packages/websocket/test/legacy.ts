/** A server that knows sessions only, and ends its connection on whatever comes before `initialize`: one that calls `hi`. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { WebSocketServer } from "ws"

export interface Legacy {
  readonly url: string
  readonly first: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** It closes as it is told, or cuts; `first` is what each of its connections began with. */
export async function legacy(end: { readonly code: number; readonly reason: string } | undefined): Promise<Legacy> {
  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mcp" })
  const first: Array<string> = []
  sockets.on("connection", (socket) => {
    socket.once("message", (data: Buffer) => {
      const { method, id } = JSON.parse(data.toString()) as { readonly method: string; readonly id: number }
      first.push(method)
      if (method !== "initialize") return end === undefined ? socket.terminate() : socket.close(end.code, end.reason)
      const serverInfo = { name: "legacy", version: "1.0.0" }
      const result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }))
      socket.on("message", (data: Buffer) => {
        const { method, id } = JSON.parse(data.toString()) as { readonly method: string; readonly id: number }
        const tools = [{ name: "hi", inputSchema: { type: "object" } }]
        const result = { "tools/list": { tools }, "tools/call": { content: [{ type: "text", text: "hi" }] } }[method]
        if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: result ?? {} }))
      })
    })
  })
  await once(sockets, "listening")
  const close = async (): Promise<void> => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((resolve) => sockets.close(resolve))
  }
  return { url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`, first, close }
}
