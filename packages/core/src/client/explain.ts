/** A call's error in words for a person: what was wrong, where, and what to do. */
import { told } from "../failure-of-either.js"
import { member } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import type { ElicitUrlParams } from "../wire/shapes.js"
import { isModern } from "./discover.js"
import type { CallError } from "./vocabulary.js"

export function explain(error: CallError): string {
  switch (error._tag) {
    case "Answered":
      return `${error.method} was answered with ${coded(error.error)}${advice(error.error)}`
    case "MethodUnknown":
      return `${error.method} is not a request that a client may send in ${error.revision}; nothing was sent`
    case "MethodUndeclared":
      return `${error.method} needs the capability ${error.needs}, and the server declared ${list(error.declared)}; nothing was sent`
    case "ParamsInvalid":
      return `The params for ${error.method} are not valid: ${told(error.problem)}; nothing was sent`
    case "ResultInvalid":
      return `The server's result for ${error.method} is not valid: ${told(error.problem)}`
    case "TimedOut":
      return `${error.method} was not answered within ${error.ms} ms${error.total ? " in all" : ""}${error.unproven ? `; ${doubt}` : ""}`
    case "Abandoned":
      return `${error.method} was abandoned${error.reason === undefined ? "" : `: ${error.reason}`}`
    case "VersionUnsupported":
      return `${disagreement(error)}; this client speaks ${error.spoken.join(", ")}${error.error ? ` (${coded(error.error)})` : ""}`
    case "AskRefused":
      return `${error.method} was not answered: the server asks for ${JSON.stringify(error.key)} first, and that was refused with ${coded(error.error)}`
    case "TooManyRounds":
      return `${error.method} was not answered: ${error.rounds} requests were made for it, and the server answered each by input_required`
    case "NotOpen":
      return `${error.method} can not be sent: ${error.why}`
    case "Refused":
    case "Closed":
      return `${error.method} was not answered: ${error.why}`
  }
}

/** What is said of an end that may have come of what was remembered. */
export const doubt =
  "the server was opened by what was remembered of it (`prior`), which may hold no longer: connect again without it"

const coded = ({ code, message }: ErrorObject): string => `error ${code}: ${message}`

/** What the two do not agree on. */
function disagreement(failure: Extract<CallError, { readonly _tag: "VersionUnsupported" }>): string {
  const { asked, offered, spoken, error } = failure
  if (offered.includes(asked)) return `The server refused version ${asked}, and yet names it as one that it speaks`
  // Newer than what was asked for, spoken, and yet no agreement: there is no handshake for it.
  if (error === undefined && spoken.some((name) => name > asked && offered.includes(name)))
    return `The server answered initialize of ${asked} with ${offered[0]}, which initialize never agrees on`
  if (offered.length > 0)
    return `The server offered version${offered.length === 1 ? "" : "s"} ${offered.join(", ")} when asked for ${asked}`
  return error === undefined || isModern(error)
    ? `The server does not speak version ${asked}, and names none that it speaks`
    : `The server refused server/discover of ${asked}, as those do that are opened by initialize`
}

/** What to do about the errors that ask for something to be done. */
function advice({ code, data }: ErrorObject): string {
  if (code === -32002) return " (the server has no such resource)"
  const pages = elicitationsIn(code, data)
  if (pages.length === 0) return ""
  return ` (call again after the user has visited ${pages.map(({ url, message }) => `${url}: ${message}`).join("; ")})`
}

/** 2025-11-25 client/elicitation, URL Elicitation Required Error: the pages to visit before the request can be served. */
export function elicitationsIn(code: number, data: unknown): ReadonlyArray<ElicitUrlParams> {
  const listed = member(data, "elicitations")
  if (code !== -32042 || !Array.isArray(listed)) return []
  return (listed as ReadonlyArray<unknown>).filter(
    (one): one is ElicitUrlParams =>
      ["url", "message", "elicitationId"].every((key) => typeof member(one, key) === "string") &&
      member(one, "mode") === "url"
  )
}

const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "no capabilities at all" : `only ${names.join(", ")}`
