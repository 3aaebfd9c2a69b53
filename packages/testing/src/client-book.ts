/** Enters a client's run into its ledger, step by step. */
import type { RequestId } from "@parley/core"
import type { Output } from "@parley/core/client"
import { CallBook } from "./client-calls.js"
import type { ClientLedger, Question, Reply } from "./client-ledger.js"
import { isOpen } from "./client-ledger.js"
import type { Fields } from "./envelope.js"
import { isReplyMessage, own, reading, withdrawn } from "./envelope.js"
import { pairs } from "./pairs.js"
import type { ClientRun, ClientStep } from "./run.js"
import { hasBatches } from "./specification.js"

type Ask = Extract<Output, { readonly _tag: "Ask" }>

export function clientLedgerOf(run: ClientRun): ClientLedger {
  const book = new ClientBook()
  run.steps.forEach((step, at) => book.enter(step, at))
  return book
}

class ClientBook extends CallBook implements ClientLedger {
  readonly questions: Array<Question> = []
  readonly strays: Array<Reply> = []
  readonly orphans: Array<{ readonly at: number; readonly ask: number }> = []
  readonly spoken: Array<Reply & { readonly open: boolean }> = []
  readonly batches: Array<{ readonly via: string; readonly members: Array<Question>; sent: boolean }> = []
  openedAt: number | undefined
  peer: ClientLedger["peer"]
  closedAt: number | undefined

  enter({ input, outputs }: ClientStep, at: number): void {
    const asks = outputs.flatMap((output) => (output._tag === "Ask" ? [output] : []))
    if (input._tag === "Received") this.receive(input.json, input.via, at, asks)
    if (input._tag === "Called") this.called(input, this.peer, at)
    if (input._tag === "Answered" || input._tag === "Declined") this.answer(input, at)
    for (const ask of asks)
      if (ask.id === undefined) this.ask(ask, at)
      else if (!this.questions.some((question) => question.ask === ask.ask)) this.orphans.push({ at, ask: ask.ask })
    for (const output of outputs) {
      if (output._tag === "Acknowledged") this.acknowledged(output.call, output.honoured, at)
      if (output._tag === "Opened") {
        this.openedAt ??= at
        this.peer = output.peer
      }
      if (output._tag === "Send") this.send(output.message, output.via, input, at)
      if (output._tag === "WithdrawAsk") this.back(output.ask, input, at)
      if (output._tag === "Close") this.closedAt ??= at
      if (output._tag === "Settle") this.settle(output.call, output.outcome, at)
    }
  }

  private receive(json: unknown, via: string, at: number, asks: ReadonlyArray<Ask>): void {
    const left = asks.filter(({ id }) => id !== undefined)
    if (!Array.isArray(json)) return this.member(json, via, at, undefined, left)
    if (json.length === 0 || !hasBatches(this.peer?.revision)) return
    const members: Array<Question> = []
    this.batches.push({ via, members, sent: false })
    for (const member of json as ReadonlyArray<unknown>) this.member(member, via, at, members, left)
  }

  private member(json: unknown, via: string, at: number, batch: Array<Question> | undefined, left: Array<Ask>): void {
    const read = reading(json)
    this.replied(read, json, at)
    if (read.kind === "request" || (read.kind === "garbage" && !read.replyish)) {
      const open = this.questions.filter(isOpen)
      const inUse = read.id !== undefined && this.isInUse(read.id, open)
      const question: Question = {
        read,
        at,
        via,
        batch,
        revision: this.peer?.revision,
        inUse,
        crowd: open.length,
        replies: []
      }
      if (!inUse && read.kind === "request" && left[0]?.id === read.id) question.ask = left.shift()!.ask
      this.questions.push(question)
      batch?.push(question)
    }
    const id = withdrawn(read)
    const gone =
      id === undefined ? undefined : this.questions.find((question) => question.read.id === id && isOpen(question))
    if (gone !== undefined) gone.withdrawnAt = at
  }

  /** By a question that is open, or whose reply waits for the rest of its batch. */
  private isInUse(id: RequestId, open: ReadonlyArray<Question>): boolean {
    const same = (other: Question): boolean => other.read.id === id && !other.inUse
    return (
      open.some(same) ||
      this.batches.some(
        ({ members, sent }) => !sent && members.some((other) => same(other) && other.withdrawnAt === undefined)
      )
    )
  }

  private answer(input: Extract<ClientStep["input"], { _tag: "Answered" | "Declined" }>, at: number): void {
    if (this.closedAt === undefined) this.answered(input, at)
    const question = this.questions.find(
      (other) => other.ask === input.ask && other.read.id === input.id && isOpen(other)
    )
    if (question === undefined || this.closedAt !== undefined) return
    question.answeredAt = at
    question.declined = input._tag === "Declined"
  }

  /** By the server, by the end, or because its time ran out: then it is still answered. */
  private back(ask: number, input: ClientStep["input"], at: number): void {
    this.takenBack(ask, at)
    const question = this.questions.find((other) => other.ask === ask)
    if (question === undefined) return
    if (input._tag === "TimerFired") question.answeredAt ??= at
    else question.withdrawnAt ??= at
  }

  private send(message: unknown, via: string | undefined, input: ClientStep["input"], at: number): void {
    if (Array.isArray(message)) return this.sendBatch(message as ReadonlyArray<Fields>, via, at)
    const reply: Reply = { at, via, message: message as Fields }
    if (isReplyMessage(reply.message)) {
      const question = this.owner(reply, at)
      if (question === undefined) this.strays.push(reply)
      else question.replies.push(reply)
      return
    }
    this.spoken.push({ at, via, message: reply.message, open: this.openedAt !== undefined })
    if (own(reply.message, "id") !== undefined) this.sent(reply.message, input, via, this.openedAt !== undefined, at)
  }

  private owner({ message }: Reply, at: number): Question | undefined {
    const id = own(message, "id")
    const mine = (question: Question) =>
      question.batch === undefined && question.replies.length === 0 && question.read.id === (id ?? undefined)
    const now = this.questions.findLast((question) => question.at === at && mine(question))
    return (
      now ??
      (isNone(id) ? undefined : this.questions.findLast((question) => mine(question) && question.ask !== undefined))
    )
  }

  private sendBatch(messages: ReadonlyArray<Fields>, via: string | undefined, at: number): void {
    const batch = this.batches.find(
      (candidate) => !candidate.sent && candidate.via === via && pairs(due(candidate.members), messages) !== undefined
    )
    if (batch === undefined) {
      for (const message of messages) this.strays.push({ at, via, message })
      return
    }
    batch.sent = true
    pairs(due(batch.members), messages)!.forEach((question, index) =>
      question.replies.push({ at, via, message: messages[index]! })
    )
  }
}

const isNone = (id: unknown): boolean => id === undefined || id === null

const due = (members: ReadonlyArray<Question>): ReadonlyArray<Question> =>
  members.filter(({ withdrawnAt }) => withdrawnAt === undefined)
