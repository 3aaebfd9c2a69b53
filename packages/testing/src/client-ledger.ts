/** A client's run in double entry: what the server asked and what became of it, what was called and how it ended. */
import type { JsonObject, RevisionName } from "@parley/core"
import type { Called, Outcome } from "@parley/core/client"
import type { Fields, Read } from "./envelope.js"

export interface Reply {
  readonly at: number
  readonly via: string | undefined
  readonly message: Fields
}

/** What became of something that was put to the user. */
interface Put {
  answeredAt?: number
  declined?: boolean
  withdrawnAt?: number
}

/** Something from the server that may be answered. */
export interface Question extends Put {
  readonly read: Read
  readonly at: number
  readonly via: string
  readonly batch: Array<Question> | undefined
  readonly revision: RevisionName | undefined
  readonly inUse: boolean
  readonly crowd: number
  readonly replies: Array<Reply>
  ask?: number
}

/** Something that a result asked. */
export interface Inside extends Put {
  readonly at: number
  readonly ask: number
  readonly method: string
  readonly params: unknown
  /** The call that waits for it, and the request of it that was answered so; nothing where there is none. */
  readonly about: Calling | undefined
  readonly round: Round | undefined
  /** By what key it was asked; nothing where that result asked no such thing. */
  readonly key: string | undefined
  response?: unknown
}

/** One request that was made for a call, and the first reply to it. */
export interface Round {
  readonly at: number
  readonly message: Fields
  reply?: { readonly at: number; readonly read: Read; readonly message: Fields }
}

export interface Calling {
  readonly called: Called
  readonly at: number
  readonly server: JsonObject | undefined
  readonly revision: RevisionName | undefined
  readonly rounds: Array<Round>
  readonly acknowledged: Array<{ readonly at: number; readonly honoured: JsonObject }>
  readonly settled: Array<{ readonly at: number; readonly outcome: Outcome }>
}

/** A request of the client's own, to open or to find out whether what was remembered still holds. */
export interface Attempt extends Round {
  readonly method: string
  readonly open: boolean
}

export interface ClientLedger {
  readonly questions: ReadonlyArray<Question>
  readonly inside: ReadonlyArray<Inside>
  readonly calls: ReadonlyArray<Calling>
  readonly attempts: ReadonlyArray<Attempt>
  readonly strays: ReadonlyArray<Reply>
  /** Asks put to the user for no question. */
  readonly orphans: ReadonlyArray<{ readonly at: number; readonly ask: number }>
  /** Requests that were made for no call and at no opening. */
  readonly foundlings: ReadonlyArray<Reply>
  /** Requests and notifications of the client's own. */
  readonly spoken: ReadonlyArray<Reply & { readonly open: boolean }>
  readonly openedAt: number | undefined
  readonly peer: { readonly revision: RevisionName; readonly capabilities: JsonObject } | undefined
  readonly closedAt: number | undefined
}

export const isOpen = (question: Put & { readonly ask?: number }): boolean =>
  question.ask !== undefined && question.answeredAt === undefined && question.withdrawnAt === undefined

/** Whether the call was under way when that step began. */
export const isUnderWay = ({ rounds, settled }: Calling, at: number): boolean =>
  rounds.length > 0 && rounds[0]!.at < at && (settled[0]?.at ?? Infinity) >= at

/** The last request that had been made for the call before that step. */
export const roundBefore = ({ rounds }: Calling, at: number): Round | undefined =>
  rounds.findLast((round) => round.at < at)

/** The call of that number for which something was sent: another that had it was refused for it. */
export const sentFor = (calls: ReadonlyArray<Calling>, call: number | undefined): Calling | undefined =>
  calls.findLast(({ called, rounds }) => called.call === call && rounds.length > 0)
