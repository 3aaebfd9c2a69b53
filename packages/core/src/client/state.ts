/** Where the conversation is, seen from the client: what was agreed, what we wait for, and what we are asked. */
import type { RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Asks } from "./asks.js"
import { noAsks } from "./asks.js"
import type { Call } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Requests that are not answered yet, by id, which is the call's number. */
  readonly sent: Trie<Sent>
  /** The highest id used so far. The next call's number must be greater. */
  readonly last: number
  readonly asks: Asks
}

export type Phase =
  | { readonly _tag: "Unopened" }
  /** `initialize` is on its way, with this id. `retried`: a version that the server named was tried already. */
  | { readonly _tag: "Opening"; readonly id: RequestId; readonly asked: string; readonly retried: boolean }
  | { readonly _tag: "Open"; readonly peer: Peer }
  | { readonly _tag: "Closed"; readonly why: string }

export interface Sent {
  readonly call: Call
  readonly method: string
  readonly timeoutMs: number
  readonly totalMs: number | undefined
  /** Whether the caller wants to hear of progress. */
  readonly progress: boolean
  /** The last progress heard. */
  readonly heard: number | undefined
}

export const initial: State = { phase: { _tag: "Unopened" }, sent: empty(), last: 0, asks: noAsks }

export const inPhase = (state: State, phase: Phase): State => ({
  phase,
  sent: state.sent,
  last: state.last,
  asks: state.asks
})

export const withSent = (state: State, sent: Trie<Sent>, last: number): State => ({
  phase: state.phase,
  sent,
  last,
  asks: state.asks
})

export const withAsks = (state: State, asks: Asks): State => ({
  phase: state.phase,
  sent: state.sent,
  last: state.last,
  asks
})

export const heard = (sent: Sent, progress: number): Sent => ({
  call: sent.call,
  method: sent.method,
  timeoutMs: sent.timeoutMs,
  totalMs: sent.totalMs,
  progress: sent.progress,
  heard: progress
})
