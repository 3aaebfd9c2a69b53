/** A server answers each request once, under its own id, and a notification never. */
import { codeOf, own, reading } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { AskEntry, Entry, Ledger } from "../ledger.js"
import { waitsAt } from "../ledger.js"
import { ledgerOf } from "../server-book.js"
import type { ServerRun } from "../run.js"

/** 3: at most one reply, exactly one once the handler is done, none after a cancellation, none to a notification. */
export function* oneReply(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const { at, message } of ledger.strays) yield { at, why: `a reply to nothing: ${brief(message)}` }
  for (const entry of ledger.entries) {
    if (ledger.closedAt !== undefined && entry.at > ledger.closedAt) continue
    const [reply, second] = entry.replies
    const called = entry.read.method || "a message"
    if (second !== undefined) yield { at: second.at, why: `${called} was answered twice` }
    if (reply !== undefined && entry.cancelledAt !== undefined)
      yield { at: reply.at, why: `${called} was answered after it had been cancelled` }
    if (reply !== undefined && entry.call !== undefined && entry.finishedAt === undefined && !cutShort(run, reply.at))
      yield { at: reply.at, why: `${called} was answered before its handler was done` }
    if (reply !== undefined && entry.stream !== undefined && !endsStreams(run, reply.at))
      yield { at: reply.at, why: `${called} was answered, and its stream goes on` }
    if (reply === undefined && owed(run, ledger, entry))
      yield { at: dueAt(ledger, entry), why: `${called} was never answered` }
  }
  yield* brokenReplies(run, ledger)
}

/** A reply to an open question that can not be read is still a reply, or is refused: whoever sent it has nothing more to say. */
function* brokenReplies(run: ServerRun, ledger: Ledger): Iterable<Violation> {
  for (const [at, { input, outputs }] of run.steps.entries()) {
    if (input._tag !== "Received" || (ledger.closedAt ?? Infinity) <= at) continue
    const { id, kind } = reading(input.json)
    if (kind !== "garbage" || typeof id !== "number" || own(input.json, "method") !== undefined) continue
    const question = ledger.entries.flatMap(({ asks }) => asks).find((ask) => ask.id === id && isOpenAt(ask, at))
    if (question === undefined || !isLiveAsk(ledger, question, at)) continue
    const settled = outputs.some((one) => one._tag === "StopTimer" && one.timer.of === "ask" && one.timer.call === id)
    const refused = outputs.some((one) => one._tag === "Send" && own(one.message, "id") === id)
    if (settled === refused)
      yield {
        at,
        why: `question ${id} got a broken reply, which was ${settled ? "both taken and" : "neither taken nor"} refused`
      }
  }
}

/** 4: an id in use is refused, its first request is unaffected, and ids come back in value and type. */
export function* idsKept(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const { at, message } of ledger.strays) {
    const id = own(message, "id")
    if (id !== undefined && id !== null) yield { at, why: `no request had the id ${brief(id)}` }
  }
  for (const entry of ledger.entries) {
    if (!entry.inUse || entry.read.kind !== "request") continue
    const [reply] = entry.replies
    if (reply !== undefined && codeOf(reply.message) !== -32600)
      yield { at: reply.at, why: `the id ${brief(entry.read.id)} was in use and was not refused` }
    const first = ledger.entries.find((other) => other.call !== undefined && other.interruptedAt === entry.at)
    if (first !== undefined && first.cancelledAt !== entry.at && run.steps[entry.at]?.input._tag === "Received")
      yield { at: entry.at, why: `the request that had the id ${brief(entry.read.id)} was interrupted by another` }
  }
  for (const { at } of ledger.orphans) yield { at, why: "a request whose id was in use reached a handler" }
}

/** A drain that ran out and a restart answer for handlers that are still running. */
function cutShort(run: ServerRun, at: number): boolean {
  const input = run.steps[at]?.input
  return input?._tag === "Resumed" || (input?._tag === "TimerFired" && input.timer.of === "drain")
}

/** A server that stops, or that nobody talks to any more, ends its streams. */
function endsStreams(run: ServerRun, at: number): boolean {
  const tag = run.steps[at]?.input._tag
  return tag === "Stopping" || tag === "InputEnded"
}

/** 2026-07-28 basic/patterns/subscriptions: the request of a stream is answered when its server ends it. */
function streams({ closedAt, stoppingAt }: Ledger, { stream }: Entry): boolean {
  return stream !== undefined && (stoppingAt === undefined || (closedAt ?? Infinity) < stoppingAt)
}

function owed(run: ServerRun, ledger: Ledger, entry: Entry): boolean {
  if (streams(ledger, entry)) return false
  if (entry.cancelledAt !== undefined || ledger.closedAt === entry.at || run.steps[entry.at]?.threw !== undefined)
    return false
  if (entry.call !== undefined && entry.finishedAt === undefined) return false
  if (entry.batch === undefined) return true
  // A batch is due when all its members are.
  return entry.batch.members.every(
    (member) => member.call === undefined || member.finishedAt !== undefined || member.cancelledAt !== undefined
  )
}

/** Heard by the client before that step, and not closed before it. */
const isOpenAt = ({ sentAt, closedAt }: AskEntry, at: number): boolean =>
  sentAt !== undefined && sentAt < at && (closedAt ?? Infinity) >= at

/** Its request is not over. */
const isLiveAsk = ({ entries }: Ledger, question: AskEntry, at: number): boolean =>
  entries.some(
    (entry) =>
      entry.asks.includes(question) &&
      waitsAt(entry, at - 1) &&
      (entry.cancelledAt ?? Infinity) >= at &&
      (entry.finishedAt ?? Infinity) >= at &&
      (entry.replies[0]?.at ?? Infinity) >= at
  )

const dueAt = ({ stoppingAt }: Ledger, { stream, finishedAt, at }: Entry): number =>
  stream === undefined ? (finishedAt ?? at) : Math.max(stoppingAt!, stream.from)
