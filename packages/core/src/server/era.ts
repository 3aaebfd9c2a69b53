/** Which way to say who asks a message belongs to: once for all by `initialize`, or by every request for itself. */
import type { Definition } from "../definition.js"
import * as key from "../envelope.js"
import { isObject, member } from "../json.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Row } from "../row.js"

export interface Eras {
  /** The revisions that `initialize` opens, and those in which every request says who asks. */
  readonly handshake: ReadonlyArray<RevisionName>
  readonly perRequest: ReadonlyArray<RevisionName>
  /** The methods that only the latter have. */
  readonly own: ReadonlyMap<string, Row>
}

export function erasOf(revisions: ReadonlyArray<Revision>): Eras {
  const named = (opening: Revision["opening"]) => revisions.filter((revision) => revision.opening === opening)
  const [older, newer] = [named("handshake"), named("request")]
  return {
    handshake: older.map(({ name }) => name),
    perRequest: newer.map(({ name }) => name),
    own: new Map(
      newer.flatMap(({ client }) =>
        Object.entries(client).filter(([method]) => !older.some((other) => Object.hasOwn(other.client, method)))
      )
    )
  }
}

/**
 * Whether a message says who asks, or ought to. A server that speaks no such revision leaves alone what it does not know in
 * `_meta`; one that speaks no other has nothing else to go by. On an open session (`open`) an extension's method is just one that
 * the session has not.
 */
export function claims(
  { handshake, perRequest, own }: Eras,
  method: unknown,
  meta: unknown,
  header: string | undefined,
  open: boolean
): boolean {
  if (perRequest.length === 0) return false
  const row = own.get(method as string)
  if (handshake.length === 0 || (row !== undefined && !(open && row.extension !== undefined))) return true
  if (perRequest.includes(header as RevisionName)) return true
  return isObject(meta) && marks.some((mark) => meta[mark] !== undefined)
}

const marks: ReadonlyArray<string> = [key.protocolVersion, ...key.claims]

/**
 * Tells of one JSON value, before anything serves it, whether every request says for itself who asks (`"request"`), or a session
 * does that `initialize` opened (`"handshake"`): for a transport that has different ways for the two. The server's machine
 * decides in the same way. `header`: the version that the transport's header names. `open`: whether it comes on a session, by
 * default not.
 *
 * ```ts
 * import { eraOf } from "@parley/core/server"
 * import { defineServer } from "@parley/server"
 *
 * const era = eraOf(defineServer({ name: "both", version: "1.0.0" }, []).definition)
 * era({ jsonrpc: "2.0", id: 1, method: "server/discover" }) // => "request"
 * era({ jsonrpc: "2.0", id: 1, method: "ping" }) // => "handshake"
 * era({ jsonrpc: "2.0", id: 1, method: "ping" }, "2026-07-28") // => "request"
 * ```
 */
export function eraOf({
  revisions
}: Definition): (json: unknown, header?: string, open?: boolean) => Revision["opening"] {
  const eras = erasOf(revisions)
  return (json, header, open = false) =>
    claims(eras, member(json, "method"), member(member(json, "params"), "_meta"), header, open)
      ? "request"
      : "handshake"
}
