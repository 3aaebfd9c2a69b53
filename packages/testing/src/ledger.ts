/** A run in double entry: every message that came in, and what went out for it. */
import type { JsonObject, RequestId, RevisionName } from "@parley/core"
import type { Target } from "@parley/core/server"
import type { Fields, Read } from "./envelope.js"
import { isReplyMessage, own, plainParams, reading, succeeded, withdrawn } from "./envelope.js"
import type { ServerRun, ServerStep } from "./run.js"
import { hasBatches } from "./specification.js"

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
  /** Another request with that id was under way. */
  readonly inUse: boolean
  readonly stopping: boolean
  readonly crowd: number
  readonly replies: Array<Reply>
  call?: number
  target?: Target
  finishedAt?: number
  cancelledAt?: number
  interruptedAt?: number
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
  readonly opened: { readonly asked: unknown; readonly result: JsonObject; readonly client: unknown } | undefined
  readonly closedAt: number | undefined
}

export function ledgerOf(run: ServerRun): Ledger {
  const book = new Book()
  run.steps.forEach((step, at) => book.enter(step, at))
  return book
}

export const isLive = (entry: Entry): boolean =>
  entry.call !== undefined &&
  entry.finishedAt === undefined &&
  entry.cancelledAt === undefined &&
  entry.replies.length === 0

class Book implements Ledger {
  readonly entries: Array<Entry> = []
  readonly strays: Array<Reply> = []
  readonly spoken: Array<Reply & { readonly moment: Moment }> = []
  readonly orphans: Array<{ readonly at: number; readonly call: number }> = []
  readonly batches: Array<BatchEntry> = []
  opened: Ledger["opened"]
  closedAt: number | undefined
  moment: Moment = "unopened"
  stopping = false
  live: Array<Entry> = []

  enter({ input, outputs }: ServerStep, at: number): void {
    const invokes = outputs.flatMap((output) => (output._tag === "Invoke" ? [output] : []))
    if (input._tag === "Received") this.receive(input.json, input.via, at, invokes)
    if (input._tag === "Garbled") this.add(reading(undefined), input.via, at, undefined)
    if (input._tag === "Stopping") this.stopping = true
    if ("call" in input && input._tag !== "Progressed") this.finish(input, at)
    for (const { call } of invokes)
      if (!this.entries.some((entry) => entry.call === call)) this.orphans.push({ at, call })
    for (const output of outputs) {
      if (output._tag === "Send") this.send(output.message, output.via, at)
      if (output._tag === "Interrupt") this.interrupt(output.call, at)
      if (output._tag === "Close") this.closedAt ??= at
    }
    this.live = this.live.filter(isLive)
  }

  private receive(json: unknown, via: string, at: number, invokes: ReadonlyArray<Invoked>): void {
    const isBatch = Array.isArray(json) && json.length > 0 && this.moment !== "unopened" && hasBatches(this.revision())
    if (!isBatch) return this.member(json, via, at, undefined, [...invokes])
    const batch: BatchEntry = { via, members: [] }
    this.batches.push(batch)
    const left = [...invokes]
    for (const member of json as ReadonlyArray<unknown>) this.member(member, via, at, batch, left)
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
      inUse: read.id !== undefined && this.live.some((other) => other.read.id === read.id && isLive(other)),
      stopping: this.stopping,
      crowd: this.live.filter(isLive).length,
      replies: []
    }
    this.entries.push(entry)
    batch?.members.push(entry)
    return entry
  }

  private finish({ call, id }: { readonly call: number; readonly id: RequestId }, at: number): void {
    const entry = this.live.find((other) => other.call === call && other.read.id === id && isLive(other))
    if (entry !== undefined && this.closedAt === undefined) entry.finishedAt = at
  }

  private send(message: unknown, via: string | undefined, at: number): void {
    if (Array.isArray(message)) return this.sendBatch(message as ReadonlyArray<Fields>, via, at)
    const reply: Reply = { at, via, message: message as Fields }
    if (!isReplyMessage(reply.message)) {
      this.spoken.push({ at, via, message: reply.message, moment: this.moment })
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
    const batch = open.find((candidate) => pairs(candidate, messages) !== undefined)
    if (batch === undefined) {
      for (const message of messages) this.strays.push({ at, via, message })
      return
    }
    batch.sentAt = at
    pairs(batch, messages)!.forEach((entry, index) => this.answer(entry, { at, via, message: messages[index]! }))
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

type Invoked = Extract<ServerStep["outputs"][number], { _tag: "Invoke" }>

/** Which member each reply answers, or nothing when some reply answers none or some member that is due has no reply. */
function pairs({ members }: BatchEntry, messages: ReadonlyArray<Fields>): ReadonlyArray<Entry> | undefined {
  const due = members.filter((entry) => entry.cancelledAt === undefined)
  const found: Array<Entry> = []
  for (const message of messages) {
    const at = due.findIndex((entry) => entry.read.id === (own(message, "id") ?? undefined))
    if (at < 0) return undefined
    found.push(...due.splice(at, 1))
  }
  return due.length === 0 ? found : undefined
}
