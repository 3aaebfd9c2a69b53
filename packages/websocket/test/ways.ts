/** The way from a client to a server over WebSocket, as invariant 13 compares it. */
import { once } from "node:events"
import type { Json } from "@parley/core"
import type { Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { host } from "@parley/server/host"
import type { Host } from "@parley/server/host"
import { WebSocket } from "ws"
import { cancelled } from "../../testing/src/carried/bare.js"
import type { Way } from "../../testing/src/index.js"
import { listen } from "../src/node/listen.js"

const quiet = { drainMs: 1, crashed: () => undefined, report: () => undefined } as const

/** A clock whose longer alarms ring when they are told to: those by which sessions rest, and heartbeats. */
export function pulsing(): { readonly clock: Clock; readonly pulse: () => void } {
  let waiting: Array<() => void> = []
  const after: Clock["after"] = (ms, callback) => {
    if (ms < 1_000) return systemClock.after(ms, callback)
    waiting.push(callback)
    return { cancel: () => void (waiting = waiting.filter((one) => one !== callback)), hold: () => {} }
  }
  const pulse = (): void => {
    const due = waiting
    waiting = []
    for (const one of due) one()
  }
  return { clock: { now: systemClock.now, after }, pulse }
}

export interface Odd {
  /** The session rests after each message, if it can. */
  readonly rests?: boolean
  /** Changes what comes back. */
  readonly back?: () => (text: string) => ReadonlyArray<string>
  /** Changes what goes there. */
  readonly there?: (text: string) => ReadonlyArray<string>
  /** Changes what serves. */
  readonly serving?: (hosting: Host) => Host
}

/** A server that listens, and a client that sends texts. */
export const sockets = (name: string, { rests = false, back, there, serving = (same) => same }: Odd = {}): Way => ({
  name,
  inOrder: true,
  begin: async ({ live }, hear) => {
    const { clock, pulse } = pulsing()
    const { url, close } = await listen(serving(host(live, quiet)), { ...quiet, clock })
    const near = new WebSocket(url, ["mcp"])
    const through = back?.()
    near.on("message", (data: Buffer) => {
      const text = data.toString()
      for (const one of through?.(text) ?? [text]) hear({ by: undefined, message: JSON.parse(one) as Json })
    })
    await once(near, "open")
    // What came before a ping was taken when the pong comes.
    const send = async (text: string): Promise<undefined> => {
      for (const one of there?.(text) ?? [text]) near.send(one)
      near.ping()
      await once(near, "pong")
      if (rests) pulse()
    }
    return {
      say: (message) => send(JSON.stringify(message)),
      garble: send,
      cancel: ({ id }) => send(JSON.stringify(cancelled(id))),
      close: async () => {
        near.terminate()
        await close()
      }
    }
  }
})
