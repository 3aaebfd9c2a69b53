/** A client opens before it does anything else, in a version it speaks, and leaves nothing running behind. */
import { clientLedgerOf } from "../client-ledger.js"
import { own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun } from "../run.js"

/** 5 */
export function* clientOpensFirst(run: ClientRun): Iterable<Violation> {
  const { spoken, questions, openedAt } = clientLedgerOf(run)
  let announced = false
  for (const { at, message, open } of spoken) {
    const method = message["method"]
    if (method === "initialize" && open) yield { at, why: "initialize was sent on an open session" }
    if (method === "initialize" || method === "notifications/cancelled") continue
    const now = method === "notifications/initialized"
    if (now && (announced || openedAt !== at))
      yield { at, why: "notifications/initialized was sent at another moment than the opening" }
    if (!now && !announced) yield { at, why: `${brief(method)} was sent before notifications/initialized` }
    announced ||= now
  }
  if (openedAt !== undefined && !announced)
    yield { at: openedAt, why: "the session opened without notifications/initialized" }
  for (const { ask, at, read } of questions)
    if (ask !== undefined && (openedAt === undefined || at < openedAt))
      yield { at, why: `${read.method} was put to the user before the opening` }
}

/** 6 */
export function* clientVersionsAgree(run: ClientRun): Iterable<Violation> {
  const spoken = run.definition.revisions.map(({ name }) => name as string)
  for (const [at, { input, outputs }] of run.steps.entries())
    for (const output of outputs) {
      if (output._tag === "Send" && own(output.message, "method") === "initialize") {
        const proposed = own(own(output.message, "params"), "protocolVersion")
        if (!spoken.includes(proposed as string)) yield { at, why: `${brief(proposed)} was proposed and is not spoken` }
      }
      if (output._tag !== "Opened") continue
      const { revision } = output.peer
      const offered = input._tag === "Received" ? own(own(input.json, "result"), "protocolVersion") : undefined
      if (!spoken.includes(revision)) yield { at, why: `${brief(revision)} is in force and is not spoken` }
      if (offered !== revision)
        yield { at, why: `${brief(revision)} is in force, and the server said ${brief(offered)}` }
    }
}

/** 10 */
export function* clientLivingThings(run: ClientRun): Iterable<Violation> {
  const { questions } = clientLedgerOf(run)
  for (const { replies, via } of questions)
    for (const reply of replies)
      if (reply.via !== via)
        yield { at: reply.at, why: `what came by ${brief(via)} was answered by ${brief(reply.via)}` }
  const [timers, due, sent, asks] = [new Set<string>(), new Set<string>(), new Set<unknown>(), new Set<number>()]
  let closed = false
  for (const [at, { input, outputs }] of run.steps.entries()) {
    if (input._tag === "TimerFired" && due.delete(keyOf(input.timer)) && outputs.length === 0)
      yield { at, why: `the timer ${input.timer.of} ran out, and nothing came of it` }
    for (const output of outputs) {
      if (closed && !(output._tag === "Settle" && input._tag === "Called"))
        yield { at, why: `${output._tag} after Close` }
      switch (output._tag) {
        case "StartTimer":
          timers.add(keyOf(output.timer))
          due.add(keyOf(output.timer))
          break
        case "StopTimer":
          due.delete(keyOf(output.timer))
          if (!timers.delete(keyOf(output.timer)))
            yield { at, why: `the timer ${output.timer.of} was stopped, and is not running` }
          break
        case "Send":
          if (own(output.message, "method") !== undefined) {
            const about = own(own(output.message, "params"), "requestId")
            if (own(output.message, "method") === "notifications/cancelled" && !sent.delete(about))
              yield { at, why: `${brief(about)} was cancelled, and is not under way` }
            const id = own(output.message, "id")
            if (id !== undefined && own(output.message, "method") !== "initialize") sent.add(id)
          }
          break
        case "Abort":
          if (!sent.delete(output.id)) yield { at, why: `${brief(output.id)} was aborted, and is not under way` }
          break
        case "Settle":
          if (timers.has(keyOf({ of: "request", call: output.call })) && !isRefusal(input, output.call))
            yield { at, why: `call ${output.call} was settled and its timer runs on` }
          if (!isRefusal(input, output.call)) sent.delete(output.call)
          break
        case "Progress":
          if (!sent.has(output.call)) yield { at, why: `progress of call ${output.call}, which is not under way` }
          break
        case "Ask":
          asks.add(output.ask)
          break
        case "WithdrawAsk":
          if (!asks.delete(output.ask)) yield { at, why: `question ${output.ask} was taken back, and is not open` }
          break
        case "Close":
          closed = true
          break
        case "Opened":
        case "OpenFailed":
        case "Notice":
        case "Report":
          break
      }
    }
    if (input._tag === "Answered" || input._tag === "Declined") asks.delete(input.ask)
    if (closed && timers.size > 0) yield { at, why: "a timer outlives the session" }
  }
}

const keyOf = (timer: { readonly of: string; readonly call: number }): string => `${timer.of} ${timer.call}`

/** A call that was refused at once has no timer, whatever an earlier call of that number has. */
const isRefusal = (input: ClientRun["steps"][number]["input"], call: number): boolean =>
  input._tag === "Called" && input.call === call
