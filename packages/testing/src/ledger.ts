/** A server's run in double entry: every message that came in, and what went out for it. */
import type { Definition, JsonObject, Peer, RevisionName } from "@parley/core"
import type { Output, Question, Target } from "@parley/core/server"
import type { Asker } from "./asker.js"
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
  /** Where the session is, when it is the session that asks: who says so himself is always ready. */
  readonly moment: Moment
  /** By which it is to be served. */
  readonly revision: RevisionName | undefined
  /** Who asks, when the request says so. */
  readonly asker: Asker | undefined
  /** What its client declared. */
  readonly client: unknown
  readonly principal: string | undefined
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
  /** Every time that its handler ran, and for whom. */
  readonly runs: Array<{ readonly at: number; readonly peer: Peer }>
  /** What its handler has asked the client. */
  readonly asks: Array<AskEntry>
  /** From the step at which its handler asked to the one at which it ran again. */
  readonly pauses: Array<{ readonly from: number; to?: number }>
  /** What it waits for: that its questions are sealed, or that what came with it is opened. */
  stage?: "Seal" | "Unseal"
  /** Since when it is a stream, and what of its wish is honoured. */
  stream?: { readonly from: number; readonly honoured: Fields }
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

/** What was to be sealed or opened, and for which request; nothing where none could want it. */
export interface SealEntry {
  readonly at: number
  readonly output: Seal
  readonly entry: Entry | undefined
}

export type Seal = Extract<Output, { _tag: "Seal" | "Unseal" }>

/** A message of the server's own. */
export interface Spoken extends Reply {
  readonly moment: Moment
  /** The request whose handler says it, or whose question it is about. */
  readonly about: Entry | undefined
  /** What it names as the stream it belongs to, and that stream, when there is one. */
  readonly tag: unknown
  readonly stream: Entry | undefined
  readonly revision: RevisionName | undefined
}

export interface Ledger {
  readonly entries: ReadonlyArray<Entry>
  /** Replies that belong to nothing that was asked. */
  readonly strays: ReadonlyArray<Reply>
  /** Requests and notifications of the server's own. */
  readonly spoken: ReadonlyArray<Spoken>
  readonly seals: ReadonlyArray<SealEntry>
  /** Handlers run for no request. */
  readonly orphans: ReadonlyArray<{ readonly at: number; readonly call: number }>
  /** Handlers that ran again for something else than the first time. */
  readonly strayed: ReadonlyArray<{ readonly at: number; readonly entry: Entry }>
  /** What the server said of itself to who asked what it is, each time. */
  readonly discovered: ReadonlyArray<{ readonly at: number; readonly capabilities: unknown }>
  readonly opened: { readonly asked: unknown; readonly result: JsonObject; readonly client: unknown } | undefined
  readonly closedAt: number | undefined
  /** Where the conversation is after each step. */
  readonly moments: ReadonlyArray<Moment>
  /** From this step on no request is taken. */
  readonly stoppingAt: number | undefined
  /** From this step on the client says nothing more, and is still there to hear. */
  readonly silentAt: number | undefined
}

/** What the server says of itself to who opens by no handshake: as it said first, and where nobody asked, as it would. */
export const announcedBy = ({ discovered }: Ledger, definition: Definition): unknown =>
  discovered.length === 0 ? definition.capabilities : discovered[0]!.capabilities

export const isLive = (entry: Entry): boolean =>
  entry.call !== undefined &&
  entry.finishedAt === undefined &&
  entry.cancelledAt === undefined &&
  entry.replies.length === 0

/** Whether it is a stream that nobody has ended. */
export const isOpenStream = (entry: Entry): boolean =>
  entry.stream !== undefined && entry.cancelledAt === undefined && entry.replies.length === 0

/** Whether it was such a stream when that step began. */
export const wasOpenStream = ({ stream, cancelledAt, replies }: Entry, at: number): boolean =>
  stream !== undefined && stream.from < at && (cancelledAt ?? Infinity) >= at && (replies[0]?.at ?? Infinity) >= at

/** Whether its handler waits for the client's answers at the end of a step. */
export const waitsAt = ({ pauses }: Entry, at: number): boolean =>
  pauses.some(({ from, to }) => from <= at && (to === undefined || to > at))

/** Whether its handler waits for the client's answers now. */
export const waits = ({ pauses }: Entry): boolean => pauses.length > 0 && pauses.at(-1)!.to === undefined
