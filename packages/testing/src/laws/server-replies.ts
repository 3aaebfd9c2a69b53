/** A server answers each request once, under its own id, and a notification never. */
import { codeOf, own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Ledger } from "../ledger.js"
import { ledgerOf } from "../ledger.js"
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
    if (reply === undefined && owed(run, ledger, entry)) yield { at: dueAt(entry), why: `${called} was never answered` }
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
  const tag = run.steps[at]?.input._tag
  return tag === "TimerFired" || tag === "Resumed"
}

function owed(run: ServerRun, ledger: Ledger, entry: Entry): boolean {
  if (entry.cancelledAt !== undefined || ledger.closedAt === entry.at || run.steps[entry.at]?.threw !== undefined)
    return false
  if (entry.call !== undefined && entry.finishedAt === undefined) return false
  if (entry.batch === undefined) return true
  // A batch is due when all its members are.
  return entry.batch.members.every(
    (member) => member.call === undefined || member.finishedAt !== undefined || member.cancelledAt !== undefined
  )
}

const dueAt = (entry: Entry): number => entry.finishedAt ?? entry.at
