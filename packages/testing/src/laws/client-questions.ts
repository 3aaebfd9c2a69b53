/** What a result asks is put to the user if it may be asked, and the request is made again with exactly what came of it. */
import { clientLedgerOf } from "../client-book.js"
import type { Calling, ClientLedger, Round } from "../client-ledger.js"
import type { Fields } from "../envelope.js"
import { fields, own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun } from "../run.js"
import { fits } from "../shape.js"
import { has, mayAskInside, questionsOf } from "../specification.js"
import { detail } from "./sends-declared.js"

/** 1: a question inside a result reaches the user when the result asked it, and we declared that it may. */
export function* insideDeclared({ definition }: ClientRun, { inside }: ClientLedger): Iterable<Violation> {
  for (const { at, ask, method, params, about, round, key } of inside) {
    if (about?.revision === undefined || round === undefined || key === undefined) {
      yield { at, why: `question ${ask} was put to the user and no result asked it` }
      continue
    }
    const { called, revision, settled } = about
    const asked = own(own(own(round.reply!.message, "result"), "inputRequests"), key)
    const { capabilities } = definition
    const known = questionsOf(revision).get(method)
    // 2026-07-28 client/sampling, Capabilities: a server SHOULD not ask for a context that was not declared, and a client may ignore it.
    const missing = [known?.needs?.path ?? "", ...detail(revision, method, params, capabilities)].find(
      (path) => path !== "sampling.context" && !has(capabilities, path)
    )
    if (
      !mayAskInside(revision, called.method) ||
      own(own(round.reply!.message, "result"), "resultType") !== "input_required"
    )
      yield { at, why: `${called.method} was answered, and question ${ask} was put to the user` }
    else if (known === undefined || missing !== undefined)
      yield { at, why: `${method} was put to the user, and the client did not declare ${missing ?? method}` }
    else if (brief(own(asked, "params")) !== brief(params))
      yield { at, why: `${method} was put to the user with other params than it was asked with` }
    if ((settled[0]?.at ?? Infinity) <= at)
      yield { at, why: `question ${ask} was put to the user of a call that is over` }
  }
}

/**
 * 8: a request is made again after a result that asked, or an error about its version. It is the same one, with an answer to
 * each question and the state that came, or without one when none came (2026-07-28 basic/patterns/mrtr, Client Requirements).
 */
export function* roundsValid(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  for (const calling of ledger.calls)
    for (const [index, round] of calling.rounds.entries()) {
      const why = index === 0 ? undefined : wrong(ledger, calling, calling.rounds[index - 1]!, round)
      if (why !== undefined) yield { at: round.at, why: `${calling.called.method} was sent again, ${why}` }
    }
}

function wrong(ledger: ClientLedger, calling: Calling, before: Round, now: Round): string | undefined {
  const given = fields(own(now.message, "params"))
  const earlier = fields(own(before.message, "params"))
  const { called, revision } = calling
  if (before.reply === undefined || revision === undefined) return "and had not been answered"
  const original = fields(called.params)
  if (!same(plain(given), plain(original))) return "with other params"
  const result = own(before.reply.message, "result")
  if (result === undefined)
    return same(rest(given), rest(earlier)) ? undefined : "with other answers than before, and nothing had been asked"
  if (own(result, "resultType") !== "input_required") return "and nothing had been asked"
  if (!same(given["requestState"], own(result, "requestState"))) return "with another state than the one that came"
  const requests = fields(own(result, "inputRequests"))
  const responses = fields(given["inputResponses"])
  if (!same(Object.keys(requests).toSorted(), Object.keys(responses).toSorted()))
    return "with answers to other questions"
  for (const asked of ledger.inside.filter(({ round }) => round === before)) {
    if (asked.answeredAt === undefined || asked.declined === true) return `and ${asked.key} had not been answered`
    if (!fits(questionsOf(revision).get(asked.method)?.result, responses[asked.key ?? ""]))
      return `and ${asked.key} was answered by something else`
  }
  return undefined
}

const only = (params: Fields, keep: (key: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(params).filter(([key, value]) => keep(key) && value !== undefined))
const plain = (params: Fields): Fields =>
  only(params, (key) => !["_meta", "inputResponses", "requestState"].includes(key))
const rest = (params: Fields): Fields => only(params, (key) => ["inputResponses", "requestState"].includes(key))

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
