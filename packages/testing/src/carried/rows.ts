/** Which rows of the revisions' tables conversations have reached, and how often. */
import type { Json, RevisionName } from "@parley/core"
import { protocolVersion, subscriptionId } from "../asker.js"
import { fields, own } from "../envelope.js"
import { dated, methodsOf, questionsOf } from "../specification.js"
import type { Kind } from "./drawn-deeds.js"
import type { Done } from "./same.js"

const newest: RevisionName = "2026-07-28"

function rowOf(revision: string | undefined, side: string, method: unknown): string {
  return `${revision} ${side} ${String(method)}`
}

/** All rows: what each side may say, and what a server may ask inside a result. What no server of ours ever says is not among them. */
export const rows: ReadonlyArray<string> = dated.flatMap((revision) => [
  ...[...methodsOf(revision, "client").keys()].map((method) => rowOf(revision, "client", method)),
  ...[...new Set([...methodsOf(revision, "server").keys(), ...questionsOf(revision).keys()])]
    .filter((method) => !isUnsaid(revision, method))
    .map((method) => rowOf(revision, "server", method))
])

/** Pings and questions about a client's tasks; and since 2026-07-28 what is withdrawn only by a server that stops. */
function isUnsaid(revision: RevisionName, method: string): boolean {
  if (method === "ping" || method.startsWith("tasks/")) return true
  return revision === newest && method === "notifications/cancelled"
}

/** Counts the rows that a conversation has reached, by revision, side and method. */
export function reached(kind: Kind, done: ReadonlyArray<Done>, counts: Map<string, number>): void {
  const count = (revision: string | undefined, side: string, method: unknown): void => {
    const row = rowOf(revision, side, method)
    counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  const revisionOf = (message: unknown): string | undefined =>
    (own(own(own(message, "params"), "_meta"), protocolVersion) as string | undefined) ?? kind.session
  const streams = (message: unknown): boolean => own(own(own(message, "params"), "_meta"), subscriptionId) !== undefined
  const made = new Map<unknown, readonly [revision: string | undefined, method: unknown]>()
  for (const { deed, heard } of done) {
    if (deed._tag === "Cancel") count(deed.enveloped ? newest : kind.session, "client", "notifications/cancelled")
    if (deed._tag === "Say")
      for (const one of several(deed.message)) {
        const { id, method } = fields(one)
        if (id === undefined) count(revisionOf(one), "client", method)
        else if (method !== undefined) made.set(id, [revisionOf(one), method])
      }
    for (const { message, by } of heard)
      for (const one of several(message)) {
        const { id, method, result, withdraws } = fields(one)
        const about = by === undefined ? undefined : done[by]?.deed
        const modern = streams(one) || (about?._tag === "Say" && revisionOf(about.message) === newest)
        if (method !== undefined || withdraws !== undefined)
          count(modern ? newest : kind.session, "server", method ?? "notifications/cancelled")
        for (const question of Object.values(fields(own(result, "inputRequests"))))
          count(newest, "server", own(question, "method"))
        const row = made.get(id)
        if (result !== undefined && row !== undefined) count(row[0], "client", row[1])
        if (method === "notifications/subscriptions/acknowledged") count(newest, "client", "subscriptions/listen")
      }
  }
}

const several = (message: Json): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])
