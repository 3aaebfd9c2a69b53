/** The server machine's words: what can happen to it, and what it asks to be done. */
import type { Family } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, Message, RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Report } from "../report.js"
import type { Timer } from "../timer.js"
import type { LoggingLevel } from "../wire/shapes.js"

/** A token for the exchange a message came by. The machine only hands it back. */
export type Via = string

/** Our number for one running handler. Never used twice in a session. */
export type Call = number

export type Input =
  /** `header`: the version that the header of the transport names, if there is one. */
  | {
      readonly _tag: "Received"
      readonly json: unknown
      readonly via: Via
      readonly principal?: string | undefined
      readonly header?: string | undefined
    }
  /** Something arrived that is not JSON. */
  | { readonly _tag: "Garbled"; readonly why: "utf8" | "json" | "tooLarge"; readonly via: Via }
  /** A handler finished. `result` is checked against the method's row before it is sent. */
  | { readonly _tag: "Succeeded"; readonly call: Call; readonly id: RequestId; readonly result: unknown }
  | { readonly _tag: "Failed"; readonly call: Call; readonly id: RequestId; readonly failure: CallFailure }
  /** They did not fit the tool's schema; no handler ran. */
  | { readonly _tag: "ArgumentsRefused"; readonly call: Call; readonly id: RequestId; readonly why: string }
  /** A handler got further. Dropped unless the requester asked for progress and the number increases. */
  | {
      readonly _tag: "Progressed"
      readonly call: Call
      readonly id: RequestId
      readonly progress: number
      readonly total?: number | undefined
      readonly message?: string | undefined
    }
  /** A handler can not go on without input from the client. It will be run again when the answers are in. */
  | NeedsInput
  /** What `Seal` asked for; without a token it could not be done, and the call fails. */
  | { readonly _tag: "Sealed"; readonly call: Call; readonly id: RequestId; readonly token: string | undefined }
  /** What `Unseal` asked for; without a payload the token is wrong, expired or another's, and the request is refused. */
  | { readonly _tag: "Unsealed"; readonly call: Call; readonly id: RequestId; readonly payload: unknown }
  /** A message for the client's log. Dropped below the level that the client asked for. `call` and `id`: the request it is about. */
  | {
      readonly _tag: "Logged"
      readonly level: LoggingLevel
      readonly data: unknown
      readonly logger?: string | undefined
      readonly about?: { readonly call: Call; readonly id: RequestId } | undefined
    }
  /** A resource changed. Told to the client if it subscribed. */
  | { readonly _tag: "Updated"; readonly uri: string }
  /** A notification that nothing else tells: of a page that was visited, or of a task. Dropped where it may not be sent. */
  | { readonly _tag: "Notified"; readonly method: string; readonly params: JsonObject }
  /** What the request asked on behalf of its task need not be answered any more: the task was ended, or answered by another. */
  | { readonly _tag: "Overtaken"; readonly id: RequestId; readonly taskId: string }
  /** What is registered changed. The machine must be the one made from the changed definition. */
  | { readonly _tag: "Changed"; readonly families: ReadonlyArray<Family> }
  /** This state was decoded from elsewhere: what ran there does not run here. */
  | { readonly _tag: "Resumed" }
  | { readonly _tag: "TimerFired"; readonly timer: ServerTimer }
  /** Finish what was accepted, then close. */
  | { readonly _tag: "Stopping" }
  /** The client sends nothing more and may still read: as `Stopping`, but what waits for its answers is refused at once. */
  | { readonly _tag: "InputEnded" }
  /** The exchange of a request ended early. On handshake revisions this does not cancel the request, since 2026-07-28 it does. */
  | { readonly _tag: "ExchangeClosed"; readonly via: Via }
  | { readonly _tag: "PeerClosed" }

export type Output =
  | Send
  | Invoke
  /** The handler's result is no longer wanted. */
  | { readonly _tag: "Interrupt"; readonly call: Call; readonly reason: string | undefined }
  | { readonly _tag: "StartTimer"; readonly timer: ServerTimer; readonly ms: number }
  | { readonly _tag: "StopTimer"; readonly timer: ServerTimer }
  /** A notification for the user's code. */
  | { readonly _tag: "Notice"; readonly method: string; readonly params: JsonObject | undefined }
  /** Seal the payload so that nobody else can read or change it, and come back with `Sealed`. `bound` is to be told again to open it. */
  | {
      readonly _tag: "Seal"
      readonly call: Call
      readonly id: RequestId
      readonly payload: JsonObject
      readonly bound: string
    }
  /** Open what was sealed under the same `bound`, and come back with `Unsealed`. */
  | {
      readonly _tag: "Unseal"
      readonly call: Call
      readonly id: RequestId
      readonly token: string
      readonly bound: string
    }
  | { readonly _tag: "Report"; readonly report: Report }
  /** Nothing is sent after this. */
  | { readonly _tag: "Close"; readonly reason: string }

/** `via` undefined: the session's own stream. `last`: the exchange may end. `text`: `message` already serialised. */
export interface Send {
  readonly _tag: "Send"
  readonly message: Message | ReadonlyArray<Message>
  readonly via: Via | undefined
  readonly last: boolean
  readonly text: string | undefined
}

/** Run a handler, and come back with `Succeeded`, `Failed` or `ArgumentsRefused`. */
export interface Invoke {
  readonly _tag: "Invoke"
  readonly call: Call
  readonly id: RequestId
  readonly target: Target
  readonly peer: Peer
  /** The request's `_meta`, as it came. */
  readonly meta: JsonObject | undefined
  /** True when the requester asked to be told of progress. */
  readonly progress: boolean
  /** What the client answered in earlier runs of this call, by key. */
  readonly answers: { readonly [key: string]: Answer } | undefined
  /** What earlier runs of this call wanted to be done once, by key. */
  readonly once: JsonObject | undefined
  /** On whose behalf the request came, where that is known. */
  readonly principal: string | undefined
}

export interface NeedsInput {
  readonly _tag: "NeedsInput"
  readonly call: Call
  readonly id: RequestId
  readonly questions: ReadonlyArray<Question>
  /** Kept, and handed to the next run. */
  readonly once: JsonObject
}

/** One question: a request that the client must have declared. `key` names it in the answers. */
export interface Question {
  readonly key: string
  readonly method: string
  readonly params: JsonObject | undefined
}

export type Answer =
  | { readonly _tag: "Answered"; readonly result: JsonObject }
  | { readonly _tag: "Refused"; readonly error: ErrorObject }
  | { readonly _tag: "TimedOut" }

export type Target =
  | {
      readonly _tag: "Tool"
      readonly name: string
      readonly arguments: JsonObject
      /** Set when the call is to be a task: what comes back is a `CreateTaskResult`, at once. */
      readonly task?: { readonly ttl?: number }
    }
  | { readonly _tag: "Prompt"; readonly name: string; readonly arguments: { readonly [name: string]: string } }
  | { readonly _tag: "Method"; readonly method: string; readonly params: JsonObject | undefined }

export type CallFailure =
  /** The handler threw. The caller learns no more than that; a tool's caller gets it as an `isError` result. */
  | { readonly _tag: "Crashed" }
  /** The tool says what went wrong, for the model to read: an `isError` result with this text. */
  | { readonly _tag: "Told"; readonly text: string }
  | { readonly _tag: "ResourceUnknown"; readonly uri: string }
  /**
   * The request can not be served to who did not declare these, such as `elicitation.url`: `-32021` where there is such an error
   * (since 2026-07-28); before, it is told by `text`.
   */
  | { readonly _tag: "CapabilityMissing"; readonly needs: ReadonlyArray<string>; readonly text: string }
  /** A JSON-RPC error of the handler's choice. */
  | { readonly _tag: "Chosen"; readonly code: number; readonly message: string; readonly data?: unknown }

/**
 * All the timers there are.
 * `drain`: started by `Stopping` while requests are in flight; when it fires they are answered with an error.
 * `ask`: from a question to its answer; `call` is the question's id. When it fires the question is withdrawn.
 */
export type ServerTimer = Timer<"drain" | "ask">

export const drain: ServerTimer = { of: "drain", call: 0 }
