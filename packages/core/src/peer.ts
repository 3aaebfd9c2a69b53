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
  /** `clientInfo` or `serverInfo`, as it was sent; since 2026-07-28 it need not be. */
  readonly info: JsonObject | undefined
}

/**
 * A known capability of a wrong type counts as undeclared, so that a peer which announces carelessly still gets a conversation.
 * `wrong` names what was left out. Members the revision does not know are left out silently: the peer may be newer.
 */
export function sanitised(capabilities: JsonObject, revision: Revision, party: Party): Sanitised {
  if (isPlain(capabilities, revision, party)) return { capabilities, wrong: nothing }
  const wrong: Array<string> = []
  const kept = cleaned(capabilities, revision, party, wrong)
  const shape = party === "client" ? "ClientCapabilities" : "ServerCapabilities"
  return { capabilities: narrowed(revision, shape, kept), wrong }
}

interface Sanitised {
  readonly capabilities: JsonObject
  readonly wrong: ReadonlyArray<string>
}

const nothing: ReadonlyArray<string> = []

/** Whether nothing has to go: what a careful peer says with every request is not copied each time. */
function isPlain(capabilities: JsonObject, revision: Revision, party: Party): boolean {
  for (const name in capabilities) {
    const value = capabilities[name]
    if (!hasName(revision, party, name) || !isObject(value)) return false
    if (name === "experimental") continue
    for (const setting in value)
      if (!isSetting(name, setting, value[setting]) || !hasName(revision, party, name, setting)) return false
  }
  return true
}

function cleaned(capabilities: JsonObject, revision: Revision, party: Party, wrong: Array<string>): JsonObject {
  const kept: Record<string, JsonObject> = {}
  for (const name of Object.keys(capabilities)) {
    if (!hasName(revision, party, name)) continue
    const value = capabilities[name]
    if (!isObject(value)) wrong.push(name)
    else kept[name] = name === "experimental" ? value : entries(name, value, wrong)
  }
  return kept
}

function entries(path: string, value: JsonObject, wrong: Array<string>): JsonObject {
  const kept: Record<string, JsonObject[string]> = {}
  for (const key of Object.keys(value)) {
    if (isSetting(path, key, value[key])) kept[key] = value[key]
    else if (key !== "__proto__") wrong.push(`${path}.${key}`)
  }
  return kept
}

/** Extensions have settings under their identifiers; everything else may be a flag too. Written like any other, `__proto__` would become one. */
const isSetting = (path: string, key: string, entry: unknown): boolean =>
  key !== "__proto__" && (isObject(entry) || (typeof entry === "boolean" && path !== "extensions"))
