/** The filter of `subscriptions/listen`: what of the server's notifications a stream is asked for, and brings (2026-07-28). */
import type { JsonObject, Revision } from "@parley/core"

/** A member of the filter, and the resource, or whatever else is named, where it is about one. */
export interface Named {
  readonly member: string
  readonly name: string | undefined
}

/** What a stream is asked for to bring this notification; nothing where it comes by itself. */
export function filterOf(revision: Revision, method: string): string | undefined {
  const row = revision.server[method]
  return row?.kind === "notification" ? row.filter : undefined
}

export const keyOf = (member: string, name: string | undefined): string =>
  name === undefined ? member : `${member} ${name}`

/** The filter that asks for all of it. */
export function filtering(wanted: ReadonlyArray<Named>): JsonObject {
  const filter: Record<string, true | Array<string>> = {}
  for (const { member, name } of wanted) {
    if (name === undefined) filter[member] = true
    else ((filter[member] ??= []) as Array<string>).push(name)
  }
  return filter
}

/** Whether a stream that was acknowledged with this tells of it. */
export function serves(honoured: JsonObject, { member, name }: Named): boolean {
  const given = honoured[member]
  return name === undefined ? given === true : Array.isArray(given) && given.includes(name)
}
