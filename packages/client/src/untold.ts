/** Why a server will not tell by a notification, which can be known before it is listened to. */
import type { Peer, Revision } from "@parley/core"
import { announced, announcesExtension } from "@parley/core"
import { CallError } from "./error.js"

/**
 * The server has no such notification in that revision (`NotificationUnknown`), or did not declare what it takes, which may be an
 * extension (`MethodUndeclared`). Nothing where it may tell. `peer` is `client.peer`, `revision` the one of that name, `extended` by
 * the extensions of `connect` where there are any.
 *
 * ```ts
 * import { v2026_07_28 } from "@parley/core/revisions"
 * import { untold } from "@parley/client"
 *
 * const peer = { revision: "2026-07-28", capabilities: { tools: {} }, info: undefined } as const
 * const why = untold(v2026_07_28, peer, "notifications/tools/list_changed")
 * why?.reason._tag // => "MethodUndeclared"
 * ```
 */
export function untold(revision: Revision, { capabilities }: Peer, method: string): CallError | undefined {
  const row = Object.hasOwn(revision.server, method) ? revision.server[method] : undefined
  if (row?.kind !== "notification")
    return new CallError({ _tag: "NotificationUnknown", method, revision: revision.name })
  const path = row.needs?.startsWith("server.") === true ? row.needs.slice("server.".length) : undefined
  const { extension } = row
  const needs =
    extension !== undefined && !announcesExtension(capabilities, extension)
      ? `extensions.${extension}`
      : path !== undefined && !announced(capabilities, path)
        ? path
        : undefined
  if (needs === undefined) return undefined
  return new CallError({ _tag: "MethodUndeclared", method, needs, declared: Object.keys(capabilities) })
}
