/** What a server sent, entered into its ledger: under the request that it answers, or as its own word. */
import type { JsonObject } from "@parley/core"
import { subscriptionId } from "./asker.js"
import type { Fields } from "./envelope.js"
import { fields, isReplyMessage, own, succeeded } from "./envelope.js"
import type { BatchEntry, Entry, Reply } from "./ledger.js"
import { pairs } from "./pairs.js"
import type { ServerStep } from "./run.js"
import type { OutputOf, Page } from "./server-page.js"
import { byRequest } from "./specification.js"

/** `word`: the request that what led to this step is about. */
export function send(page: Page, { message, via }: OutputOf<"Send">, word: Entry | undefined, at: number): void {
  if (Array.isArray(message)) return sendBatch(page, message as ReadonlyArray<Fields>, via, at)
  const reply: Reply = { at, via, message: message as unknown as Fields }
  if (!isReplyMessage(reply.message)) return speak(page, reply, word)
  const entry = owner(page, reply, at)
  if (entry === undefined) page.strays.push(reply)
  else answer(page, entry, reply)
}

/** Which request the input of a step is about, when it is the word of a handler. */
export function wordOf(page: Page, { input }: ServerStep): Entry | undefined {
  if (input._tag === "Logged") return input.about === undefined ? undefined : page.about(input.about)
  return "call" in input ? page.about(input) : undefined
}

function speak(page: Page, { at, via, message }: Reply, word: Entry | undefined): void {
  const params = own(message, "params")
  const tag = own(own(params, "_meta"), subscriptionId)
  const acknowledges = message["method"] === "notifications/subscriptions/acknowledged"
  if (acknowledges) acknowledged(page, tag, own(params, "notifications"), at)
  const stream = tag === undefined ? undefined : page.entries.findLast((one) => isOf(one, tag, at))
  const id = own(message, "id") ?? own(params, "requestId")
  const asking = page.entries.find(({ asks }) => asks.some((ask) => ask.id === id))
  const about = stream === undefined ? (word ?? asking) : undefined
  const revision = tag !== undefined || acknowledges ? byRequest[0] : (about?.revision ?? page.revision())
  page.spoken.push({ at, via, message, moment: page.moment, about, tag, stream, revision })
  for (const { asks } of page.entries)
    for (const ask of asks)
      if (ask.id === own(message, "id") && ask.sentAt === undefined) {
        ask.sentAt = at
        ask.method = message["method"] as string
      }
}

/** A stream of that id, open or ended just now. */
const isOf = ({ read, stream, cancelledAt, replies }: Entry, tag: unknown, at: number): boolean =>
  stream !== undefined &&
  read.id === tag &&
  (cancelledAt === undefined || cancelledAt === at) &&
  (replies[0]?.at ?? at) === at

function acknowledged(page: Page, tag: unknown, honoured: unknown, at: number): void {
  const entry = page.entries.findLast(
    ({ read, asker, stream, inUse, replies, cancelledAt }) =>
      read.id === tag &&
      read.method === "subscriptions/listen" &&
      asker !== undefined &&
      stream === undefined &&
      !inUse &&
      replies.length === 0 &&
      cancelledAt === undefined
  )
  if (entry === undefined) return
  entry.stream = { from: at, honoured: fields(honoured) }
  page.live.push(entry)
}

/** Whom a reply belongs to: what arrived in this step before what arrived earlier. */
function owner(page: Page, { message }: Reply, at: number): Entry | undefined {
  const id = own(message, "id")
  const mine = (entry: Entry) =>
    entry.batch === undefined && entry.replies.length === 0 && entry.read.id === (id ?? undefined)
  const now = page.entries.findLast((entry) => entry.at === at && mine(entry))
  if (now !== undefined || id === undefined || id === null) return now
  return page.entries.findLast((entry) => mine(entry) && (entry.call !== undefined || entry.stream !== undefined))
}

function sendBatch(page: Page, messages: ReadonlyArray<Fields>, via: string | undefined, at: number): void {
  const open = page.batches.filter((batch) => batch.via === via && batch.sentAt === undefined)
  const batch = open.find((candidate) => pairs(due(candidate), messages) !== undefined)
  if (batch === undefined) {
    for (const message of messages) page.strays.push({ at, via, message })
    return
  }
  batch.sentAt = at
  pairs(due(batch), messages)!.forEach((entry, index) => answer(page, entry, { at, via, message: messages[index]! }))
}

function answer(page: Page, entry: Entry, reply: Reply): void {
  entry.replies.push(reply)
  const { read, asker } = entry
  if (read.method === "server/discover" && asker?.fault === undefined && succeeded(reply.message))
    page.discovered.push({ at: reply.at, capabilities: own(reply.message["result"], "capabilities") })
  const opens = read.method === "initialize" && asker === undefined && page.moment === "unopened"
  if (!opens || !succeeded(reply.message)) return
  const result = reply.message["result"] as JsonObject
  page.opened = { asked: own(read.params, "protocolVersion"), result, client: own(read.params, "capabilities") }
  page.moment = "opened"
}

const due = ({ members }: BatchEntry): ReadonlyArray<Entry> =>
  members.filter((entry) => entry.cancelledAt === undefined)
