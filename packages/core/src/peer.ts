/** Who is on the other side, once the two sides have agreed. */
import { hasName, narrowed, revised } from "./narrow.js"
import type { Revision, RevisionName } from "./revision.js"
import type { Party } from "./row.js"
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"

export interface Peer {
  /** The revision in force. */
  readonly revision: RevisionName
  /** What the other side announced, without members of a wrong type. */
  readonly capabilities: JsonObject
  /** `clientInfo` or `serverInfo`, as it was sent; since 2026-07-28 it need not be. */
  readonly info: JsonObject | undefined
}

/**
 * A known capability of a wrong type counts as undeclared, so that a peer which announces carelessly still gets a conversation.
 * `wrong` names what was left out. Members the revision does not know are left out silently: the peer may be newer.
 */
export function sanitised(capabilities: JsonObject, revision: Revision, party: Party): Sanitised {
  const wrong: Array<string> = []
  const known = revised(capabilities, (name, value) => {
    if (!hasName(revision, party, name)) return undefined
    if (!isObject(value)) {
      wrong.push(name)
      return undefined
    }
    if (name === "experimental") return value
    return revised(value, (key, entry) => {
      // Extensions have settings under their identifiers; everything else may be a flag too.
      if (isObject(entry) || (typeof entry === "boolean" && name !== "extensions")) return entry
      wrong.push(`${name}.${key}`)
      return undefined
    })
  })
  return { capabilities: narrowed(revision, revision.capabilities[party], known), wrong }
}

interface Sanitised {
  readonly capabilities: JsonObject
  readonly wrong: ReadonlyArray<string>
}
