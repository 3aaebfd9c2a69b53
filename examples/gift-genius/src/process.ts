/** A server in a process of its own, with all that is said to it and by it told to whoever watches. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { JsonObject } from "@parley/core"
import type { Channel, Frame } from "@parley/driver"
import { tap } from "@parley/driver"
import { command } from "@parley/stdio"
import type { Teller } from "./teller.js"

export interface Running {
  readonly client: Client
  /** Sends a request behind the client's back and settles with its reply. */
  readonly past: (method: string, params?: JsonObject) => Promise<Reply>
  /** Ends the conversation and settles with how the process left. */
  readonly leave: () => Promise<string>
}

export interface Reply {
  readonly id?: unknown
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string }
}

/** How long anything may take, in ms. */
const patience = 10_000

export async function running(
  tell: Teller,
  [program, ...args]: readonly [string, ...ReadonlyArray<string>],
  options: Pick<ConnectOptions, "on" | "prefer"> = {}
): Promise<Running> {
  let left = "has not left"
  const server = command(program, args, {
    stderr: (line) => tell.text(`(server, on stderr) ${line}`),
    exited: (code, signal) => (left = signal === null ? `exit code ${code}` : `killed by ${signal}`)
  })
  const heard = new Set<(frame: Frame) => void>()
  const channel = tap(server, {
    sent: tell.sent,
    received: (frame) => {
      tell.received(frame)
      for (const listener of heard) listener(frame)
    }
  })
  try {
    const clientInfo = { name: "parley-conversation", version: "0.2.0" }
    const client = await connect(channel, { clientInfo, openingMs: patience, timeoutMs: patience, ...options })
    return {
      client,
      past: (method, params) => past(channel, heard, method, params),
      leave: async () => {
        await client.close()
        return left
      }
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

function past(
  channel: Channel,
  heard: Set<(frame: Frame) => void>,
  method: string,
  params: JsonObject = {}
): Promise<Reply> {
  const id = `past the gate: ${method}`
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${method} was not answered within ${patience} ms`)), patience)
    const listener = (frame: Frame): void => {
      const reply = frame._tag === "Text" ? (JSON.parse(frame.text) as Reply) : {}
      if (reply.id !== id) return
      clearTimeout(late)
      heard.delete(listener)
      resolve(reply)
    }
    heard.add(listener)
    void channel.send({ message: { jsonrpc: "2.0", id, method, params }, via: undefined, last: false })
  })
}
