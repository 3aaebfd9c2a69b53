/** A client asks for what was declared, answers what it declared, once, and settles each of its calls once. */
import type { RevisionName } from "@parley/core"
import type { Called } from "@parley/core/client"
import { clientLedgerOf } from "../client-book.js"
import type { ClientLedger, Question } from "../client-ledger.js"
import { isOpen } from "../client-ledger.js"
import { codeOf, own, succeeded } from "../envelope.js"
import { areBothIn, otherOf, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun } from "../run.js"
import { fits } from "../shape.js"
import type { Side } from "../specification.js"
import { has, methodsOf, nameable, saysWhoAsks } from "../specification.js"
import { insideDeclared } from "./client-questions.js"

/** 1 */
export function* asksOnlyDeclared(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  yield* noticed(run, ledger)
  yield* insideDeclared(run, ledger)
  for (const { at, message } of ledger.foundlings)
    yield { at, why: `${brief(message["method"])} was sent, and nobody called it` }
  for (const { at, ask } of ledger.orphans) yield { at, why: `question ${ask} was put to the user and nobody asked it` }
  for (const question of ledger.questions) {
    const served = question.ask !== undefined || question.replies.some(({ message }) => succeeded(message))
    if (served && !mayBeAsked(run, question))
      yield { at: question.at, why: `${brief(question.read.method)} was served, and nobody declared it` }
  }
  for (const { called, at, rounds, revision, server } of ledger.calls) {
    if (rounds.length === 0) continue
    const method = known(run, revision, "client", called.method)
    const needs = method?.needs
    if (method?.kind !== "request" || called.method === "initialize")
      yield { at, why: `${brief(called.method)} was sent, and is no request of a client's` }
    else if (needs !== undefined && nameable(revision!, needs.path) && !has(server, needs.path))
      yield { at, why: `${called.method} was sent, and the server did not declare ${needs.path}` }
    else if (!areBothIn(server, run.definition.capabilities, { extension: method.extension }))
      yield { at, why: `${called.method} was sent, and not both sides have announced ${method.extension}` }
  }
  yield* othersAnnounced(run, ledger)
}

const known = ({ definition }: ClientRun, revision: RevisionName | undefined, from: Side, method: string) =>
  revision === undefined ? undefined : tableOf(definition, revision, from).get(method)

/** A result of an extension's type is handed out where both sides have announced the extension. */
function* othersAnnounced({ definition }: ClientRun, { calls }: ClientLedger): Iterable<Violation> {
  for (const { called, server, settled } of calls)
    for (const { at, outcome } of settled) {
      const other = outcome._tag === "Succeeded" ? otherOf(definition, called.method, outcome.result) : undefined
      if (other !== undefined && !areBothIn(server, definition.capabilities, other))
        yield {
          at,
          why: `${called.method} was settled by a result of ${other.extension}, which not both sides have announced`
        }
      else if (other !== undefined && outcome._tag === "Succeeded" && !fits(other.check, outcome.result))
        yield { at, why: `${called.method} was settled by a result that ${other.extension} has not` }
    }
}

function* noticed(run: ClientRun, { peer }: ClientLedger): Iterable<Violation> {
  for (const [at, { outputs }] of run.steps.entries())
    for (const output of outputs) {
      if (output._tag !== "Notice") continue
      const { capabilities } = run.definition
      const row = known(run, peer?.revision ?? run.definition.revisions[0]!.name, "server", output.method)
      const said = row?.needs?.of === "client" ? capabilities : peer?.capabilities
      if (row?.kind !== "notification")
        yield { at, why: `${brief(output.method)} was heard, and is no notification of a server's` }
      else if (row.needs !== undefined && !has(said, row.needs.path))
        yield { at, why: `${output.method} was heard, and nobody declared ${row.needs.path}` }
      else if (!areBothIn(peer?.capabilities, capabilities, { extension: row.extension }))
        yield { at, why: `${output.method} was heard, and not both sides have announced ${row.extension}` }
    }
}

/** 2 */
export function* answersAllDeclared(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  for (const question of ledger.questions) {
    const [reply] = question.replies
    if (
      reply === undefined ||
      question.read.kind !== "request" ||
      question.ask !== undefined ||
      !mayBeAsked(run, question)
    )
      continue
    if (codeOf(reply.message) === -32601)
      yield { at: reply.at, why: `${question.read.method} is declared and was answered with -32601` }
  }
  for (const { called, revision, server, settled } of ledger.calls) {
    const method = known(run, revision, "client", called.method)
    if (method?.kind !== "request" || called.method === "initialize") continue
    if (method.needs !== undefined && !has(server, method.needs.path)) continue
    if (!areBothIn(server, run.definition.capabilities, { extension: method.extension })) continue
    for (const { at, outcome } of settled)
      if (
        outcome._tag === "Failed" &&
        (outcome.error._tag === "MethodUndeclared" || outcome.error._tag === "MethodUnknown") &&
        !(wantsTask(called) && !has(server, "tasks.requests.tools.call"))
      )
        yield { at, why: `${called.method} is declared by the server and was not sent` }
  }
  yield* othersTaken(run, ledger)
}

/** And a result that an extension has is taken for one, where both sides have announced it. */
function* othersTaken({ definition }: ClientRun, { calls, closedAt }: ClientLedger): Iterable<Violation> {
  for (const { called, server, rounds, settled } of calls) {
    const reply = rounds.at(-1)?.reply
    const result = reply?.read.kind === "reply" ? own(reply.message, "result") : undefined
    const other = otherOf(definition, called.method, result)
    if (reply === undefined || other === undefined || (closedAt ?? Infinity) < reply.at) continue
    if (!areBothIn(server, definition.capabilities, other) || !fits(other.check, result)) continue
    const [first] = settled
    if (first?.at === reply.at && first.outcome._tag === "Failed")
      yield { at: reply.at, why: `${called.method} was answered by a result of ${other.extension}, and has failed` }
  }
}

/** A server may have tools and make no tasks of their calls. */
const wantsTask = ({ method, params }: Called): boolean => method === "tools/call" && own(params, "task") !== undefined

/** 3 */
export function* settlesOnce(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  for (const { at, message } of ledger.strays) yield { at, why: `a reply to nothing: ${brief(message)}` }
  for (const question of ledger.questions) yield* answeredOnce(run, ledger, question)
  for (const { called, at, settled } of ledger.calls) {
    if (settled.length > 1) yield { at: settled[1]!.at, why: `call ${called.call} was settled twice` }
    if (settled.length === 0 && ledger.closedAt !== undefined)
      yield { at: Math.max(at, ledger.closedAt), why: `call ${called.call} was never settled` }
  }
  yield* repliesTaken(run, ledger)
}

/** Whatever comes as the reply to what is under way for a call, the call is over then, or goes on. */
function* repliesTaken(run: ClientRun, { calls, closedAt }: ClientLedger): Iterable<Violation> {
  for (const calling of calls)
    for (const { reply } of calling.rounds) {
      const { called, settled, rounds } = calling
      if (reply === undefined || (closedAt ?? Infinity) < reply.at || (settled[0]?.at ?? Infinity) < reply.at) continue
      const goesOn = run.steps[reply.at]!.outputs.some(
        (output) =>
          (output._tag === "Settle" && output.call === called.call) ||
          (output._tag === "Ask" && output.about === called.call) ||
          (output._tag === "StartTimer" && output.timer.of === "retry" && output.timer.call === called.call)
      )
      const again = rounds.some((round) => round.at === reply.at && own(round.message, "id") !== reply.read.id)
      const what = reply.read.kind === "garbage" ? "a broken reply" : "a reply"
      if (!goesOn && !again) yield { at: reply.at, why: `call ${called.call} got ${what}, and waits on` }
    }
}

function* answeredOnce(run: ClientRun, { closedAt }: ClientLedger, question: Question): Iterable<Violation> {
  const [reply, second] = question.replies
  const { read, at, answeredAt, withdrawnAt } = question
  // 2026-07-28 basic: servers send no requests, and clients no responses.
  if (saysWhoAsks(question.revision)) {
    if (reply !== undefined) yield { at: reply.at, why: `${brief(read.method)} was answered, and is no request there` }
    return
  }
  if (second !== undefined) yield { at: second.at, why: `${read.method} was answered twice` }
  if (reply !== undefined && withdrawnAt !== undefined && withdrawnAt <= reply.at)
    yield { at: reply.at, why: `${read.method} was answered after it had been withdrawn` }
  if (reply !== undefined && question.ask !== undefined && (answeredAt === undefined || answeredAt > reply.at))
    yield { at: reply.at, why: `${read.method} was answered before the user did` }
  const gone =
    (closedAt !== undefined && at >= closedAt) || withdrawnAt !== undefined || run.steps[at]?.threw !== undefined
  // The end takes open questions back, and with them the batches that waited for their answers.
  const cut =
    question.batch?.some((member) => member.withdrawnAt !== undefined && member.withdrawnAt === closedAt) ?? false
  const due = read.kind === "request" && !isOpen(question) && (question.batch ?? []).every((member) => !isOpen(member))
  // Before the opening nobody knows whether the server is one that is answered.
  const unsaid = question.revision === undefined && run.definition.revisions.some(({ name }) => saysWhoAsks(name))
  if (reply === undefined && due && !gone && !cut && !unsaid)
    yield { at: answeredAt ?? at, why: `${read.method} was never answered` }
}

/** 4 */
export function* clientIdsKept(run: ClientRun): Iterable<Violation> {
  const { strays, questions, spoken } = clientLedgerOf(run)
  for (const { at, message } of strays) {
    const id = own(message, "id")
    if (id !== undefined && id !== null) yield { at, why: `no question had the id ${brief(id)}` }
  }
  for (const { inUse, read, replies } of questions)
    for (const { at, message } of inUse && read.kind === "request" ? replies : [])
      if (codeOf(message) !== -32600) yield { at, why: `the id ${brief(read.id)} was in use and was not refused` }
  const used = new Set<unknown>()
  for (const { at, message } of spoken) {
    const id = own(message, "id")
    if (id !== undefined && used.has(id)) yield { at, why: `the id ${brief(id)} was used twice` }
    used.add(id)
  }
}

function mayBeAsked({ definition }: ClientRun, { read, revision }: Question): boolean {
  if (read.kind !== "request") return false
  if (read.method === "ping") return !saysWhoAsks(revision)
  const method = revision === undefined ? undefined : methodsOf(revision, "server").get(read.method)
  return method?.kind === "request" && (method.needs === undefined || has(definition.capabilities, method.needs.path))
}
