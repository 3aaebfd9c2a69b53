/** One server for the requests of many clients (2026-07-28): under ids and tokens of the bridge's own, so that none sees another's. */
import type { JsonObject, Message, Request, RequestId } from "@parley/core"
import { errorOf, isObject, member, read } from "@parley/core"
import type { Child, ChildEvents } from "./child.js"

export interface Shared {
  /**
   * Asks the server, which is started if it is not there. `told` gets what it says about it, under the id that it was asked
   * by; the reply comes last. The function that is returned withdraws it: nothing is told after that.
   */
  readonly ask: (request: Request, told: Told) => () => void
  readonly behind: () => boolean
  readonly close: () => Promise<void>
}

export type Told = (message: Message, last: boolean) => void

export interface SharedEvents {
  /** It is gone. */
  readonly lost: (why: string) => void
  readonly stray: (text: string) => void
  /** What nobody could be told, since it does not say whom it is for. */
  readonly unplaced: (method: string) => void
}

interface Asked {
  readonly request: Request
  readonly told: Told
}

export function shared(start: (on: ChildEvents) => Child, on: SharedEvents): Shared {
  const asked = new Map<RequestId, Asked>()
  let server: Child | undefined
  let next = 1

  function running(): Child {
    return (server ??= start({
      message,
      stray: on.stray,
      lost: (why) => {
        server = undefined
        on.lost(why)
        const waiting = [...asked.values()]
        asked.clear()
        for (const { request, told } of waiting)
          told(failed(request.id, `${why}; it is started again when it is asked`), true)
      }
    }))
  }

  function message(json: unknown): void {
    for (const one of Array.isArray(json) ? (json as ReadonlyArray<unknown>) : [json]) {
      const envelope = read(one)
      switch (envelope._tag) {
        case "Result":
        case "Error":
          replied(envelope.message)
          break
        case "Notification":
          notified(envelope.message.method, envelope.message.params)
          break
        case "Request":
          // 2026-07-28: a server asks nothing. It is told rather than left to wait.
          server?.send({
            jsonrpc: "2.0",
            id: envelope.message.id,
            error: errorOf({
              _tag: "MethodUnknown",
              method: envelope.message.method,
              why: "a server of 2026-07-28 asks nothing"
            })
          })
          break
        case "Malformed":
          on.stray(JSON.stringify(one))
      }
    }
  }

  function replied(reply: Message & { readonly id?: RequestId | null }): void {
    const entry = asked.get(reply.id!)
    if (entry === undefined) return
    asked.delete(reply.id!)
    const { id } = entry.request
    if (!("result" in reply)) return entry.told({ ...reply, id }, true)
    const meta = member(reply.result, "_meta")
    const tagged = isObject(meta) && meta[subscriptionId] === reply.id
    const result = tagged ? { ...reply.result, _meta: { ...meta, [subscriptionId]: id } } : reply.result
    entry.told({ ...reply, id, result }, true)
  }

  /** What names its request goes there. What does not goes to the only one that it can be about. */
  function notified(method: string, params: JsonObject = {}): void {
    const meta = params["_meta"] as JsonObject | undefined
    const about = member(meta, subscriptionId) as RequestId | undefined
    const say = (entry: Asked | undefined, params: JsonObject): void =>
      entry?.told({ jsonrpc: "2.0", method, params }, false)
    if (about !== undefined) {
      const entry = asked.get(about)
      return say(entry, { ...params, _meta: { ...meta, [subscriptionId]: entry?.request.id } })
    }
    if (method === "notifications/progress") {
      const entry = asked.get(params["progressToken"] as RequestId)
      return say(entry, { ...params, progressToken: entry && (tokenOf(entry.request) as RequestId) })
    }
    const candidates = [...asked.values()].filter(({ request }) => method !== log || wantsLogs(request))
    if (candidates.length === 1) say(candidates[0], params)
    else if (candidates.length > 1) on.unplaced(method)
  }

  return {
    behind: () => server?.behind() ?? false,
    ask: (request, told) => {
      const id = next++
      asked.set(id, { request, told })
      if (!running().send(renamed(request, id)) && asked.delete(id)) told(failed(request.id, tooDeep), true)
      return () => {
        if (!asked.delete(id)) return
        const reason = "its client left"
        server?.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } })
      }
    },
    close: async () => {
      asked.clear()
      await server?.close()
    }
  }
}

const renamed = (request: Request, id: number): Request => {
  if (tokenOf(request) === undefined) return { ...request, id }
  const { params } = request
  const meta = { ...(params!["_meta"] as JsonObject), progressToken: id }
  return { ...request, id, params: { ...params, _meta: meta } }
}

const tokenOf = ({ params }: Request): unknown => member(params?.["_meta"], "progressToken")

const wantsLogs = ({ params }: Request): boolean =>
  member(params?.["_meta"], "io.modelcontextprotocol/logLevel") !== undefined

export const tooDeep = "it is nested too deep to be passed on"

export const failed = (id: RequestId, message: string): Message => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32603, message }
})

const log = "notifications/message"

const subscriptionId = "io.modelcontextprotocol/subscriptionId"
