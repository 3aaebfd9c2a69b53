/** Whatever either side sends is valid under the revision in force. */
import type { RevisionName } from "@parley/core"
import type { ClientLedger } from "../client-ledger.js"
import { clientLedgerOf } from "../client-ledger.js"
import type { Fields } from "../envelope.js"
import { own, succeeded } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Judge, Sent } from "../judge.js"
import { excepted } from "../judge.js"
import type { ClientRun, ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { dated } from "../specification.js"

type Dated = Sent & { readonly at: number }

/** 8 for a server. */
export const serverValid = (judges: ReadonlyArray<Judge>) => (run: ServerRun) => judged(judges, byServer(run))

/** 8 for a client. */
export const clientValid = (judges: ReadonlyArray<Judge>) => (run: ClientRun) => judged(judges, byClient(run))

function* judged(judges: ReadonlyArray<Judge>, all: Iterable<Dated>): Iterable<Violation> {
  for (const sent of all) {
    const message = excepted(sent)
    for (const { name, wrong } of judges) {
      const why = wrong(message)
      if (why !== undefined) {
        const what = `${sent.method} (${sent.kind}) is not valid on ${sent.revision}`
        yield { at: sent.at, why: `${what}, judged by ${name}: ${why}: ${brief(sent.message)}` }
      }
    }
  }
}

function* byServer(run: ServerRun): Iterable<Dated> {
  const { entries, spoken, strays, opened } = ledgerOf(run)
  const force = (opened?.result["protocolVersion"] ?? run.definition.revisions[0]!.name) as RevisionName
  for (const { read, revision, replies, target } of entries)
    for (const { at, message } of replies) {
      const version = own(own(message, "result"), "protocolVersion")
      const now =
        read.method === "initialize" && isDated(version) ? version : (revision ?? run.definition.revisions[0]!.name)
      const task = target?._tag === "Tool" && target.task !== undefined
      yield { at, revision: now, from: "server", kind: outcome(message), method: read.method, task, message }
    }
  for (const { at, message } of [...spoken, ...strays]) yield { at, ...ownWord("server", force, message) }
}

function* byClient(run: ClientRun): Iterable<Dated> {
  const { questions, spoken, peer } = clientLedgerOf(run)
  const newest = run.definition.revisions[0]!.name
  for (const { read, revision, replies } of questions)
    for (const { at, message } of replies) {
      const kind = outcome(message)
      const task = own(own(message, "result"), "task") !== undefined && own(read.params, "task") !== undefined
      yield { at, revision: revision ?? newest, from: "client", kind, method: read.method, task, message }
    }
  for (const { at, message } of spoken) yield { at, ...ownWord("client", inForce(message, peer) ?? newest, message) }
}

function ownWord(from: Sent["from"], revision: RevisionName, message: Fields): Sent {
  const method = own(message, "method")
  const kind = method === undefined ? outcome(message) : own(message, "id") === undefined ? "notification" : "request"
  return { revision, from, kind, method: String(method), task: false, message }
}

/** A proposal is written in the revision that it proposes. */
function inForce(message: Fields, peer: ClientLedger["peer"]): RevisionName | undefined {
  const proposed = own(message, "method") === "initialize" ? own(own(message, "params"), "protocolVersion") : undefined
  return isDated(proposed) ? proposed : peer?.revision
}

const outcome = (message: Fields): "result" | "error" => (succeeded(message) ? "result" : "error")

const isDated = (version: unknown): version is RevisionName => dated.some((name) => name === version)
