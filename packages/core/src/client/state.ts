/** Where the conversation is, seen from the client: what was agreed, what we wait for, and what we are asked. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Peer } from "../peer.js"
import type { RevisionName } from "../revision.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Call, Output } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Calls that are not settled yet, by the id of the request that was made for them last. */
  readonly sent: Trie<Sent>
  /** That id by the call's number, where they differ. */
  readonly renamed: Trie<number>
  /** The highest id used so far. The next call's number must be greater. */
  readonly last: number
  /** What the server asks us and we have not answered yet, by the number of the ask. */
  readonly asks: Trie<Ask>
  /** That number by the server's id, where it asks by a request. */
  readonly asked: Trie<number>
  /** Batches of the server's that are not answered yet. */
  readonly batches: Batches
  /** The next number for an ask or a batch. */
  readonly next: number
  /** The id of the `initialize` by which another session is opened in place of one that was lost; 0 when there is none. */
  readonly reopening: number
  /** Mixed into the hashes of keys. It is the machine's, and not written down. */
  readonly salt: number
}

/** What a step comes to. */
export type Next = Step<State, Output>

export type Phase =
  | ({ readonly _tag: "Unopened" } & NoOpening & NoProof)
  | Opening
  | Open
  | ({ readonly _tag: "Closed"; readonly why: string } & NoOpening & NoProof)

/** What a phase never has may be asked of it all the same. */
interface NoOpening {
  readonly timing?: undefined
}

interface NoProof {
  readonly proof?: undefined
}

/** There are two ways to open. The first that is answered well is the one. */
export interface Opening extends NoProof {
  readonly _tag: "Opening"
  /** `initialize`, once it was sent. */
  readonly proposal: Attempt | undefined
  /** `server/discover`, once it was sent. */
  readonly probe: Attempt | undefined
  /** Whether the time runs after which the other way is tried. */
  readonly timing: boolean
  /** With what the proposal was refused, when the probe is all that is left. */
  readonly refusal: ErrorObject | undefined
}

export interface Attempt {
  readonly id: number
  readonly asked: RevisionName
  /** A version that the server named was tried already. */
  readonly retried: boolean
  /** Not answered yet. */
  readonly open: boolean
}

export interface Open extends NoOpening {
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
  readonly level: string | undefined
  /** What it was sent with last, kept where it may have to be sent again. */
  readonly params: JsonObject | undefined
  /** How many requests were answered by questions, and the one after them. */
  readonly rounds: number
  /** Whether it was sent again because the server would not take its version, or had ended the session. */
  readonly retried: boolean
  readonly stage: Stage
  /** The greatest progress heard, of all requests that were made for the call. */
  readonly heard: number | undefined
}

export type Stage =
  /** The request is under way. */
  | { readonly _tag: "Waiting" }
  /** Questions are put to the user; the request is made again when none is open. `answers`: what was answered, by their keys. */
  | {
      readonly _tag: "Asking"
      readonly answers: JsonObject
      readonly state: string | undefined
    }
  /** The server asked for nothing but another try, which comes in a moment. */
  | { readonly _tag: "Pausing"; readonly state: string | undefined }
  /** It is sent when there is a session again. */
  | { readonly _tag: "Held" }
  /** It is answered when it ends. Until it is acknowledged nothing is honoured. */
  | { readonly _tag: "Listening"; readonly honoured: JsonObject | undefined }

/** Where a reply of ours goes: to the channel that the question came by, or to the rest of its batch. */
export interface Way {
  readonly via: string
  readonly batch: number | undefined
}

/** A question that is open. */
export type Ask = Asked | Question

interface Asking {
  readonly ask: number
  readonly method: string
  /** How long it may stay open, in ms, when that is limited. */
  readonly ms: number | undefined
}

/** It came as a request. */
export interface Asked extends Asking, Way {
  readonly _tag: "Asked"
  readonly id: RequestId
  /** Whether it is answered by a task, which holds the answer later. */
  readonly task: boolean
  /** What the server wants to be told of progress by, when it does. */
  readonly token: RequestId | undefined
  /** The last progress told. */
  readonly told: number | undefined
  readonly about?: undefined
}

/** It came in a result. */
export interface Question extends Asking {
  readonly _tag: "Question"
  /** The request whose result asked. */
  readonly about: number
  readonly key: string
  readonly id?: undefined
  readonly task?: undefined
  readonly token?: undefined
}

export const initial = (salt: number): State => ({
  phase: { _tag: "Unopened" },
  sent: empty(),
  renamed: empty(),
  last: 0,
  asks: empty(),
  asked: empty(),
  batches: noBatches,
  next: 1,
  reopening: 0,
  salt
})

/** The next state, written out whole. */
export const becoming = (state: State, change: Partial<State>): State => ({
  phase: change.phase ?? state.phase,
  sent: change.sent ?? state.sent,
  renamed: change.renamed ?? state.renamed,
  last: change.last ?? state.last,
  asks: change.asks ?? state.asks,
  asked: change.asked ?? state.asked,
  batches: change.batches ?? state.batches,
  next: change.next ?? state.next,
  reopening: change.reopening ?? state.reopening,
  salt: state.salt
})

/** The same call a step further. Members that come later stand last, so that one that was read back is written down the same way. */
export const sentBecoming = (sent: Sent, change: Partial<Sent>): Sent => Object.assign({}, sent, change)

/** Whether the time runs in which the server is to say something; what is held waits for it as well. */
export const isDue = (stage: Stage): boolean =>
  stage._tag === "Waiting" || stage._tag === "Held" || (stage._tag === "Listening" && stage.honoured === undefined)

export const waiting: Stage = { _tag: "Waiting" }

export const held: Stage = { _tag: "Held" }
