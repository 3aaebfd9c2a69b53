/** Whatever either side sends is valid under the revision in force. */
import type { Revision, RevisionName } from "@parley/core"
import { protocolVersion } from "../asker.js"
import { serverInfo } from "../asker.js"
import type { ClientLedger } from "../client-ledger.js"
import { clientLedgerOf } from "../client-book.js"
import type { Fields } from "../envelope.js"
import { fields, own, succeeded } from "../envelope.js"
import { filtersOf, otherOf, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Judge, Sent } from "../judge.js"
import { excepted } from "../judge.js"
import type { ClientRun, ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { misfit } from "../shape.js"
import { dated, first, saysWhoAsks } from "../specification.js"
import { roundsValid } from "./client-questions.js"

type Dated = Sent & { readonly at: number }

/** 8 for a server. */
export const serverValid = (judges: ReadonlyArray<Judge>) =>
  function* (run: ServerRun): Iterable<Violation> {
    yield* judged(judges, run.definition, byServer(run))
    for (const { at, revision, kind, method, message } of byServer(run)) {
      const named = own(own(own(own(message, "result"), "_meta"), serverInfo), "name")
      if (kind === "result" && saysWhoAsks(revision) && named !== run.definition.info.name)
        yield { at, why: `the result of ${method} does not say whose it is` }
    }
  }

/** 8 for a client. */
export const clientValid = (judges: ReadonlyArray<Judge>) =>
  function* (run: ClientRun): Iterable<Violation> {
    yield* judged(judges, run.definition, byClient(run))
    yield* roundsValid(run)
  }

function* judged(
  judges: ReadonlyArray<Judge>,
  definition: { readonly revisions: ReadonlyArray<Revision> },
  all: Iterable<Dated>
): Iterable<Violation> {
  for (const sent of all) {
    const message = excepted(withoutBrought(definition, sent))
    const brought = broughtShape(definition, sent)
    for (const { name, wrong } of brought === undefined ? judges : [brought]) {
      const why = wrong(message)
      if (why !== undefined) {
        const what = `${sent.method} (${sent.kind}) is not valid on ${sent.revision}`
        yield { at: sent.at, why: `${what}, judged by ${name}: ${why}: ${brief(sent.message)}` }
      }
    }
  }
}

/** What extensions have brought is for them to say: no other judge knows of it. */
function broughtShape(definition: { readonly revisions: ReadonlyArray<Revision> }, sent: Dated): Judge | undefined {
  const { revision, from, kind, method, message } = sent
  if (kind === "error" || !saysWhoAsks(revision)) return undefined
  const [asker, result] = [from === "client" ? "server" : "client", own(message, "result")] as const
  const known = tableOf(definition, revision, kind === "result" ? asker : from).get(method)
  const other = kind === "result" ? otherOf(definition, method, result) : undefined
  if (known?.extension === undefined && other === undefined) return undefined
  const shape = other?.check ?? (kind === "result" ? known!.result : known!.params)
  return { name: "its extension", wrong: () => wrongFor(shape, kind === "result" ? result : own(message, "params")) }
}

/** What extensions have added to the filter of a stream is judged by the streams' own law. */
function withoutBrought<S extends Sent>(definition: { readonly revisions: ReadonlyArray<Revision> }, sent: S): S {
  const { method, message } = sent
  const params = own(message, "params")
  const filter = own(params, "notifications")
  if (filter === undefined || !filtered.includes(method)) return sent
  const ours = [...filtersOf(definition).values()].flatMap(({ member, extension }) => (extension ? [member] : []))
  if (ours.length === 0) return sent
  const left = Object.fromEntries(Object.entries(fields(filter)).filter(([name]) => !ours.includes(name)))
  return { ...sent, message: { ...message, params: { ...fields(params), notifications: left } } }
}

const filtered = ["subscriptions/listen", "notifications/subscriptions/acknowledged"]

/** Judged with what every message says, and without it: nobody has to know of that. */
function wrongFor(shape: unknown, value: unknown): string | undefined {
  const bare = Object.fromEntries(Object.entries(fields(value)).filter(([name]) => !everywhere.includes(name)))
  return misfit(shape, value ?? {}) && misfit(shape, bare)
}

const everywhere = ["_meta", "resultType", "ttlMs", "cacheScope"]

function* byServer(run: ServerRun): Iterable<Dated> {
  const { entries, spoken, strays, opened } = ledgerOf(run)
  const force = (opened?.result["protocolVersion"] ?? first(run.definition)) as RevisionName
  for (const { read, asker, revision, replies, target } of entries)
    for (const { at, message } of replies) {
      const version = own(own(message, "result"), "protocolVersion")
      const opens = read.method === "initialize" && asker === undefined && isDated(version)
      const now = opens ? version : (revision ?? first(run.definition))
      const task = target?._tag === "Tool" && target.task !== undefined
      yield { at, revision: now, from: "server", kind: outcome(message), method: read.method, task, message }
    }
  for (const { at, message, revision } of spoken) yield { at, ...ownWord("server", revision ?? force, message) }
  for (const { at, message } of strays) yield { at, ...ownWord("server", force, message) }
}

function* byClient(run: ClientRun): Iterable<Dated> {
  const { questions, spoken, peer } = clientLedgerOf(run)
  const newest = run.definition.revisions[0]!.name
  for (const { read, revision, replies } of questions)
    for (const { at, message } of replies) {
      const kind = outcome(message)
      const task = own(own(message, "result"), "task") !== undefined && own(read.params, "task") !== undefined
      // What is asked before the opening is asked by a server that is opened by a handshake.
      yield {
        at,
        revision: revision ?? first(run.definition),
        from: "client",
        kind,
        method: read.method,
        task,
        message
      }
    }
  for (const { at, message } of spoken) yield { at, ...ownWord("client", inForce(message, peer) ?? newest, message) }
}

function ownWord(from: Sent["from"], revision: RevisionName, message: Fields): Sent {
  const method = own(message, "method")
  const kind = method === undefined ? outcome(message) : own(message, "id") === undefined ? "notification" : "request"
  return { revision, from, kind, method: String(method), task: false, message }
}

/** A proposal is written in the revision that it proposes, and a request that names one in that. */
function inForce(message: Fields, peer: ClientLedger["peer"]): RevisionName | undefined {
  const params = own(message, "params")
  const named =
    own(message, "method") === "initialize"
      ? own(params, "protocolVersion")
      : own(own(params, "_meta"), protocolVersion)
  return isDated(named) ? named : peer?.revision
}

const outcome = (message: Fields): "result" | "error" => (succeeded(message) ? "result" : "error")

const isDated = (version: unknown): version is RevisionName => dated.some((name) => name === version)
