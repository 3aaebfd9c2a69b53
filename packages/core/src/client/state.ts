/** Where the conversation is, seen from the client: what was agreed, what we wait for, and what we are asked. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { JsonObject } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Peer } from "../peer.js"
import type { RevisionName } from "../revision.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Call, CallError, Output } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Calls that are not settled yet, by the id of the request that was made for them last. */
  readonly sent: Trie<Sent>
  /** That id by the call's number, where they differ. */
  readonly renamed: Trie<number>
  /** The highest id used so far. The next call's number must be greater. */
  readonly last: number
  /** What the server asks us and we have not answered yet, by its id. */
  readonly asked: Trie<Asked>
  /** The server's id of a question that may not stay open for ever, by the number of the ask. */
  readonly timed: Trie<RequestId>
  /** What results ask us, answered or not, by the number of the ask. */
  readonly questions: Trie<Question>
  /** Batches of the server's that are not answered yet. */
  readonly batches: Batches
  /** The next number for an ask or a batch. */
  readonly next: number
  /** The id of the `initialize` by which another session is opened in place of one that was lost; 0 when there is none. */
  readonly reopening: number
}

/** What a step comes to. */
export type Next = Step<State, Output>

export type Phase = { readonly _tag: "Unopened" } | Opening | Open | { readonly _tag: "Closed"; readonly why: string }

/** There are two ways to open. The first that is answered well is the one. */
export interface Opening {
  readonly _tag: "Opening"
  /** `initialize`, once it was sent. */
  readonly proposal: Attempt | undefined
  /** `server/discover`, once it was sent. */
  readonly probe: Attempt | undefined
  /** Whether the time runs after which the other way is tried. */
  readonly timing: boolean
  /** How the proposal was refused, when the probe is all that is left. */
  readonly refusal: Refusal | undefined
}

export type Refusal = Extract<CallError, { readonly _tag: "Answered" | "VersionUnsupported" }>

export interface Attempt {
  readonly id: number
  readonly asked: RevisionName
  /** A version that the server named was tried already. */
  readonly retried: boolean
  /** Not answered yet. */
  readonly open: boolean
}

export interface Open {
  readonly _tag: "Open"
  readonly peer: Peer
  /**
   * Undefined: the peer is what the server said. Else it is what was remembered: `needed` until the server says something that
   * does not fit, and then the id under which it is asked whether it still holds.
   */
  readonly proof: "needed" | number | undefined
}

export interface Sent {
  readonly call: Call
  /** Of the request that was made last: the call's number, or a number of ours when it had to be made again. */
  readonly id: number
  readonly method: string
  /** Whether it is to be run as a task: then its result is the task. */
  readonly task: boolean
  readonly timeoutMs: number
  readonly totalMs: number | undefined
  /** Whether progress restarts the wait. */
  readonly restarts: boolean
  /** Whether the caller wants to hear of progress. */
  readonly progress: boolean
  /** The greatest progress heard, of all requests that were made for the call. */
  readonly heard: number | undefined
  readonly level: string | undefined
  /** What it was sent with last, kept where it may have to be sent again. */
  readonly params: JsonObject | undefined
  /** How many requests were answered by questions, and the one after them. */
  readonly rounds: number
  /** Whether it was sent again because the server would not take its version, or had ended the session. */
  readonly retried: boolean
  readonly stage: Stage
}

export type Stage =
  /** The request is under way. */
  | { readonly _tag: "Waiting" }
  /** The questions `first` and so on are put to the user; the request is made again when none is open. */
  | {
      readonly _tag: "Asking"
      readonly first: number
      readonly count: number
      readonly open: number
      readonly state: string | undefined
    }
  /** The server asked for nothing but another try, which comes in a moment. */
  | { readonly _tag: "Pausing"; readonly state: string | undefined }
  /** It is sent when there is a session again. */
  | { readonly _tag: "Held" }
  /** It is answered when it ends. Until it is acknowledged nothing is honoured. */
  | { readonly _tag: "Listening"; readonly honoured: JsonObject | undefined }

/** Something that a result asks. */
export interface Question {
  readonly ask: number
  /** The request whose result asked. */
  readonly id: number
  readonly key: string
  readonly method: string
  readonly response: JsonObject | undefined
  /** How long it may stay open, in ms, when that is limited. */
  readonly ms: number | undefined
}

/** What a reply of ours is about, and where it goes; no id and no method where they could not be read. */
export interface About {
  readonly via: string
  readonly batch: number | undefined
  readonly id: RequestId | undefined
  readonly method: string | undefined
}

export interface Asked extends About {
  readonly id: RequestId
  readonly method: string
  readonly ask: number
  /** Whether it is answered by a task, which holds the answer later. */
  readonly task: boolean
  /** What the server wants to be told of progress by, when it does. */
  readonly token: RequestId | undefined
  /** The last progress told. */
  readonly told: number | undefined
  /** How long it may stay open, in ms, when that is limited. */
  readonly ms: number | undefined
}

export const initial: State = {
  phase: { _tag: "Unopened" },
  sent: empty(),
  renamed: empty(),
  last: 0,
  asked: empty(),
  timed: empty(),
  questions: empty(),
  batches: noBatches,
  next: 1,
  reopening: 0
}

/** The next state, written out whole. */
export const becoming = (state: State, change: Partial<State>): State => ({
  phase: change.phase ?? state.phase,
  sent: change.sent ?? state.sent,
  renamed: change.renamed ?? state.renamed,
  last: change.last ?? state.last,
  asked: change.asked ?? state.asked,
  timed: change.timed ?? state.timed,
  questions: change.questions ?? state.questions,
  batches: change.batches ?? state.batches,
  next: change.next ?? state.next,
  reopening: change.reopening ?? state.reopening
})

export const unanswered: Opening = {
  _tag: "Opening",
  proposal: undefined,
  probe: undefined,
  timing: false,
  refusal: undefined
}

export const openingBecoming = (phase: Opening, change: Partial<Opening>): Opening => ({
  _tag: "Opening",
  proposal: change.proposal ?? phase.proposal,
  probe: change.probe ?? phase.probe,
  timing: change.timing ?? phase.timing,
  refusal: change.refusal ?? phase.refusal
})

/** The same call a step further. */
export const sentBecoming = (sent: Sent, change: Partial<Sent>): Sent => ({
  call: sent.call,
  id: change.id ?? sent.id,
  method: sent.method,
  task: sent.task,
  timeoutMs: sent.timeoutMs,
  totalMs: sent.totalMs,
  restarts: sent.restarts,
  progress: sent.progress,
  heard: "heard" in change ? change.heard : sent.heard,
  level: sent.level,
  params: change.params ?? sent.params,
  rounds: change.rounds ?? sent.rounds,
  retried: change.retried ?? sent.retried,
  stage: change.stage ?? sent.stage
})

/** Whether the time runs in which the server is to say something. */
export const isDue = (stage: Stage): boolean =>
  stage._tag === "Waiting" || (stage._tag === "Listening" && stage.honoured === undefined)

export const waiting: Stage = { _tag: "Waiting" }

export const held: Stage = { _tag: "Held" }

export const told = (asked: Asked, progress: number): Asked => ({
  via: asked.via,
  batch: asked.batch,
  id: asked.id,
  method: asked.method,
  ask: asked.ask,
  task: asked.task,
  token: asked.token,
  told: progress,
  ms: asked.ms
})
