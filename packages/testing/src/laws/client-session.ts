/** A client opens before it does anything else, in a version it speaks, and leaves nothing running behind. */
import { clientCapabilities, clientInfo, protocolVersion } from "../asker.js"
import { clientLedgerOf } from "../client-book.js"
import type { Attempt, ClientLedger } from "../client-ledger.js"
import { isUnderWay } from "../client-ledger.js"
import { fields, own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun } from "../run.js"
import { fits } from "../shape.js"
import { byRequest, methodsOf, saysWhoAsks } from "../specification.js"

/** 5 */
export function* clientOpensFirst(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  const { attempts, spoken, questions, inside, openedAt, peer } = ledger
  const needed = !saysWhoAsks(peer?.revision)
  let announced = false
  for (const { at, message, open } of spoken) {
    const method = message["method"]
    if (method === "initialize" && open) yield { at, why: "initialize was sent on an open session" }
    if (attempts.some((one) => one.message === message) || method === "notifications/cancelled") continue
    const now = method === "notifications/initialized"
    if (now && (announced || !needed || openedAt !== at))
      yield { at, why: "notifications/initialized was sent at another moment than the opening" }
    if (!now && needed && !announced) yield { at, why: `${brief(method)} was sent before notifications/initialized` }
    if (!now && (openedAt ?? Infinity) > at) yield { at, why: `${brief(method)} was sent before the opening` }
    announced ||= now
  }
  if (openedAt !== undefined && needed && !announced)
    yield { at: openedAt, why: "the session opened without notifications/initialized" }
  for (const { ask, at, read } of questions)
    if (ask !== undefined && (openedAt === undefined || at < openedAt))
      yield { at, why: `${read.method} was put to the user before the opening` }
  for (const { at, method } of inside)
    if (openedAt === undefined || at < openedAt) yield { at, why: `${method} was put to the user before the opening` }
  yield* tried(run, ledger)
}

/** 2026-07-28 basic/versioning and stdio, Backward Compatibility: each way is tried, and once more when a version is named for it. */
function* tried({ definition, options }: ClientRun, { attempts }: ClientLedger): Iterable<Violation> {
  const spoken = definition.revisions.map(({ name }) => name)
  let discovered = false
  const counts = new Map<string, number>()
  for (const { at, method, open } of attempts) {
    discovered ||= attempts.some((one) => isShared(spoken, one) && (one.reply?.at ?? Infinity) < at)
    if (open && method === "server/discover" && options.prior?._tag !== "Discovered")
      yield { at, why: "server/discover was sent on an open session, and nobody called it" }
    if (method === "initialize" && discovered)
      yield { at, why: "initialize was sent to a server that had said that it needs none" }
    const count = (counts.get(method) ?? 0) + 1
    counts.set(method, count)
    if (count > 2) yield { at, why: `${method} was sent again and again` }
  }
}

/** Whether it is an answer by which both sides agree: one that makes no sense is that of an older server. */
const isShared = (spoken: ReadonlyArray<string>, { method, reply }: Attempt): boolean =>
  method === "server/discover" &&
  listed(reply?.message).some((name) => spoken.includes(name) && saysWhoAsks(name)) &&
  byRequest.every((name) => fits(methodsOf(name, "client").get(method)?.result, own(reply!.message, "result")))

const listed = (message: unknown): ReadonlyArray<string> => {
  const versions = own(own(message, "result"), "supportedVersions")
  return Array.isArray(versions) ? versions : []
}

/** 6 */
export function* clientVersionsAgree(run: ClientRun): Iterable<Violation> {
  const { definition, options } = run
  const { attempts, calls } = clientLedgerOf(run)
  const spoken = definition.revisions.map(({ name }) => name as string)
  const pinned = spoken.includes(definition.prefer ?? "") ? definition.prefer : undefined
  for (const { at, method, message } of attempts) {
    const params = own(message, "params")
    const version =
      method === "initialize" ? own(params, "protocolVersion") : own(own(params, "_meta"), protocolVersion)
    if (!spoken.includes(version as string)) yield { at, why: `${brief(version)} was proposed and is not spoken` }
    if (saysWhoAsks(version) !== (method === "server/discover"))
      yield { at, why: `${brief(version)} was proposed by ${method}` }
    if (pinned !== undefined && version !== pinned)
      yield { at, why: `${brief(version)} was proposed, and ${pinned} is the only one wanted` }
  }
  for (const [at, { input, outputs }] of run.steps.entries())
    for (const output of outputs) {
      if (output._tag !== "Opened") continue
      const { revision } = output.peer
      if (!spoken.includes(revision)) yield { at, why: `${brief(revision)} is in force and is not spoken` }
      if (pinned !== undefined && revision !== pinned)
        yield { at, why: `${brief(revision)} is in force, and ${pinned} is the only one wanted` }
      if (!saysWhoAsks(revision)) {
        const offered = input._tag === "Received" ? own(own(input.json, "result"), "protocolVersion") : undefined
        if (offered !== revision)
          yield { at, why: `${brief(revision)} is in force, and the server said ${brief(offered)}` }
        continue
      }
      const remembered = options.prior?._tag === "Discovered" ? { result: options.prior.result } : undefined
      const offered = listed(input._tag === "Received" ? input.json : remembered)
      const best = spoken.find((name) => saysWhoAsks(name) && offered.includes(name) && (pinned ?? name) === name)
      if (best !== revision) yield { at, why: `${brief(revision)} is in force, and the server said ${brief(offered)}` }
    }
  for (const { revision, rounds } of calls)
    for (const { at, message } of saysWhoAsks(revision) ? rounds : []) {
      const meta = own(own(message, "params"), "_meta")
      if (own(meta, protocolVersion) !== revision)
        yield { at, why: `${brief(own(meta, protocolVersion))} is said, and ${revision} is in force` }
      yield* introduced(run, meta, at)
    }
}

/** 2026-07-28 basic, `_meta`: every request says who asks and what he can be asked, whatever earlier ones said. */
function* introduced({ definition }: ClientRun, meta: unknown, at: number): Iterable<Violation> {
  const [said, info] = [fields(own(meta, clientCapabilities)), own(meta, clientInfo)]
  for (const name of ["name", "version"] as const)
    if (own(info, name) !== definition.info[name]) yield { at, why: `a request says ${brief(info)} of its client` }
  for (const name of Object.keys(said))
    if (!Object.hasOwn(definition.capabilities, name))
      yield { at, why: `a request says ${name}, which was not declared` }
  for (const name of ["roots", "sampling", "elicitation", "experimental", "extensions"])
    if (Object.hasOwn(definition.capabilities, name) && !Object.hasOwn(said, name))
      yield { at, why: `a request does not say ${name}, which was declared` }
}

/** 10 */
export function* clientLivingThings(run: ClientRun): Iterable<Violation> {
  const { questions, calls } = clientLedgerOf(run)
  /** A request that is not answered yet, of a call that is not over. */
  const underWay = (id: unknown, at: number): boolean =>
    calls.some(
      ({ rounds, settled }) =>
        (settled[0]?.at ?? Infinity) >= at &&
        rounds.some((one) => own(one.message, "id") === id && one.at <= at && (one.reply?.at ?? Infinity) > at)
    )
  for (const { replies, via } of questions)
    for (const reply of replies)
      if (reply.via !== via)
        yield { at: reply.at, why: `what came by ${brief(via)} was answered by ${brief(reply.via)}` }
  const [timers, due, asks] = [new Set<string>(), new Set<string>(), new Set<number>()]
  const withdrawn = new Set<unknown>()
  const aborted = new Set<unknown>()
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
        case "Send": {
          if (own(output.message, "method") !== "notifications/cancelled") break
          const about = own(own(output.message, "params"), "requestId")
          if (!underWay(about, at) || withdrawn.has(about))
            yield { at, why: `${brief(about)} was cancelled, and is not under way` }
          withdrawn.add(about)
          break
        }
        case "Abort":
          if (!underWay(output.id, at) || aborted.has(output.id))
            yield { at, why: `${brief(output.id)} was aborted, and is not under way` }
          aborted.add(output.id)
          break
        case "Settle":
          for (const of of isRefusal(input, output.call) ? [] : ["request", "total", "retry"])
            if (timers.has(keyOf({ of, call: output.call })))
              yield { at, why: `call ${output.call} was settled and its timer runs on: ${of}` }
          break
        case "Progress":
          if (!calls.some((one) => one.called.call === output.call && isUnderWay(one, at)))
            yield { at, why: `progress of call ${output.call}, which is not under way` }
          break
        case "Ask":
          asks.add(output.ask)
          if (output.about !== undefined && timers.has(keyOf({ of: "request", call: output.about })))
            yield { at, why: `call ${output.about} waits for its user and its timer runs on` }
          break
        case "WithdrawAsk":
          if (!asks.delete(output.ask)) yield { at, why: `question ${output.ask} was taken back, and is not open` }
          break
        case "Close":
          closed = true
          break
        case "Opened":
        case "Reopened":
        case "OpenFailed":
        case "Notice":
        case "Acknowledged":
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
