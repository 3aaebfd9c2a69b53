/** Where the conversation is, seen from the client: what was agreed, what we wait for, and what we are asked. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Peer } from "../peer.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Call, Output } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Requests that are not answered yet, by id, which is the call's number. */
  readonly sent: Trie<Sent>
  /** The highest id used so far. The next call's number must be greater. */
  readonly last: number
  /** What the server asks us and we have not answered yet, by its id. */
  readonly asked: Trie<Asked>
  /** The server's id of a question that may not stay open for ever, by the number of the ask. */
  readonly timed: Trie<RequestId>
  /** Batches of the server's that are not answered yet. */
  readonly batches: Batches
  /** The next number for an ask or a batch. */
  readonly next: number
}

/** What a step comes to. */
export type Next = Step<State, Output>

export type Phase =
  | { readonly _tag: "Unopened" }
  /** `initialize` is on its way, with this id. `retried`: a version that the server named was tried already. */
  | { readonly _tag: "Opening"; readonly id: RequestId; readonly asked: string; readonly retried: boolean }
  | { readonly _tag: "Open"; readonly peer: Peer }
  | { readonly _tag: "Closed"; readonly why: string }

export interface Sent {
  readonly call: Call
  readonly method: string
  /** Whether it is to be run as a task: then its result is the task. */
  readonly task: boolean
  readonly timeoutMs: number
  readonly totalMs: number | undefined
  /** Whether the caller wants to hear of progress. */
  readonly progress: boolean
  /** The last progress heard. */
  readonly heard: number | undefined
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
  last: 0,
  asked: empty(),
  timed: empty(),
  batches: noBatches,
  next: 1
}

/** The next state, written out whole. */
export const becoming = (state: State, change: Partial<State>): State => ({
  phase: change.phase ?? state.phase,
  sent: change.sent ?? state.sent,
  last: change.last ?? state.last,
  asked: change.asked ?? state.asked,
  timed: change.timed ?? state.timed,
  batches: change.batches ?? state.batches,
  next: change.next ?? state.next
})

export const heard = (sent: Sent, progress: number): Sent => ({
  call: sent.call,
  method: sent.method,
  task: sent.task,
  timeoutMs: sent.timeoutMs,
  totalMs: sent.totalMs,
  progress: sent.progress,
  heard: progress
})

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
