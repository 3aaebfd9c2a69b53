/** Who asks, as a request says it of itself: judged anew, for the machines' own opening is under test. */
import type { Definition, RevisionName } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import type { Fields, Read } from "./envelope.js"
import { fields, own } from "./envelope.js"
import { broughtBy } from "./extensions.js"
import { fits } from "./shape.js"
import { byHandshake, methodsOf, saysWhoAsks } from "./specification.js"

export const protocolVersion = "io.modelcontextprotocol/protocolVersion"
export const clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
export const clientInfo = "io.modelcontextprotocol/clientInfo"
export const logLevel = "io.modelcontextprotocol/logLevel"
export const subscriptionId = "io.modelcontextprotocol/subscriptionId"
export const serverInfo = "io.modelcontextprotocol/serverInfo"

/** Any of these makes an envelope, however incomplete. */
const claims = [protocolVersion, clientCapabilities, clientInfo, logLevel]

export interface Asker {
  readonly revision: RevisionName
  /** What its client declared, without members of a wrong type. */
  readonly client: Fields
  /** The least severe log message that it wants; nothing where it wants none. */
  readonly level: unknown
  /** The code by which it is refused whatever it asks for, where the envelope is broken. */
  readonly fault: number | undefined
}

/**
 * Nothing where the request says nothing of the kind, or the server speaks no revision in which it does: the session asks.
 * `isOpen`: whether there is one. Then an extension's method is one that the session has not.
 */
export function askerOf(
  definition: Definition,
  { method, params }: Read,
  header: unknown,
  isOpen: boolean
): Asker | undefined {
  const meta = own(params, "_meta")
  const spoken = definition.revisions.map(({ name }) => name)
  const newest = spoken.find(saysWhoAsks)
  if (newest === undefined) return undefined
  const isNew = (broughtBy(definition).has(method) && !isOpen) || isLate(spoken, method)
  if (!isNew && !isClaimed(spoken, meta, header)) return undefined
  const version = own(meta, protocolVersion)
  const fault = faultOf(spoken, method, meta, header)
  const revision = fault === undefined ? (version as RevisionName) : newest
  return { revision, client: declared(own(meta, clientCapabilities)), level: own(meta, logLevel), fault }
}

function isClaimed(spoken: ReadonlyArray<RevisionName>, meta: unknown, header: unknown): boolean {
  if (spoken.every(saysWhoAsks)) return true
  if (spoken.includes(header as RevisionName) && saysWhoAsks(header)) return true
  return claims.some((key) => own(meta, key) !== undefined)
}

/** Whether a handshake never led to such a request. */
const isLate = (spoken: ReadonlyArray<RevisionName>, method: string): boolean =>
  spoken.some((name) => saysWhoAsks(name) && methodsOf(name, "client").get(method)?.kind === "request") &&
  !byHandshake.some((name) => methodsOf(name, "client").has(method))

/** 2026-07-28 basic, `_meta` and basic/versioning: the header first, then the version, then everything else. */
function faultOf(
  spoken: ReadonlyArray<RevisionName>,
  method: string,
  meta: unknown,
  header: unknown
): number | undefined {
  const version = own(meta, protocolVersion)
  if (header !== undefined && header !== version && (version !== undefined || method === "initialize")) return -32020
  if (typeof version !== "string") return -32602
  if (!spoken.includes(version as RevisionName) || !saysWhoAsks(version)) return -32022
  const { RequestMeta } = schemas[version as "2026-07-28"]
  return fits(RequestMeta, meta) ? undefined : -32602
}

/** A known capability of a wrong type counts as not declared. */
const declared = (capabilities: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fields(capabilities)).filter(
      ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value)
    )
  )
