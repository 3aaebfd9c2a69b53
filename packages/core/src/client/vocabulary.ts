/** The client machine's words: what can happen to it, and what it asks to be done. */
import type { Problem } from "../check.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, Message, RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Report } from "../report.js"
import type { Timer } from "../timer.js"

/** A number for one call, chosen outside: greater than every earlier one. It is also the request's id. */
export type Call = number

export type Input =
  /** Begin: propose the newest revision. */
  | { readonly _tag: "Open" }
  | Called
  /** The caller lost interest: the request is withdrawn and settled. */
  | { readonly _tag: "Abandoned"; readonly call: Call; readonly reason?: string | undefined }
  /** The request could not be written as JSON, and was not sent: it is settled, and the server hears nothing of it. */
  | { readonly _tag: "Unsent"; readonly call: Call; readonly why: string }
  /** The answer to an `Ask`. It is checked against the method's row before it is sent. */
  | { readonly _tag: "Answered"; readonly ask: number; readonly id: RequestId; readonly result: unknown }
  /** An `Ask` is answered with an error. */
  | { readonly _tag: "Declined"; readonly ask: number; readonly id: RequestId; readonly error: ErrorObject }
  | AskProgressed
  /** A notification of the client's own, of a task for instance. Sent where the revision has it and we declared what it needs. */
  | { readonly _tag: "Notified"; readonly method: string; readonly params: JsonObject }
  /** The roots changed. Told to the server if we declared that we would. */
  | { readonly _tag: "RootsChanged" }
  /** A parsed JSON value arrived. */
  | { readonly _tag: "Received"; readonly json: unknown; readonly via: string }
  /** Something arrived that is not JSON. It is reported and never answered. */
  | {
      readonly _tag: "Garbled"
      readonly why: "utf8" | "json" | "tooLarge"
      readonly via: string
      readonly detail?: string | undefined
    }
  | { readonly _tag: "TimerFired"; readonly timer: ClientTimer }
  /** Close: what is pending is settled at once. */
  | { readonly _tag: "Stopping" }
  /** Nothing more arrives. `detail` says why, readable by a person. */
  | { readonly _tag: "PeerClosed"; readonly detail: string }

/** How far the answer to an `Ask` is. Told to the server when it asked to be told and it is further than before. */
export interface AskProgressed {
  readonly _tag: "AskProgressed"
  readonly ask: number
  readonly id: RequestId
  readonly progress: number
  readonly total: number | undefined
  readonly message: string | undefined
  /** The `_meta` to tell it with, where the question belongs to a task for instance. */
  readonly meta?: JsonObject | undefined
}

/** A request for the server. Refused here, before anything is sent, unless the server declared what it needs. */
export interface Called {
  readonly _tag: "Called"
  readonly call: Call
  readonly method: string
  readonly params: JsonObject | undefined
  /** How long to wait for the reply, in ms. */
  readonly timeoutMs: number
  /** How long to wait in all when progress restarts the wait, in ms. Undefined: progress does not restart it. */
  readonly totalMs: number | undefined
  /** Ask the server for progress and hand it out. */
  readonly progress: boolean
}

export type Output =
  | {
      readonly _tag: "Send"
      readonly message: Message | ReadonlyArray<Message>
      readonly via: string | undefined
      readonly last: boolean
      readonly text: string | undefined
    }
  /** The two sides agreed. */
  | { readonly _tag: "Opened"; readonly asked: string; readonly peer: Peer; readonly instructions: string | undefined }
  /** They did not; `Close` follows. */
  | { readonly _tag: "OpenFailed"; readonly failure: CallError }
  /** A call is over. Exactly one for each `Called`. */
  | { readonly _tag: "Settle"; readonly call: Call; readonly outcome: Outcome }
  | {
      readonly _tag: "Progress"
      readonly call: Call
      readonly progress: number
      readonly total: number | undefined
      readonly message: string | undefined
    }
  /** The server asks something that we declared; come back with `Answered` or `Declined`. */
  | {
      readonly _tag: "Ask"
      readonly ask: number
      readonly id: RequestId
      readonly method: string
      readonly params: JsonObject | undefined
    }
  /** The answer is no longer wanted. */
  | { readonly _tag: "WithdrawAsk"; readonly ask: number; readonly reason: string | undefined }
  /**
   * A notification that the server was allowed to send. Progress is among them where its request was answered already and may
   * live on as a task: whoever follows the task knows whether it does.
   */
  | { readonly _tag: "Notice"; readonly method: string; readonly params: JsonObject | undefined }
  /** Close the exchange of a request, where that is how requests are withdrawn. */
  | { readonly _tag: "Abort"; readonly id: RequestId }
  | { readonly _tag: "StartTimer"; readonly timer: ClientTimer; readonly ms: number }
  | { readonly _tag: "StopTimer"; readonly timer: ClientTimer }
  | { readonly _tag: "Report"; readonly report: Report }
  /** Nothing is sent after this. */
  | { readonly _tag: "Close"; readonly reason: string }

export type Outcome =
  | { readonly _tag: "Succeeded"; readonly result: JsonObject }
  | { readonly _tag: "Failed"; readonly error: CallError }

/** Why a call has no result. */
export type CallError =
  /** The server answered with a JSON-RPC error. */
  | { readonly _tag: "Answered"; readonly method: string; readonly error: ErrorObject }
  /** The revision in force has no such request; nothing was sent. */
  | { readonly _tag: "MethodUnknown"; readonly method: string; readonly revision: string }
  /** The server did not declare what the method needs; nothing was sent. */
  | {
      readonly _tag: "MethodUndeclared"
      readonly method: string
      readonly needs: string
      readonly declared: ReadonlyArray<string>
    }
  /** Our own params are not valid; nothing was sent. */
  | { readonly _tag: "ParamsInvalid"; readonly method: string; readonly problem: Problem }
  /** The server's result is not what the revision in force says. */
  | { readonly _tag: "ResultInvalid"; readonly method: string; readonly problem: Problem }
  | { readonly _tag: "TimedOut"; readonly method: string; readonly ms: number; readonly total: boolean }
  | { readonly _tag: "Abandoned"; readonly method: string; readonly reason: string | undefined }
  /** The server offered a version that we do not speak. */
  | {
      readonly _tag: "VersionUnsupported"
      readonly asked: string
      readonly offered: string
      readonly spoken: ReadonlyArray<string>
    }
  /** There is no open session. */
  | { readonly _tag: "NotOpen"; readonly method: string; readonly why: string }
  /** The session ended before the reply came. */
  | { readonly _tag: "Closed"; readonly method: string; readonly why: string }

/**
 * All the timers there are.
 * `opening`: from `Open` to the initialize result. `request`: from a request to its reply, restarted by progress where asked for.
 * `total`: from a request to its reply, whatever happens in between. `ask`: from a question to its answer; its `call` is the ask.
 */
export type ClientTimer = Timer<"opening" | "request" | "total" | "ask">
