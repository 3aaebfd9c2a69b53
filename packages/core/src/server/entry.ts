/** The request that a handler's word is about; a word that comes too late finds none. */
import type { RequestId } from "../jsonrpc.js"
import type { Revision } from "../revision.js"
import { insert, lookup, remove, values } from "../trie.js"
import type { Compiled, Spoken } from "./compiled.js"
import type { InFlight, State } from "./state.js"
import { entryBecoming, withInFlight } from "./state.js"
import type { Call, Output } from "./vocabulary.js"

export function running({ limits }: Compiled, state: State, word: Word): InFlight | undefined {
  const entry = lookup(state.inFlight, word.id, limits.salt)
  return entry?.call === word.call ? entry : undefined
}

type Word = { readonly call: Call; readonly id: RequestId }

/** The revision by which a request is served to its end. */
export const spokenFor = ({ spoken, newest }: Compiled, { peer }: InFlight): Spoken =>
  spoken.get(peer.revision) ?? newest

export const revisionOf = (compiled: Compiled, entry: InFlight): Revision => spokenFor(compiled, entry).revision

/** Whether its questions are not answered yet. */
export const waits = ({ asking }: InFlight): boolean => asking !== undefined && asking.open.length > 0

/** Whether no handler runs at present, for whatever reason. */
const idle = (entry: InFlight): boolean => waits(entry) || entry.stage._tag !== "Running"

/** Stops the handler, when one runs. */
export const interrupt = (entry: InFlight, reason: string | undefined): ReadonlyArray<Output> =>
  idle(entry) ? [] : [{ _tag: "Interrupt", call: entry.call, reason }]

/** The state in which a request has become that. */
export const changed = ({ limits }: Compiled, state: State, entry: InFlight, change: Partial<InFlight>): State =>
  withInFlight(state, insert(state.inFlight, entry.id, entryBecoming(entry, change), limits.salt))

/** The state in which a request is no longer in flight. */
export const without = ({ limits }: Compiled, state: State, entry: InFlight): State =>
  withInFlight(state, remove(state.inFlight, entry.id, limits.salt))

/** All requests in flight, in the order of their calls. */
export const inOrder = (state: State): ReadonlyArray<InFlight> =>
  values(state.inFlight).toSorted((a, b) => a.call - b.call)
