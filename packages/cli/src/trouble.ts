/** What can go wrong, as an exit code, a sentence that says what happened, and one that says what to do. */
import { CallError } from "@parley/client"
import type { ErrorObject, JsonObject } from "@parley/core"
import { member } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import { block, brief } from "./clean.js"
import { eraOf, opens } from "./era.js"
import type { Exit } from "./exits.js"
import { promises } from "./options.js"
import { isRecord } from "./schema.js"

export interface Trouble {
  readonly exit: Exit
  /** Where the exit code says less: a server that was there and left. */
  readonly kind?: Exit | "left"
  readonly message: string
  readonly remedy: string | undefined
  /** The server's own, when it answered with a JSON-RPC error. */
  readonly code?: number
  readonly data?: unknown
}

/** Thrown wherever the work can not go on. */
export class Stop extends Error {
  override readonly name = "Stop"
  readonly trouble: Trouble

  constructor(exit: Exit, message: string, remedy?: string) {
    super(message)
    this.trouble = { exit, message, remedy }
  }
}

/** What was tried when it went wrong, for a better word on what to do. */
export interface Circumstances {
  /** Which signal ended it. */
  readonly interrupted: "interrupted" | "terminated" | undefined
  /** The time allowed, in words, when it is over. */
  readonly expired: string | undefined
  /** Why we ended it ourselves. */
  readonly ended: Stop | undefined
}

export const uneventful: Circumstances = { interrupted: undefined, expired: undefined, ended: undefined }

export function troubleOf(error: unknown, { interrupted, expired, ended }: Circumstances): Trouble {
  if (interrupted !== undefined) return { exit: interrupted, message: interrupted, remedy: undefined }
  if (error instanceof Stop) return error.trouble
  if (ended !== undefined) return ended.trouble
  if (error instanceof RangeError)
    return {
      exit: "refused",
      message: "the server sent something that is nested too deep to be read",
      remedy: undefined
    }
  if (!(error instanceof CallError)) return ours(error)
  if (expired !== undefined) {
    const { reason } = error
    return late(`${"method" in reason ? reason.method : "the call"} was not answered ${expired}`)
  }
  return ofCall(error)
}

/** Nobody foresaw it. */
const ours = (error: unknown): Trouble => ({
  exit: "broken",
  message: block(`this should not have happened: ${String(error)}`),
  remedy: "please report it, with what the server sends (--verbose)"
})

function ofCall(error: CallError): Trouble {
  const message = block(error.message)
  const { reason } = error
  switch (reason._tag) {
    case "Answered":
      return {
        exit: opens(reason.method) ? "unopened" : "refused",
        message,
        remedy: remedyFor(reason.method, reason.error),
        code: reason.error.code,
        ...(reason.error.data !== undefined && { data: reason.error.data })
      }
    case "VersionUnsupported":
      return { exit: "unopened", message, remedy: remedyForVersions(reason.offered, reason.spoken) }
    case "TimedOut":
      return late(message)
    case "WalkTooLong":
      return { exit: "refused", message, remedy: "this is a mistake of the server's: a list has an end" }
    case "Refused":
      return { exit: opens(reason.method) ? "unopened" : "refused", message, remedy: undefined }
    case "NotOpen":
    case "Closed": {
      // That the opening came to nothing goes without saying.
      const why = opens(reason.method) ? block(reason.why) : message
      const kind = opens(reason.method) ? undefined : ("left" as const)
      return { exit: "unopened", ...(kind !== undefined && { kind }), message: why, remedy: remedyOf(why) }
    }
    case "Abandoned":
      return { exit: "interrupted", message, remedy: undefined }
    case "ParamsInvalid":
    case "ArgumentsInvalid":
      return {
        exit: "usage",
        message,
        remedy: "see the argument table of `parley inspect`; --unchecked sends them all the same"
      }
    case "CursorInvalid":
      return { exit: "refused", message, remedy: "its lists change faster than they can be read; try again" }
    case "TaskUnsupported":
    case "Unwatchable":
    case "NotificationUnknown":
      return { exit: "refused", message, remedy: undefined }
    case "AskRefused":
      return {
        exit: "refused",
        message,
        remedy: "answer it at a terminal; what it asks of a model you may write with --allow-sampling"
      }
    case "TooManyRounds":
      return { exit: "refused", message, remedy: "this is a mistake of the server's: --verbose shows what it asks" }
    case "ToolUnlisted":
      return { exit: "refused", message, remedy: "names are exact: see `parley inspect`" }
    case "ResultInvalid":
      if (opens(reason.method))
        return { exit: "unopened", message, remedy: "this is a mistake of the server's; --verbose shows its answer" }
      return { exit: "refused", message, remedy: "this is a mistake of the server's; --verbose shows its answer" }
    case "StructuredContentInvalid":
      return { exit: "refused", message, remedy: "this is a mistake of the server's; --unchecked prints its answer" }
    case "MethodUnknown":
      return { exit: "refused", message, remedy: "another --revision may have it" }
    case "MethodUndeclared":
      return { exit: "refused", message, remedy: "the server has to declare the capability" }
  }
}

const late = (message: string): Trouble => ({
  exit: "timeout",
  message,
  remedy: "give it more time with --timeout <ms>, or see with --verbose what it does"
})

function remedyFor(method: string, { code, data }: ErrorObject): string | undefined {
  // 2026-07-28 basic, Error Codes: what the client did not declare and the server can not do without.
  const required = member(data, "requiredCapabilities")
  if (code === -32021 && isRecord(required)) {
    const names = named(required)
    return names.every((name) => promises.includes(name))
      ? `declare what it needs: --client-capabilities ${names.join(",")}`
      : `it serves only clients that can do more than this one: ${names.map(brief).join(", ")}`
  }
  if (!opens(method)) return undefined
  const supported = member(data, "supported")
  const modern =
    Array.isArray(supported) && supported.some((one) => typeof one === "string" && eraOf(one) === "request")
  return modern
    ? "it speaks a version that is opened by server/discover, and did not answer that as it must: this is a mistake of the server's"
    : "the server speaks to clients of another kind; try --revision 2024-11-05"
}

/** `{"elicitation":{"form":{}}}` as `elicitation.form`. */
const named = (required: JsonObject): ReadonlyArray<string> =>
  Object.entries(required).flatMap(([name, flags]) =>
    isRecord(flags) && Object.keys(flags).length > 0 ? Object.keys(flags).map((flag) => `${name}.${flag}`) : [name]
  )

/** Whether this program could speak to it, were it not told otherwise. */
function remedyForVersions(offered: ReadonlyArray<string>, spoken: ReadonlyArray<string>): string {
  const untried = offered.find((name) => revisionNamed(name) !== undefined && !spoken.includes(name))
  if (untried !== undefined) return `leave out --revision, or say --revision ${untried}`
  if (offered.length === 0 && spoken.every((name) => eraOf(name) === "request"))
    return "leave out --revision: a server of an older version is opened by initialize"
  return "the server is newer or older than this client: update one of them"
}

function remedyOf(message: string): string | undefined {
  if (/ENOENT|was not found|there is no file/.test(message)) return "check the spelling, and that it is installed"
  if (/could not be started/.test(message)) return "run the command by itself to see why"
  if (/exited with code 127/.test(message)) return "a command inside it was not found: run the command by itself"
  if (/exited with code|was killed by/.test(message))
    return "run the command by itself; variables it needs are given by --env NAME=value or --env NAME, others than the usual ones are not passed on"
  if (/closed its standard output/.test(message)) return "a server must keep its stdout open for as long as it serves"
  return undefined
}
