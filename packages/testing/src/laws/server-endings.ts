/** A server's timers, interrupts and messages refer to what is there, and nothing follows the end. */
import { own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry } from "../ledger.js"
import { ledgerOf } from "../ledger.js"
import type { ServerRun } from "../run.js"

/** 10: timers and interrupts refer to live things, nothing is sent after Close, and each message goes by the way it belongs to. */
export function* livingThings(run: ServerRun): Iterable<Violation> {
  yield* timersAndEnd(run)
  const { entries, spoken } = ledgerOf(run)
  for (const entry of entries)
    for (const { at, via } of entry.replies)
      if (via !== entry.via) yield { at, why: `what came by ${brief(entry.via)} was answered by ${brief(via)}` }
  for (const { at, via, message } of spoken) {
    const token = own(own(message, "params"), "progressToken")
    const isProgress = message["method"] === "notifications/progress"
    const about = isProgress
      ? entries.find((entry) => tokenOf(entry) === token && liveAt(entry, at) && entry.via === via)
      : undefined
    if (isProgress && about === undefined)
      yield { at, why: `progress for ${brief(token)} by ${brief(via)}: no such request is under way` }
    if (!isProgress && via !== undefined)
      yield { at, why: `${brief(message["method"])} is about no request and went by ${brief(via)}` }
  }
  for (const [at, step] of run.steps.entries())
    for (const output of step.outputs)
      if (output._tag === "Interrupt" && !entries.some((entry) => entry.call === output.call && runsAt(entry, at)))
        yield { at, why: `handler ${output.call} was interrupted, and does not run` }
}

function* timersAndEnd(run: ServerRun): Iterable<Violation> {
  const started = new Set<string>()
  let closed = false
  for (const [at, { input, outputs }] of run.steps.entries()) {
    for (const output of outputs) {
      if (closed) yield { at, why: `${output._tag} after Close` }
      if (output._tag === "StartTimer") started.add(JSON.stringify(output.timer))
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
  entry.at <= at &&
  !(entry.finishedAt !== undefined && entry.finishedAt <= at) &&
  !((entry.replies[0]?.at ?? at) < at) &&
  (entry.cancelledAt === undefined || entry.cancelledAt >= at)

const liveAt = (entry: Entry, at: number): boolean =>
  runsAt(entry, at) &&
  (entry.cancelledAt === undefined || entry.cancelledAt > at) &&
  entry.replies.every((reply) => reply.at > at)
