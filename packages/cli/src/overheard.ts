/** A channel over which one can also ask past whoever opened it: the reply goes to whoever asked, and to nobody else. */
import type { Message } from "@parley/core"
import type { Channel, Frame, Outgoing } from "@parley/driver"
import { isRecord } from "./schema.js"

export interface Overheard extends Channel {
  /** The reply to a request with an id of its own kind, or nothing when none comes in time. */
  readonly overhear: (request: Message, ms: number) => Promise<unknown>
}

/** `ended` is told in words why the channel closed, before whoever opened it is. */
export function overheard(channel: Channel, ended: (why: string) => void): Overheard {
  const waiting = new Map<unknown, (reply: unknown) => void>()
  let last: Outgoing | undefined

  function taken(frame: Frame): boolean {
    if (waiting.size === 0 || (frame._tag !== "Text" && frame._tag !== "Parsed")) return false
    const reply = frame._tag === "Parsed" ? frame.json : mayBeMessage(frame.text) ? parsed(frame.text) : undefined
    const settle = isRecord(reply) && !("method" in reply) ? waiting.get(reply["id"]) : undefined
    settle?.(reply)
    return settle !== undefined
  }

  return {
    cancels: channel.cancels,
    ...(channel.headers === true && { headers: true }),
    ...(channel.returns === true && { returns: true }),
    open: (on) =>
      channel.open({
        frame: (frame) => (taken(frame) ? undefined : on.frame(plainly(frame))),
        closed: (why) => {
          ended(why._tag === "Gone" ? why.detail : "the server ended")
          on.closed(why)
        }
      }),
    send: (out) => {
      last = out
      return channel.send(out)
    },
    abort: (id) => channel.abort(id),
    close: (why) => channel.close(why),
    overhear: (request, ms) =>
      new Promise((resolve) => {
        const { id } = request as { readonly id: unknown }
        const settle = (reply: unknown): void => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(reply)
        }
        const timer = setTimeout(() => settle(undefined), ms)
        waiting.set(id, settle)
        const { method = "" } = request as { readonly method?: string }
        // Headers, where there are any, say the same of it as of what is sent otherwise.
        const mirror = last?.mirror && ([["Mcp-Method", method]] as const)
        void channel.send({ message: request, via: undefined, last: false, revision: last?.revision, mirror })
      })
  }
}

/** Text that is plainly no message is not parsed to find that out, which takes long where a server floods its stdout with it. */
const plainly = (frame: Frame): Frame =>
  frame._tag === "Text" && !mayBeMessage(frame.text)
    ? { _tag: "Garbled", why: "json", via: frame.via, detail: frame.text.slice(0, 200) }
    : frame

export const mayBeMessage = (text: string): boolean => /^[\s\ufeff]*[[{]/.test(text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
