/** What a server says when it is asked what it speaks, by either way of opening, and what an error says of that. */
import * as key from "../envelope.js"
import type { JsonObject } from "../json.js"
import { isObject, member } from "../json.js"
import type { Envelope, ErrorObject } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { isComplete, mistyped } from "./result-type.js"
import { namesOf } from "./spoken.js"
import type { CallError } from "./vocabulary.js"

/**
 * What came in reply to a request: a result, an error, or nothing that can be read, or the request was not sent. `final`: another
 * way of opening would end in the same.
 */
export type Reply =
  | (Extract<Envelope, { readonly _tag: "Result" | "Error" }> & { readonly final?: undefined })
  | {
      readonly _tag: "Broken"
      readonly failure: (method: string) => CallError
      readonly final?: boolean | undefined
    }

export interface Found {
  readonly peer: Peer
  readonly wrong: ReadonlyArray<string>
}

export const isFound = (found: Found | CallError): found is Found => "peer" in found

/** What the reply to an opening request comes to. */
export function judged(setup: Setup, asked: Spoken, ours: ReadonlyArray<Spoken>, reply: Reply): Found | CallError {
  switch (reply._tag) {
    case "Result":
      return found(setup, asked, ours, reply.message.result)
    case "Error":
      return { _tag: "Answered", method: asked.method, error: reply.message.error }
    case "Broken":
      return reply.failure(asked.method)
  }
}

/** The peer that a result makes, in the first of our revisions that it speaks, or why it makes none. */
export function found(setup: Setup, asked: Spoken, ours: ReadonlyArray<Spoken>, result: JsonObject): Found | CallError {
  const { method, envelope } = asked
  const type = envelope && result["resultType"]
  const row = asked.revision.client[method] as RequestRow
  const problem = isComplete(type) ? row.result(result) : mistyped(type)
  if (problem !== undefined) return { _tag: "ResultInvalid", method, problem }
  const offered = envelope ? textsIn(result["supportedVersions"]) : [result["protocolVersion"] as string]
  const revision = among(ours, offered)?.revision
  if (revision === undefined) return disagreement(setup, asked.revision.name, offered)
  const { capabilities, wrong } = sanitised(result["capabilities"] as JsonObject, revision, "server")
  // 2026-07-28 basic, Per-response: it should be in `_meta`, and need not be there. Some say it beside the rest.
  const info = member(envelope && result["_meta"], key.serverInfo) ?? result["serverInfo"]
  const peer = { revision: revision.name, capabilities, info: isObject(info) ? (info as JsonObject) : undefined }
  return { peer, wrong }
}

export const disagreement = (
  { spoken }: Setup,
  asked: string,
  offered: ReadonlyArray<string>,
  error?: ErrorObject
): CallError => ({ _tag: "VersionUnsupported", asked, offered, spoken: namesOf(spoken), error })

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
