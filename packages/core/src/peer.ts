/** Who is on the other side, once the two sides have agreed. */
import { hasName, narrowed } from "./narrow.js"
import type { Revision, RevisionName } from "./revision.js"
import type { Party } from "./row.js"
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"

export interface Peer {
  /** The revision in force. */
  readonly revision: RevisionName
  /** What the other side announced, without members of a wrong type. */
  readonly capabilities: JsonObject
  /** `clientInfo` or `serverInfo`, as it was sent. */
  readonly info: JsonObject
}

/**
 * A known capability of a wrong type counts as undeclared, so that a peer which announces carelessly still gets a conversation.
 * `wrong` names what was left out. Members the revision does not know are left out silently: the peer may be newer.
 */
export function sanitised(
  capabilities: JsonObject,
  revision: Revision,
  party: Party
): { capabilities: JsonObject; wrong: Array<string> } {
  const kept: Record<string, JsonObject> = {}
  const wrong: Array<string> = []
  for (const name of Object.keys(capabilities)) {
    if (!hasName(revision, party, name)) continue
    const value = capabilities[name]
    if (isObject(value)) kept[name] = name === "experimental" ? value : flags(name, value, wrong)
    else wrong.push(name)
  }
  return {
    capabilities: narrowed(revision, party === "client" ? "ClientCapabilities" : "ServerCapabilities", kept),
    wrong
  }
}

function flags(path: string, value: JsonObject, wrong: Array<string>): JsonObject {
  const kept: Record<string, JsonObject | boolean> = {}
  for (const key of Object.keys(value)) {
    // Written like any other name it would become the prototype.
    if (key === "__proto__") continue
    const flag = value[key]
    if (typeof flag === "boolean") kept[key] = flag
    else if (isObject(flag)) kept[key] = flag
    else wrong.push(`${path}.${key}`)
  }
  return kept
}
