/** Keeps the ledger of a server's run, step by step. */
import type { Definition, JsonObject, RequestId, RevisionName } from "@parley/core"
import type { Fields, Read } from "./envelope.js"
import { isReplyMessage, own, plainParams, reading, succeeded, withdrawn } from "./envelope.js"
import type { BatchEntry, Entry, Ledger, Moment, Reply } from "./ledger.js"
import { isLive, waits } from "./ledger.js"
import { pairs } from "./pairs.js"
import type { ServerRun, ServerStep } from "./run.js"
import { hasBatches } from "./specification.js"

const ledgers = new WeakMap<ServerRun, Ledger>()

/** The same for the same run. */
export function ledgerOf(run: ServerRun): Ledger {
  const known = ledgers.get(run)
  if (known !== undefined) return known
  const book = new Book(run.definition)
  run.steps.forEach((step, at) => book.enter(step, at))
  ledgers.set(run, book)
  return book
}

class Book implements Ledger {
  readonly entries: Array<Entry> = []
  readonly strays: Array<Reply> = []
  readonly spoken: Array<Reply & { readonly moment: Moment }> = []
  readonly orphans: Array<{ readonly at: number; readonly call: number }> = []
  readonly strayed: Array<{ readonly at: number; readonly entry: Entry }> = []
  readonly batches: Array<BatchEntry> = []
  opened: Ledger["opened"]
  closedAt: number | undefined
  readonly moments: Array<Moment> = []
  stoppingAt: number | undefined
  silentAt: number | undefined
  private moment: Moment = "unopened"
  private live: Array<Entry> = []
  private definition: Definition

  constructor(definition: Definition) {
    this.definition = definition
  }

  enter({ input, outputs, changed }: ServerStep, at: number): void {
    this.definition = changed?.definition ?? this.definition
    const invokes = outputs.flatMap((output) => (output._tag === "Invoke" ? [output] : []))
    if (input._tag === "Received") this.receive(input.json, input.via, at, invokes)
    if (input._tag === "Received") this.brokenReply(input.json, outputs, at)
    if (input._tag === "Garbled") this.add(reading(undefined), input.via, at, undefined)
    if (input._tag === "Stopping" || input._tag === "InputEnded") this.stoppingAt ??= at
    if (input._tag === "InputEnded") this.fallSilent(at)
    if (input._tag === "NeedsInput") this.needsInput(input, outputs, at)
    else if ("call" in input && input._tag !== "Progressed") this.finish(input, at)
    if (input._tag === "TimerFired" && input.timer.of === "ask") this.answered(input.timer.call, at, true)
    for (const invoked of invokes) this.ranAgain(invoked, at)
    for (const output of outputs) {
      if (output._tag === "Send") this.send(output.message, output.via, at)
      if (output._tag === "Interrupt") this.interrupt(output.call, at)
      if (output._tag === "Close") this.closedAt ??= at
    }
    this.live = this.live.filter(isLive)
    this.moments.push(this.moment)
  }

  /** Takes from the handlers that were run those that a member of the message ran; they are in the order of the members. */
  private receive(json: unknown, via: string, at: number, invokes: Array<Invoked>): void {
    const isBatch = Array.isArray(json) && json.length > 0 && this.moment !== "unopened" && hasBatches(this.revision())
    if (!isBatch) return this.member(json, via, at, undefined, invokes)
    const batch: BatchEntry = { via, members: [] }
    this.batches.push(batch)
    for (const member of json as ReadonlyArray<unknown>) this.member(member, via, at, batch, invokes)
  }

  private member(json: unknown, via: string, at: number, batch: BatchEntry | undefined, invokes: Array<Invoked>): void {
    const read = reading(json)
    if (read.kind === "request" || (read.kind === "garbage" && !read.replyish)) {
      const entry = this.add(read, via, at, batch)
      if (entry.inUse || invokes[0]?.id !== read.id || read.kind !== "request") return
      const { call, target } = invokes.shift()!
      entry.call = call
      entry.target = target
      this.live.push(entry)
    }
    if (read.kind === "reply" && typeof read.id === "number") {
      this.answered(read.id, at)
      if (invokes[0] !== undefined && this.isDue(invokes[0])) this.ranAgain(invokes.shift()!, at)
    }
    const id = withdrawn(read)
    const gone = id === undefined ? undefined : this.live.find((entry) => entry.read.id === id && isLive(entry))
    if (gone !== undefined) gone.cancelledAt = at
    const initialized = read.kind === "notification" && read.method === "notifications/initialized"
    if (initialized && this.moment === "opened" && plainParams(read.params)) this.moment = "ready"
  }

  private add(read: Read, via: string, at: number, batch: BatchEntry | undefined): Entry {
    const entry: Entry = {
      read,
      at,
      via,
      batch,
      moment: this.moment,
      revision: this.revision(),
      definition: this.definition,
      inUse: read.id !== undefined && this.isInUse(read.id),
      stopping: this.stoppingAt !== undefined,
      crowd: this.live.filter(isLive).length,
      replies: [],
      asks: [],
      pauses: []
    }
    this.entries.push(entry)
    batch?.members.push(entry)
    return entry
  }

  /** By a request whose handler runs, or whose reply waits for the rest of its batch. */
  private isInUse(id: RequestId): boolean {
    const same = (other: Entry): boolean => other.read.id === id && !other.inUse
    return (
      this.live.some((other) => same(other) && isLive(other)) ||
      this.batches.some(
        ({ members, sentAt }) =>
          sentAt === undefined && members.some((other) => same(other) && other.cancelledAt === undefined)
      )
    )
  }

  /** The questions that were taken on have each a timer; where none was, the call has failed. */
  private needsInput({ call, id, questions }: NeedsInput, outputs: ServerStep["outputs"], at: number): void {
    const entry = this.live.find(
      (other) => other.call === call && other.read.id === id && isLive(other) && !waits(other)
    )
    if (entry === undefined || this.closedAt !== undefined) return
    const ids = outputs.flatMap((output) =>
      output._tag === "StartTimer" && output.timer.of === "ask" ? [output.timer.call] : []
    )
    if (ids.length === 0) entry.finishedAt = at
    else entry.pauses.push({ from: at })
    for (const [index, ask] of ids.entries())
      if (index < questions.length) entry.asks.push({ id: ask, question: questions[index]!, askedAt: at })
  }

  /** The client answers nothing any more: whose handler waits for it is done. */
  private fallSilent(at: number): void {
    this.silentAt ??= at
    for (const entry of this.live) if (isLive(entry) && waits(entry)) entry.finishedAt = at
  }

  /** A reply that can not be read but for its id may still be taken for one, as bad as a refusal. */
  private brokenReply(json: unknown, outputs: ServerStep["outputs"], at: number): void {
    for (const { id, kind, replyish } of listed(json).map(reading))
      if (kind === "garbage" && replyish && outputs.some((output) => stops(output, id))) this.answered(id as number, at)
  }

  /** A question that the client has not heard yet can run out of time, and can not be answered. */
  private answered(id: number, at: number, timedOut = false): void {
    for (const entry of this.live.filter(isLive))
      for (const ask of entry.asks) if (ask.id === id && (ask.sentAt !== undefined || timedOut)) ask.closedAt ??= at
  }

  /** Whether it belongs to a handler whose last question was just answered. */
  private isDue({ id }: Invoked): boolean {
    const entry = this.live.find((other) => other.read.id === id && isLive(other))
    return entry !== undefined && waits(entry) && entry.asks.every(({ closedAt }) => closedAt !== undefined)
  }

  private ranAgain({ call, id, target }: Invoked, at: number): void {
    const entry = this.live.find((other) => other.read.id === id && isLive(other))
    const waited = entry !== undefined && waits(entry)
    const due = waited ? entry.asks.every(({ closedAt }) => closedAt !== undefined) : entry?.call === call
    if (entry === undefined || !due) return void this.orphans.push({ at, call })
    if (waited) entry.pauses.at(-1)!.to = at
    entry.call = call
    if (JSON.stringify(target) !== JSON.stringify(entry.target)) this.strayed.push({ at, entry })
  }

  private finish({ call, id }: { readonly call: number; readonly id: RequestId }, at: number): void {
    const entry = this.live.find(
      (other) => other.call === call && other.read.id === id && isLive(other) && !waits(other)
    )
    if (entry !== undefined && this.closedAt === undefined) entry.finishedAt = at
  }

  private send(message: unknown, via: string | undefined, at: number): void {
    if (Array.isArray(message)) return this.sendBatch(message as ReadonlyArray<Fields>, via, at)
    const reply: Reply = { at, via, message: message as Fields }
    if (!isReplyMessage(reply.message)) {
      this.spoken.push({ at, via, message: reply.message, moment: this.moment })
      const id = own(reply.message, "id")
      for (const entry of this.entries)
        for (const ask of entry.asks)
          if (ask.id === id && ask.sentAt === undefined) {
            ask.sentAt = at
            ask.method = reply.message["method"] as string
          }
      return
    }
    const entry = this.owner(reply, at)
    if (entry === undefined) this.strays.push(reply)
    else this.answer(entry, reply)
  }

  /** Whom a reply belongs to: what arrived in this step before what arrived earlier. */
  private owner({ message }: Reply, at: number): Entry | undefined {
    const id = own(message, "id")
    const mine = (entry: Entry) =>
      entry.batch === undefined && entry.replies.length === 0 && entry.read.id === (id ?? undefined)
    const now = this.entries.findLast((entry) => entry.at === at && mine(entry))
    return (
      now ??
      (id === undefined || id === null
        ? undefined
        : this.entries.findLast((entry) => mine(entry) && entry.call !== undefined))
    )
  }

  private sendBatch(messages: ReadonlyArray<Fields>, via: string | undefined, at: number): void {
    const open = this.batches.filter((batch) => batch.via === via && batch.sentAt === undefined)
    const batch = open.find((candidate) => pairs(due(candidate), messages) !== undefined)
    if (batch === undefined) {
      for (const message of messages) this.strays.push({ at, via, message })
      return
    }
    batch.sentAt = at
    pairs(due(batch), messages)!.forEach((entry, index) => this.answer(entry, { at, via, message: messages[index]! }))
  }

  private answer(entry: Entry, reply: Reply): void {
    entry.replies.push(reply)
    if (entry.read.method !== "initialize" || !succeeded(reply.message) || this.moment !== "unopened") return
    const result = reply.message["result"] as JsonObject
    this.opened = {
      asked: own(entry.read.params, "protocolVersion"),
      result,
      client: own(entry.read.params, "capabilities")
    }
    this.moment = "opened"
  }

  private interrupt(call: number, at: number): void {
    const entry = this.entries.find((other) => other.call === call)
    if (entry !== undefined) entry.interruptedAt = at
  }

  private revision(): RevisionName | undefined {
    return this.opened?.result["protocolVersion"] as RevisionName | undefined
  }
}

const due = ({ members }: BatchEntry): ReadonlyArray<Entry> =>
  members.filter((entry) => entry.cancelledAt === undefined)

const listed = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? json : [json])

const stops = (output: ServerStep["outputs"][number], ask: unknown): boolean =>
  output._tag === "StopTimer" && output.timer.of === "ask" && output.timer.call === ask

type NeedsInput = Extract<ServerStep["input"], { _tag: "NeedsInput" }>
type Invoked = Extract<ServerStep["outputs"][number], { _tag: "Invoke" }>
