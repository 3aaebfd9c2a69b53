/** A call that is refused for its headers (2026-07-28): the bridge lists the tools itself, for its client knows of no headers. */
import type { JsonObject, Message, Request, RequestId } from "@parley/core"
import { member } from "@parley/core"
import type { Outgoing } from "@parley/driver"

export interface Relisting {
  /** Asks for all pages anew, in the name of who made that call. Settles when the tools are known, as far as they are to be had. */
  readonly list: (call: Request) => Promise<void>
  /** Takes the reply to a question of its own, or nothing where it was refused. Says whether it was one. */
  readonly replied: (id: RequestId | null | undefined, reply: Message | undefined) => boolean
}

/** Pages of one list before it is given up. */
const most = 1_000
/** How long a page may take, in ms. */
const listMs = 30_000
/** An id that no client has begins so. */
const own = "parley-bridge-tools-list-"

/** `send`: a request of the bridge's own. `withdraw`: it takes too long. `seen`: what came of it. */
export function relisting(
  send: (request: Request) => void,
  withdraw: (id: RequestId) => void,
  seen: (request: Request, reply: Message) => void
): Relisting {
  const waiting = new Map<RequestId, (reply: Message | undefined) => void>()
  let next = 1
  let running: Promise<void> | undefined

  const page = (params: JsonObject): Promise<string | undefined> => {
    const request: Request = { jsonrpc: "2.0", id: `${own}${next++}`, method: "tools/list", params }
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        waiting.get(request.id)?.(undefined)
        withdraw(request.id)
      }, listMs)
      late.unref()
      waiting.set(request.id, (reply) => {
        clearTimeout(late)
        waiting.delete(request.id)
        if (reply !== undefined) seen(request, reply)
        const cursor = reply !== undefined && "result" in reply ? reply.result["nextCursor"] : undefined
        resolve(typeof cursor === "string" ? cursor : undefined)
      })
      send(request)
    })
  }

  async function pages(_meta: JsonObject): Promise<void> {
    let cursor = await page({ _meta })
    for (let left = most; cursor !== undefined && left > 1; left--) cursor = await page({ cursor, _meta })
  }

  return {
    list: ({ params }) =>
      (running ??= pages(named(params)).then(() => {
        running = undefined
      })),
    replied: (id, reply) => {
      const take = waiting.get(id!)
      take?.(reply)
      return take !== undefined
    }
  }
}

/** Who asks, in which version; not whom to tell of progress, or what to log. */
function named(params: JsonObject | undefined): JsonObject {
  const envelope = ["protocolVersion", "clientInfo", "clientCapabilities"].map(
    (key) => `io.modelcontextprotocol/${key}`
  )
  return Object.fromEntries(
    envelope.flatMap((key) => {
      const value = member(params?.["_meta"], key)
      return value === undefined ? [] : [[key, value]]
    })
  ) as JsonObject
}

/** 2026-07-28 basic, Error Codes: the headers do not say what the body says. */
export const isMisheaded = (call: Request, reply: Message): boolean =>
  call.method === "tools/call" && "error" in reply && reply.error.code === -32020

export const sameHeaders = (one: Outgoing, other: Outgoing): boolean =>
  JSON.stringify(one.mirror) === JSON.stringify(other.mirror)
