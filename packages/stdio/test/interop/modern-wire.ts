/** What must hold of every line that a server writes to a client of 2026-07-28, whoever that client is. */
import type { Recording, Wire } from "./recorded.js"

const key = (name: string): string => `io.modelcontextprotocol/${name}`
export const subscriptionId = key("subscriptionId")
export const envelopeOf = (request: Wire): Wire => request.params?._meta ?? {}
export const versionOf = (request: Wire): unknown => envelopeOf(request)[key("protocolVersion")]

const cacheable = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read"
])
const streamed = new Set([
  "notifications/subscriptions/acknowledged",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated"
])

/** What is wrong with the server's lines of one process: nothing, of a server that keeps 2026-07-28. */
export function wrongs(recording: Recording, start?: number): ReadonlyArray<string> {
  const asked = new Map<unknown, Wire>()
  for (const message of recording.said("client", start)) if (message.id !== undefined) asked.set(message.id, message)
  const acknowledged = new Set<unknown>()
  return recording.said("server", start).flatMap((message): ReadonlyArray<string> => {
    const wrong = (what: string): ReadonlyArray<string> => [`${what}: ${JSON.stringify(message)}`]
    if (message.method !== undefined && message.id !== undefined) return wrong("a request of the server's")
    if (message.method !== undefined) {
      if (!streamed.has(message.method)) return []
      const id = message.params?._meta?.[subscriptionId]
      if (asked.get(id)?.method !== "subscriptions/listen") return wrong("of no subscription")
      const first = message.method === "notifications/subscriptions/acknowledged"
      if (first === acknowledged.has(id)) return wrong("not acknowledged once, and first")
      acknowledged.add(id)
      return []
    }
    if (message.error !== undefined) return message.id === null ? wrong("an id that is null") : []
    const request = asked.get(message.id)
    if (request === undefined) return wrong("a reply to nothing")
    const { resultType, _meta, ttlMs, cacheScope } = message.result
    if (resultType !== "complete" && resultType !== "input_required") return wrong("no resultType")
    if (typeof _meta?.[key("serverInfo")]?.name !== "string") return wrong("no serverInfo")
    const hinted = Number.isSafeInteger(ttlMs) && ttlMs >= 0 && (cacheScope === "public" || cacheScope === "private")
    if (hinted !== (resultType === "complete" && cacheable.has(request.method))) return wrong("cache hints")
    return []
  })
}
