/** What a server says of itself when it is asked what it speaks, and what an error says of that. */
import * as key from "../envelope.js"
import type { JsonObject } from "../json.js"
import { isObject, member } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { isComplete, mistyped } from "./result-type.js"
import type { CallError } from "./vocabulary.js"

export const discover = "server/discover"

export interface Found {
  readonly peer: Peer
  readonly wrong: ReadonlyArray<string>
}

/** The peer it makes, in the first of our revisions that it speaks, or why it makes none. */
export function found({ modern, spoken }: Setup, { revision: asked }: Spoken, result: JsonObject): Found | CallError {
  const type = result["resultType"]
  const problem = isComplete(type) ? (asked.client[discover] as RequestRow).result(result) : mistyped(type)
  if (problem !== undefined) return { _tag: "ResultInvalid", method: discover, problem }
  const offered = textsIn(result["supportedVersions"])
  const agreed = among(modern, offered)
  if (agreed === undefined)
    return {
      _tag: "VersionUnsupported",
      asked: asked.name,
      offered,
      spoken: spoken.map(({ revision }) => revision.name)
    }
  const { revision } = agreed
  const { capabilities, wrong } = sanitised(result["capabilities"] as JsonObject, revision, "server")
  // 2026-07-28 basic, Per-response: it should be in `_meta`, and need not be there. Some say it beside the rest.
  const info = member(result["_meta"], key.serverInfo) ?? result["serverInfo"]
  const peer = { revision: revision.name, capabilities, info: isObject(info) ? (info as JsonObject) : undefined }
  return { peer, wrong }
}

export const isFound = (found: Found | CallError): found is Found => "peer" in found

/** The first of ours among theirs. */
export const among = (ours: ReadonlyArray<Spoken>, theirs: ReadonlyArray<string>): Spoken | undefined =>
  ours.find(({ revision }) => theirs.includes(revision.name))

/** The versions that an error names, when it does. */
export const versionsIn = ({ data }: ErrorObject): ReadonlyArray<string> => textsIn(member(data, "supported"))

const textsIn = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list) ? list.filter((one) => typeof one === "string") : []

/** 2026-07-28 basic, Error Codes: the version is not spoken. */
export const unsupported = -32022

/** Whether it is one of the errors that nobody has before 2026-07-28. */
export const isModern = ({ code }: ErrorObject): boolean => unsupported <= code && code <= -32020
