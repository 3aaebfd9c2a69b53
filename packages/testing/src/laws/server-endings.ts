/** A server's timers, interrupts and messages refer to what is there, and nothing follows the end. */
import type { Fields } from "../envelope.js"
import { own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry } from "../ledger.js"
import { waitsAt } from "../ledger.js"
import { ledgerOf } from "../server-book.js"
import { sealedForOne } from "./server-seals.js"
import type { ServerRun } from "../run.js"

/** 10: timers and interrupts refer to live things, nothing is sent after Close, and each message goes by the way it belongs to. */
export function* livingThings(run: ServerRun): Iterable<Violation> {
  yield* timersAndEnd(run)
  yield* outlived(run)
  yield* sealedForOne(run)
  const { entries, spoken, silentAt } = ledgerOf(run)
  for (const entry of entries)
    for (const { at, via } of entry.replies)
      if (via !== entry.via) yield { at, why: `what came by ${brief(entry.via)} was answered by ${brief(via)}` }
  const withdrawn = new Set<unknown>()
  for (const { at, via, message, stream } of spoken) {
    if (stream !== undefined) {
      if (via !== stream.via)
        yield {
          at,
          why: `the stream ${brief(stream.read.id)} came by ${brief(stream.via)} and was told by ${brief(via)}`
        }
      continue
    }
    const live = entries.filter((entry) => isUnderWay(entry, at) && entry.via === via)
    const [method, params, id] = [message["method"], own(message, "params"), own(message, "id")]
    const by = `by ${brief(via)}: no such request is under way`
    if (method === "notifications/progress") {
      const token = own(params, "progressToken")
      if (!live.some((entry) => tokenOf(entry) === token && !waitsAt(entry, at)))
        yield { at, why: `progress for ${brief(token)} ${by}` }
    } else if (id !== undefined) {
      if (silentAt !== undefined && silentAt <= at)
        yield { at, why: `${brief(method)} was asked of a client that says nothing more` }
      if (!live.some((entry) => entry.asks.some((ask) => ask.id === id && ask.sentAt === at)))
        yield { at, why: `${brief(method)} was asked ${by}` }
    } else if (method === "notifications/cancelled") {
      const about = own(params, "requestId")
      const ask = entries.flatMap((entry) => (entry.via === via ? entry.asks : [])).find((one) => one.id === about)
      const gone = withdrawn.has(about) || (ask?.closedAt !== undefined && ask.closedAt < at)
      withdrawn.add(about)
      if (ask?.sentAt === undefined || gone)
        yield { at, why: `question ${brief(about)} was withdrawn, and is not open` }
    } else if (via !== undefined && (method !== "notifications/message" || live.length === 0))
      yield { at, why: `${brief(method)} is about no request and went by ${brief(via)}` }
  }
  for (const [at, step] of run.steps.entries())
    for (const output of step.outputs)
      if (output._tag === "Interrupt" && !entries.some((entry) => entry.call === output.call && runsAt(entry, at)))
        yield { at, why: `handler ${output.call} was interrupted, and does not run` }
}

/** A question whose request is over is taken back, as long as there is somebody to tell. */
function* outlived(run: ServerRun): Iterable<Violation> {
  const { entries, spoken } = ledgerOf(run)
  const closedAt = run.steps.findIndex(({ outputs }) => outputs.some(({ _tag }) => _tag === "Close"))
  for (const { asks, cancelledAt, finishedAt, batch, replies } of entries) {
    const end = cancelledAt ?? finishedAt ?? (batch === undefined ? replies[0]?.at : undefined)
    if (end === undefined || run.steps[end]?.input._tag === "PeerClosed") continue
    // What comes after the end ends nothing.
    if (closedAt !== -1 && closedAt < end) continue
    for (const { id, sentAt, closedAt } of asks) {
      const open = sentAt !== undefined && sentAt < end && (closedAt ?? Infinity) > end
      const told = ({ at, message }: { readonly at: number; readonly message: Fields }): boolean =>
        at === end && own(own(message, "params"), "requestId") === id
      if (open && !spoken.some(told)) yield { at: end, why: `question ${id} outlives its request` }
    }
  }
}

function* timersAndEnd(run: ServerRun): Iterable<Violation> {
  const started = new Set<string>()
  const due = new Set<string>()
  let closed = false
  for (const [at, { input, outputs }] of run.steps.entries()) {
    if (input._tag === "TimerFired" && due.delete(JSON.stringify(input.timer)) && outputs.length === 0)
      yield { at, why: `the timer ${input.timer.of} ran out, and nothing came of it` }
    for (const output of outputs) {
      if (closed) yield { at, why: `${output._tag} after Close` }
      if (output._tag === "StartTimer") {
        started.add(JSON.stringify(output.timer))
        due.add(JSON.stringify(output.timer))
      }
      if (output._tag === "StopTimer") due.delete(JSON.stringify(output.timer))
      if (output._tag === "StopTimer" && !started.delete(JSON.stringify(output.timer)))
        yield { at, why: `the timer ${output.timer.of} was stopped, and is not running` }
      if (output._tag === "Close") closed = true
    }
    if (closed && started.size > 0) yield { at, why: "a timer outlives the session" }
    if (input._tag === "PeerClosed" && outputs.some(({ _tag }) => _tag === "Send"))
      yield { at, why: "something was sent to a peer that is gone" }
  }
}

const tokenOf = (entry: Entry): unknown => own(own(entry.read.params, "_meta"), "progressToken")

const runsAt = (entry: Entry, at: number): boolean =>
  entry.call !== undefined &&
  !waitsAt(entry, at) &&
  entry.at <= at &&
  !(entry.finishedAt !== undefined && entry.finishedAt <= at) &&
  !((entry.replies[0]?.at ?? at) < at) &&
  (entry.cancelledAt === undefined || entry.cancelledAt >= at)

/** In the step in which its handler asked it is still under way, and so it is until it is answered or withdrawn. */
const isUnderWay = (entry: Entry, at: number): boolean =>
  entry.call !== undefined &&
  entry.at <= at &&
  !(entry.finishedAt !== undefined && entry.finishedAt <= at) &&
  (entry.cancelledAt === undefined || entry.cancelledAt > at) &&
  entry.replies.every((reply) => reply.at > at)
