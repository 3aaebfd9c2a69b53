/** Pairs of channels with a real connection between them. */
import type { Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Channel } from "@parley/driver"
import { WebSocket, WebSocketServer } from "ws"
import type { Pair } from "../../testing/src/channel-contract.js"
import { lasting } from "../src/client/lasting.js"
import { settled } from "../src/client/options.js"
import type { WebSocketOptions } from "../src/client/options.js"
import { NodeLine } from "../src/line/node-line.js"
import { SocketChannel } from "../src/line/socket-channel.js"
import type { SocketLike } from "../src/line/web-line.js"
import { WebLine } from "../src/line/web-line.js"

export const limit = 64 * 1024 * 1024

export interface Connected {
  readonly near: WebSocket
  readonly far: WebSocket
  readonly release: () => Promise<void>
}

/** The two ends of one connection, both open, with nothing said yet. */
export async function connected(): Promise<Connected> {
  const server: Server = createServer()
  const sockets = new WebSocketServer({ server, clientTracking: false, maxPayload: limit })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const far = new Promise<WebSocket>((resolve) => sockets.once("connection", resolve))
  const near = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { maxPayload: limit })
  await new Promise((resolve) => near.once("open", resolve))
  return {
    near,
    far: await far,
    release: async () => {
      near.terminate()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

const manner = { closeMs: 5_000, code: () => 1000 }

/** Both sides on `ws`. */
export async function onNode(): Promise<Pair> {
  const { near, far, release } = await connected()
  return {
    near: new SocketChannel(new NodeLine(near, limit, below(near)), manner),
    far: new SocketChannel(new NodeLine(far, limit, below(far)), manner),
    release
  }
}

/** The client's side as pages have it, which can not stop reading. */
export async function onPlatform(): Promise<Pair> {
  const { near, far, release } = await connected()
  return {
    near: new SocketChannel(new WebLine(likePages(near), limit), manner),
    far: new SocketChannel(new NodeLine(far, limit), manner),
    release
  }
}

/** The client's side as `webSocket` makes it. */
export async function asDialled(options: WebSocketOptions): Promise<Pair> {
  const { near, far, release } = await connected()
  return {
    near: dialling(near, options),
    far: new SocketChannel(new NodeLine(far, limit), manner),
    release
  }
}

/** What was parsed, as the text that it was. */
export const retold = (channel: Channel): Channel => ({
  ...channel,
  open: (on) =>
    channel.open({
      closed: (why) => on.closed(why),
      frame: (frame) =>
        on.frame(frame._tag === "Parsed" ? { _tag: "Text", text: JSON.stringify(frame.json), via: frame.via } : frame)
    })
})

const dialling = (socket: WebSocket, options: WebSocketOptions): Channel =>
  lasting(async (make) => make(new NodeLine(socket, limit)), settled(options))

/** What a platform's own is like: without all that only `ws` has. */
const likePages = (socket: WebSocket): SocketLike => ({
  get readyState() {
    return socket.readyState
  },
  get bufferedAmount() {
    return socket.bufferedAmount
  },
  send: (text) => socket.send(text),
  close: (code, reason) => socket.close(code, reason),
  addEventListener: (type, listener) => socket.addEventListener(type as "message", listener)
})

const below = (socket: WebSocket) => (socket as unknown as { readonly _socket: import("node:net").Socket })._socket
