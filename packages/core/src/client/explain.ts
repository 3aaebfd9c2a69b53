/** A call's error in words for a person: what was wrong, where, and what to do. */
import { told } from "../failure-of-either.js"
import { member } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import type { ElicitUrlParams } from "../wire/shapes.js"
import type { CallError } from "./vocabulary.js"

export function explain(error: CallError): string {
  switch (error._tag) {
    case "Answered":
      return `${error.method} was answered with error ${error.error.code}: ${error.error.message}${advice(error.error)}`
    case "MethodUnknown":
      return `${error.method} is not a request that a client may send in ${error.revision}; nothing was sent`
    case "MethodUndeclared":
      return `${error.method} needs the capability ${error.needs}, and the server declared ${list(error.declared)}; nothing was sent`
    case "ParamsInvalid":
      return `The params for ${error.method} are not valid: ${told(error.problem)}; nothing was sent`
    case "ResultInvalid":
      return `The server's result for ${error.method} is not valid: ${told(error.problem)}`
    case "TimedOut":
      return `${error.method} was not answered within ${error.ms} ms${error.total ? " in all" : ""}`
    case "Abandoned":
      return `${error.method} was abandoned${error.reason === undefined ? "" : `: ${error.reason}`}`
    case "VersionUnsupported":
      return `${offer(error.offered)} when asked for ${error.asked}; this client speaks ${error.spoken.join(", ")}${words(error.error)}`
    case "AskRefused":
      return `${error.method} was not answered: the server asks for ${JSON.stringify(error.key)} first, and that was refused with error ${error.error.code}: ${error.error.message}`
    case "TooManyRounds":
      return `${error.method} was not answered: the server asked ${error.rounds} times instead`
    case "NotOpen":
      return `${error.method} can not be sent: ${error.why}`
    case "Closed":
      return `${error.method} was not answered: ${error.why}`
  }
}

const words = (error: ErrorObject | undefined): string =>
  error === undefined ? "" : ` (error ${error.code}: ${error.message})`

function offer(versions: ReadonlyArray<string>): string {
  switch (versions.length) {
    case 0:
      return "The server named no version that it speaks, as those do that are opened by initialize,"
    case 1:
      return `The server offered version ${versions[0]!}`
    default:
      return `The server offered versions ${versions.join(", ")}`
  }
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
