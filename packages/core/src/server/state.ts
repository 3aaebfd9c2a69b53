/** Where the conversation is: what was agreed, which requests are not answered yet, and what the client wants to hear of. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { JsonObject } from "../json.js"
import type { Request, RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Peer } from "../peer.js"
import type { RevisionName } from "../revision.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"
import type { Answer, Call, Output, Via } from "./vocabulary.js"

export interface State {
  readonly phase: Phase
  /** Requests that are not answered yet, by the peer's id. */
  readonly inFlight: Trie<InFlight>
  /** Batches that are not answered yet. */
  readonly batches: Batches
  /** By our id of a question that is not answered yet, the request that it serves. */
  readonly asked: Trie<RequestId>
  /** Resources of whose updates the client wants to hear, by URI. */
  readonly subscriptions: Trie<string>
  /** Streams that clients asked for and that have not ended, by the id of their request. */
  readonly listens: Trie<Listen>
  /** The least severe log message the client wants; undefined before it has said so. */
  readonly level: string | undefined
  /** The next number for a call, a batch or a question. */
  readonly next: number
  readonly stopping: boolean
  /** The client sends nothing more, so nobody answers a question. */
  readonly silent: boolean
}

export type Params = JsonObject | undefined

/** What a step comes to. */
export type Next = Step<State, Output>

export type Phase =
  | { readonly _tag: "Unopened" }
  /** `initialize` was answered. `held`: what to tell of once the peer is ready to hear. */
  | {
      readonly _tag: "Opened"
      readonly peer: Peer
      readonly held: ReadonlyArray<News>
    }
  | { readonly _tag: "Ready"; readonly peer: Peer }
  | { readonly _tag: "Closed" }

/** That a list changed, or the resource of that URI. */
export interface News {
  readonly method: string
  readonly uri?: string | undefined
}

/** Who opened the session, once somebody has. */
export const peerOf = (phase: Phase): Peer | undefined => (phase as { readonly peer?: Peer }).peer

/** What a reply is about, and where it goes; no id and no method where they could not be read, and no peer before it is known who asks. */
export interface About {
  readonly via: Via
  readonly batch: number | undefined
  readonly id: RequestId | undefined
  readonly method: string | undefined
  readonly peer: Peer | undefined
}

/** A request that is served, and where its reply goes. */
export interface Served extends About {
  readonly id: RequestId
  readonly method: string
}

/** A request whose answer comes last. */
export interface Listen {
  readonly id: RequestId
  readonly via: Via
  readonly method: string
  /** The oldest has the lowest. */
  readonly order: number
  readonly revision: RevisionName
  /** What of its wish is honoured, as it was acknowledged; and all that it names, such as URIs, with the filter that does. */
  readonly honoured: JsonObject
  readonly wanted: Trie<string>
}

export interface InFlight extends Served {
  readonly params: Params
  readonly call: Call
  /** Who asked: by its revision the request is served to its end. */
  readonly peer: Peer
  /** The least severe log message that the request itself wants. */
  readonly level: string | undefined
  /** On whose behalf it came, where that is known. */
  readonly principal: string | undefined
  readonly stage: Stage
  /** The last progress told. */
  readonly progress: number | undefined
  /** How many log messages the handler has come by, over all its runs, and in the present one. */
  readonly logged: number
  readonly passed: number
  readonly asking: Asking | undefined
  /** Whether the request creates a task: its result says so. */
  readonly task: boolean
}

/** Whether it is with its handler, or with whoever seals what it remembers (`payload`): its questions then wait, or its answers. */
export type Stage =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Sealing"; readonly questions: JsonObject; readonly payload: JsonObject }
  | { readonly _tag: "Unsealing"; readonly token: string; readonly responses: JsonObject }

export const runs: Stage = { _tag: "Running" }

/** What a handler has asked so far, over all its runs. */
export interface Asking {
  /** Questions that are not answered yet; the handler runs again when there are none. */
  readonly open: ReadonlyArray<Asked>
  readonly answers: { readonly [key: string]: Answer }
  /** What the handler wants to be done once. */
  readonly once: JsonObject
}

export interface Asked {
  /** Our id of the question. */
  readonly ask: number
  readonly key: string
  readonly method: string
  /** The question itself, when it was asked before the client was ready to hear it. */
  readonly held: Request | undefined
}

export const initial: State = {
  phase: { _tag: "Unopened" },
  inFlight: empty(),
  batches: noBatches,
  asked: empty(),
  subscriptions: empty(),
  listens: empty(),
  level: undefined,
  next: 1,
  stopping: false,
  silent: false
}

/** The next state with other requests in flight, written out whole: it happens twice in every call. */
export const withInFlight = (state: State, inFlight: Trie<InFlight>, next = state.next): State => ({
  phase: state.phase,
  inFlight,
  batches: state.batches,
  asked: state.asked,
  subscriptions: state.subscriptions,
  listens: state.listens,
  level: state.level,
  next,
  stopping: state.stopping,
  silent: state.silent
})

/** The next state when something else changes. */
export const becoming = (state: State, change: Partial<State>): State =>
  Object.assign(withInFlight(state, state.inFlight), change)

/** Nothing is left but the numbers that were used. */
export const closed = ({ next }: State): State => becoming(initial, { phase: { _tag: "Closed" }, next, stopping: true })

/** What changes in a request while it is served. Written out whole: one that was decoded lacks what is undefined. */
export const entryBecoming = (entry: InFlight, change: Partial<InFlight>): InFlight => ({
  via: entry.via,
  batch: entry.batch,
  id: entry.id,
  method: entry.method,
  params: entry.params,
  call: change.call ?? entry.call,
  peer: entry.peer,
  level: entry.level,
  principal: entry.principal,
  stage: change.stage ?? entry.stage,
  progress: change.progress ?? entry.progress,
  logged: change.logged ?? entry.logged,
  passed: change.passed ?? entry.passed,
  asking: change.asking ?? entry.asking,
  task: entry.task
})
