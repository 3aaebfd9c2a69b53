/** Where the conversation is: what was agreed, and which requests are not answered yet. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { Family } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { RevisionName } from "../revision.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Call, Via } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Requests whose handler runs, by the peer's id. */
  readonly inFlight: Trie<InFlight>
  /** Batches that are not answered yet, by our number. */
  readonly batches: Batches
  /** The next number for a call or a batch. */
  readonly next: number
  readonly stopping: boolean
}

export type Phase =
  | { readonly _tag: "Unopened" }
  /** `initialize` was answered. `changed`: lists to announce once the peer is ready to hear. */
  | { readonly _tag: "Opened"; readonly peer: Peer; readonly changed: ReadonlyArray<Family> }
  | { readonly _tag: "Ready"; readonly peer: Peer }
  | { readonly _tag: "Closed" }

export interface InFlight {
  readonly id: RequestId
  readonly call: Call
  readonly via: Via
  readonly batch: number | undefined
  readonly method: string
  readonly tool: string | undefined
  readonly revision: RevisionName
  readonly token: RequestId | undefined
  readonly progress: number | undefined
  /** Kept only where the tool says it may be run again after a restart. */
  readonly again: JsonObject | undefined
}

export const initial: State = {
  phase: { _tag: "Unopened" },
  inFlight: empty(),
  batches: noBatches,
  next: 1,
  stopping: false
}

export const inPhase = (state: State, phase: Phase): State => ({
  phase,
  inFlight: state.inFlight,
  batches: state.batches,
  next: state.next,
  stopping: state.stopping
})

export const withInFlight = (state: State, inFlight: Trie<InFlight>, next: number): State => ({
  phase: state.phase,
  inFlight,
  batches: state.batches,
  next,
  stopping: state.stopping
})

export const withBatches = (state: State, batches: Batches, next: number): State => ({
  phase: state.phase,
  inFlight: state.inFlight,
  batches,
  next,
  stopping: state.stopping
})

export const stopped = (state: State): State => ({
  phase: state.phase,
  inFlight: state.inFlight,
  batches: state.batches,
  next: state.next,
  stopping: true
})

export const closed = (state: State): State => ({
  phase: { _tag: "Closed" },
  inFlight: empty(),
  batches: noBatches,
  next: state.next,
  stopping: true
})

export const progressed = (entry: InFlight, progress: number): InFlight => ({
  id: entry.id,
  call: entry.call,
  via: entry.via,
  batch: entry.batch,
  method: entry.method,
  tool: entry.tool,
  revision: entry.revision,
  token: entry.token,
  progress,
  again: entry.again
})
