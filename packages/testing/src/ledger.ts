/** A server's run in double entry: every message that came in, and what went out for it. */
import type { Definition, JsonObject, RevisionName } from "@parley/core"
import type { Question, Target } from "@parley/core/server"
import type { Fields, Read } from "./envelope.js"

/** Where the conversation is: before `initialize` was answered, before `notifications/initialized`, after. */
export type Moment = "unopened" | "opened" | "ready"

export interface Reply {
  readonly at: number
  readonly via: string | undefined
  readonly message: Fields
}

/** A message that may be answered: a request, or something that could not be read. */
export interface Entry {
  readonly read: Read
  readonly at: number
  readonly via: string
  readonly batch: BatchEntry | undefined
  readonly moment: Moment
  readonly revision: RevisionName | undefined
  /** What was registered when it came. */
  readonly definition: Definition
  /** Another request with that id was under way. */
  readonly inUse: boolean
  readonly stopping: boolean
  readonly crowd: number
  readonly replies: Array<Reply>
  /** The number of its handler's present run, or of the last one. */
  call?: number
  target?: Target
  /** What its handler has asked the client. */
  readonly asks: Array<AskEntry>
  /** From the step at which its handler asked to the one at which it ran again. */
  readonly pauses: Array<{ readonly from: number; to?: number }>
  finishedAt?: number
  cancelledAt?: number
  interruptedAt?: number
}

/** A question to the client: asked, perhaps held back, answered or given up. */
export interface AskEntry {
  readonly id: number
  /** What the handler wanted to know. */
  readonly question: Question
  readonly askedAt: number
  sentAt?: number
  method?: string
  closedAt?: number
}

export interface BatchEntry {
  readonly via: string
  readonly members: Array<Entry>
  sentAt?: number
}

export interface Ledger {
  readonly entries: ReadonlyArray<Entry>
  /** Replies that belong to nothing that was asked. */
  readonly strays: ReadonlyArray<Reply>
  /** Requests and notifications of the server's own. */
  readonly spoken: ReadonlyArray<Reply & { readonly moment: Moment }>
  /** Handlers run for no request. */
  readonly orphans: ReadonlyArray<{ readonly at: number; readonly call: number }>
  /** Handlers that ran again for something else than the first time. */
  readonly strayed: ReadonlyArray<{ readonly at: number; readonly entry: Entry }>
  readonly opened: { readonly asked: unknown; readonly result: JsonObject; readonly client: unknown } | undefined
  readonly closedAt: number | undefined
  /** Where the conversation is after each step. */
  readonly moments: ReadonlyArray<Moment>
  /** From this step on no request is taken. */
  readonly stoppingAt: number | undefined
  /** From this step on the client says nothing more, and is still there to hear. */
  readonly silentAt: number | undefined
}

export const isLive = (entry: Entry): boolean =>
  entry.call !== undefined &&
  entry.finishedAt === undefined &&
  entry.cancelledAt === undefined &&
  entry.replies.length === 0

/** Whether its handler waits for the client's answers at the end of a step. */
export const waitsAt = ({ pauses }: Entry, at: number): boolean =>
  pauses.some(({ from, to }) => from <= at && (to === undefined || to > at))

/** Whether its handler waits for the client's answers now. */
export const waits = ({ pauses }: Entry): boolean => pauses.length > 0 && pauses.at(-1)!.to === undefined
