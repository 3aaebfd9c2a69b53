/** The client machine's words: what can happen to it, and what it asks to be done. */
import type { Problem } from "../check.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, Message, RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Report } from "../report.js"
import type { Timer } from "../timer.js"

/**
 * A number for one call, chosen outside: greater than every earlier one, and than `last` of the state. It is also the id of the
 * request, or of its first round where the server asks before it answers: later rounds have ids of the machine's own.
 */
export type Call = number

/**
 * What is remembered of a server, as JSON that can be kept: that it is opened by `initialize`, or what it said of itself when it
 * was asked by `server/discover`. It holds for one configuration of one server, and for as long as that is not replaced.
 */
export type Prior = { readonly _tag: "Handshake" } | { readonly _tag: "Discovered"; readonly result: JsonObject }

export type Input =
  /** Begin: ask the server what it speaks, or propose the revision that the definition prefers. */
  | { readonly _tag: "Open" }
  | Called
  /** The caller lost interest: the request is withdrawn and settled. */
  | { readonly _tag: "Abandoned"; readonly call: Call; readonly reason?: string | undefined }
  /** The request with this id could not be written as JSON, and was not sent: its call is settled, and the server hears nothing of it. */
  | { readonly _tag: "Unsent"; readonly call: number; readonly why: string }
  /** The answer to an `Ask`. It is checked against the method's row before it is sent. */
  | { readonly _tag: "Answered"; readonly ask: number; readonly id: RequestId | undefined; readonly result: unknown }
  /** An `Ask` is answered with an error. Where the question came inside a result there is nobody to tell: the call fails with it. */
  | { readonly _tag: "Declined"; readonly ask: number; readonly id: RequestId | undefined; readonly error: ErrorObject }
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
  /**
   * The transport says of a request that it was refused, or that its exchange ended without a reply: its call is settled. `status`
   * is the transport's, 0 when there was none; `body` is for a person. Without an id it is reported.
   */
  | { readonly _tag: "Refused"; readonly id: RequestId | undefined; readonly status: number; readonly body: string }
  /**
   * The server has ended the session, up to 2025-11-25, and did not look at this request: another one is opened, once, and the
   * request is made again in it, as are those that are called meanwhile. What the server had asked is taken back.
   */
  | { readonly _tag: "SessionLost"; readonly id: RequestId | undefined }
  | { readonly _tag: "TimerFired"; readonly timer: ClientTimer }
  /** Close: what is pending is settled at once. */
  | { readonly _tag: "Stopping" }
  /** Nothing more arrives. `detail` says why, readable by a person. */
  | { readonly _tag: "PeerClosed"; readonly detail: string }

/** How far the answer to an `Ask` is. Told to the server when it asked to be told and it is further than before. */
export interface AskProgressed {
  readonly _tag: "AskProgressed"
  readonly ask: number
  readonly id: RequestId | undefined
  readonly progress: number
  readonly total: number | undefined
  readonly message: string | undefined
  /** The `_meta` to tell it with, where the question belongs to a task for instance. */
  readonly meta?: JsonObject | undefined
}

/**
 * A request for the server. Refused here, before anything is sent, unless the server declared what it needs. Since 2026-07-28
 * who we are and what we can be asked goes along in `_meta`, beside what the params have there; and a request that is answered
 * when it ends (`subscriptions/listen`) is acknowledged first.
 */
export interface Called {
  readonly _tag: "Called"
  readonly call: Call
  readonly method: string
  readonly params: JsonObject | undefined
  /** How long to wait for the reply to each round, in ms, or for the acknowledgement of what is answered when it ends. */
  readonly timeoutMs: number
  /**
   * How long to wait in all, in ms: for every round, for whoever is waited for, however often the wait is restarted. Undefined:
   * no limit but `timeoutMs` for each round, which progress does not restart then. What is answered when it ends has none.
   */
  readonly totalMs: number | undefined
  /** Whether progress restarts the wait for a reply, which needs a `totalMs`. Default true. */
  readonly resetOnProgress?: boolean
  /** Ask the server for progress and hand it out. */
  readonly progress: boolean
  /** The least severe log message wanted while it is served. Only where requests say so (2026-07-28). */
  readonly logLevel?: string | undefined
}

export type Output =
  | {
      readonly _tag: "Send"
      readonly message: Message | ReadonlyArray<Message>
      readonly via: string | undefined
      readonly last: boolean
      readonly text: string | undefined
    }
  /** The two sides agreed, or are taken to by `prior`. `prior` is what to remember of the server. */
  | {
      readonly _tag: "Opened"
      readonly asked: string
      readonly peer: Peer
      readonly instructions: string | undefined
      readonly prior: Prior
    }
  /** The session was lost and another one is open, of the same revision. What was set and subscribed in the old one is not in it. */
  | { readonly _tag: "Reopened"; readonly peer: Peer }
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
  /**
   * The server asks something that we declared; come back with `Answered` or `Declined`, and the same `ask` and `id`. Without an
   * id it came inside a result, and `about` is the call that goes on when all that was asked with it is answered.
   */
  | {
      readonly _tag: "Ask"
      readonly ask: number
      readonly id: RequestId | undefined
      readonly method: string
      readonly params: JsonObject | undefined
      readonly about?: Call | undefined
    }
  /** The answer is no longer wanted. */
  | { readonly _tag: "WithdrawAsk"; readonly ask: number; readonly reason: string | undefined }
  /**
   * A notification that the server was allowed to send; `about` is the stream it came on, where it must come on one. Progress is
   * among them where its request was answered already and may live on as a task: whoever follows the task knows whether it does.
   */
  | { readonly _tag: "Notice"; readonly method: string; readonly params: JsonObject | undefined; readonly about?: Call }
  /** The server began a stream. `honoured` is what it will tell of, out of what the call wanted; nothing else is handed out. */
  | { readonly _tag: "Acknowledged"; readonly call: Call; readonly honoured: JsonObject }
  /** Close the exchange of a request, where each has one of its own: nobody waits for what still comes by it. */
  | { readonly _tag: "Abort"; readonly id: RequestId }
  | { readonly _tag: "StartTimer"; readonly timer: ClientTimer; readonly ms: number }
  | { readonly _tag: "StopTimer"; readonly timer: ClientTimer }
  | { readonly _tag: "Report"; readonly report: Report }
  /** Nothing is sent after this. */
  | { readonly _tag: "Close"; readonly reason: string }

export type Outcome =
  /** `rounds`: how many requests it took, when the server asked before it answered: such a result is not to be kept. */
  | { readonly _tag: "Succeeded"; readonly result: JsonObject; readonly rounds?: number | undefined }
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
  /** `unproven`: the session was opened by what was remembered of the server, which has said nothing yet that fits it. */
  | {
      readonly _tag: "TimedOut"
      readonly method: string
      readonly ms: number
      readonly total: boolean
      readonly unproven?: true | undefined
    }
  | { readonly _tag: "Abandoned"; readonly method: string; readonly reason: string | undefined }
  /** The server speaks other versions than we do: those it offered, as far as it named any, and its error when it refused with one. */
  | {
      readonly _tag: "VersionUnsupported"
      readonly asked: string
      readonly offered: ReadonlyArray<string>
      readonly spoken: ReadonlyArray<string>
      readonly error?: ErrorObject | undefined
    }
  /** The server asked something before it would answer, under `key`, and nobody here answered it. The call is over. */
  | { readonly _tag: "AskRefused"; readonly method: string; readonly key: string; readonly error: ErrorObject }
  /** So many requests were made for it, and each was answered by `input_required`. */
  | { readonly _tag: "TooManyRounds"; readonly method: string; readonly rounds: number }
  /** The transport refused the request, or its exchange ended without a reply. `status` is the transport's own, 0 when there was none. */
  | { readonly _tag: "Refused"; readonly method: string; readonly status: number; readonly why: string }
  /** There is no open session. */
  | { readonly _tag: "NotOpen"; readonly method: string; readonly why: string }
  /** The session ended before the reply came. */
  | { readonly _tag: "Closed"; readonly method: string; readonly why: string }

/**
 * All the timers there are.
 * `opening`: from `Open` to `Opened`. `probe`: from one way of opening to trying the other.
 * `request`: from a request to its reply, restarted by progress where asked for; stopped while the user is asked.
 * `total`: from a call to its end, whatever happens in between. `ask`: from a question to its answer; its `call` is the ask.
 * `retry`: from a server that is not ready to the request made once more.
 */
export type ClientTimer = Timer<"opening" | "probe" | "request" | "total" | "ask" | "retry">
