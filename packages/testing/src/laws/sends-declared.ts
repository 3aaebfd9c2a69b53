/** Neither side sends what the other, or it itself, did not declare. */
import type { RevisionName } from "@parley/core"
import { clientLedgerOf } from "../client-book.js"
import type { Fields } from "../envelope.js"
import { fields, isReplyMessage, own } from "../envelope.js"
import { areBothIn, otherOf, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import { announcedBy } from "../ledger.js"
import type { ClientRun, ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { first, has, isOffered, nameable, questionsOf, saysWhoAsks } from "../specification.js"

/** 7 for a server: what it asks was declared by its client, what it tells by itself. */
export function* serverSendsDeclared(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  const { opened } = ledger
  for (const { at, message, revision = first(run.definition), about, stream } of ledger.spoken) {
    const method = String(message["method"])
    const known = tableOf(run.definition, revision, "server").get(method)
    const asking = about ?? stream
    const client = asking === undefined ? opened?.client : asking.client
    if (known?.kind !== kindOf(message))
      yield { at, why: `${brief(method)} was sent, and ${revision} has none from a server` }
    else if (known.needs !== undefined) {
      const ours = saysWhoAsks(revision) ? announcedBy(ledger, run.definition) : opened?.result["capabilities"]
      if (!has(known.needs.of === "client" ? client : ours, known.needs.path))
        yield { at, why: `${method} was sent, and nobody declared ${known.needs.path}` }
    } else if (!areBothIn(announcedBy(ledger, run.definition), client, { extension: known.extension }))
      yield { at, why: `${method} was sent, and not both sides have announced ${known.extension}` }
    const params = own(message, "params")
    const task = own(params, "task") === undefined ? undefined : taskPath(method)
    for (const needed of [...detail(revision, method, params, client), ...(task === undefined ? [] : [task])])
      if (!has(client, needed)) yield { at, why: `${method} was sent, and the client did not declare ${needed}` }
  }
  for (const { read, replies, revision, client, asker } of ledger.entries)
    for (const { at, message } of replies) {
      const other = otherOf(run.definition, read.method, own(message, "result"))
      if (other !== undefined && !(asker && areBothIn(announcedBy(ledger, run.definition), client, other)))
        yield {
          at,
          why: `${read.method} was answered by a result of ${other.extension}, which not both sides have announced`
        }
      for (const question of Object.values(fields(own(own(message, "result"), "inputRequests"))))
        for (const needed of inside(revision ?? first(run.definition), question, client))
          yield { at, why: `${read.method} asks inside its result, and the client did not declare ${needed}` }
    }
}

/** What a question inside a result needs, and the client did not declare. */
function inside(revision: RevisionName, question: unknown, client: unknown): ReadonlyArray<string> {
  const method = String(own(question, "method"))
  const known = questionsOf(revision).get(method)
  if (known === undefined) return [method]
  return [known.needs!.path, ...detail(revision, method, own(question, "params"), client)].filter(
    (path) => !has(client, path)
  )
}

/** What a question needs beside what its method does. */
export function detail(
  revision: RevisionName,
  method: string,
  params: unknown,
  client: unknown
): ReadonlyArray<string> {
  if (method === "sampling/createMessage") {
    const context = saysWhoAsks(revision) && (own(params, "includeContext") ?? "none") !== "none"
    const tools = own(params, "tools") !== undefined || own(params, "toolChoice") !== undefined
    return [...(tools ? ["sampling.tools"] : []), ...(context ? ["sampling.context"] : [])]
  }
  if (method !== "elicitation/create" || !(revision === "2025-11-25" || saysWhoAsks(revision))) return []
  if (own(params, "mode") === "url") return ["elicitation.url"]
  return [isOffered(revision, client, "elicitation") ? "elicitation" : "elicitation.form"]
}

/** 2025-11-25 basic/utilities/tasks, Capabilities: whoever is asked for a task must have said that he makes some of that. */
function taskPath(method: string): string | undefined {
  switch (method) {
    case "tools/call":
      return "tasks.requests.tools.call"
    case "sampling/createMessage":
      return "tasks.requests.sampling.createMessage"
    case "elicitation/create":
      return "tasks.requests.elicitation.create"
    default:
      return undefined
  }
}

/** 7 for a client: what it asks was declared by its server, what it tells by itself. */
export function* clientSendsDeclared(run: ClientRun): Iterable<Violation> {
  const { attempts, spoken, peer } = clientLedgerOf(run)
  for (const { at, message } of spoken) {
    const method = String(message["method"])
    if (attempts.some((one) => one.message === message) || (peer === undefined && method === "notifications/cancelled"))
      continue
    const revision = peer?.revision ?? run.definition.revisions[0]!.name
    const known = tableOf(run.definition, revision, "client").get(method)
    if (known?.kind !== kindOf(message))
      yield { at, why: `${brief(method)} was sent, and ${revision} has none from a client` }
    else if (known.needs !== undefined && nameable(revision, known.needs.path)) {
      const said = known.needs.of === "client" ? run.definition.capabilities : peer?.capabilities
      if (!has(said, known.needs.path)) yield { at, why: `${method} was sent, and nobody declared ${known.needs.path}` }
    } else if (!areBothIn(peer?.capabilities, run.definition.capabilities, { extension: known.extension }))
      yield { at, why: `${method} was sent, and not both sides have announced ${known.extension}` }
    const task = own(own(message, "params"), "task") === undefined ? undefined : taskPath(method)
    if (task !== undefined && known !== undefined && !has(peer?.capabilities, task))
      yield { at, why: `${method} was sent, and the server did not declare ${task}` }
  }
}

function kindOf(message: Fields): "request" | "notification" | "reply" {
  if (isReplyMessage(message)) return "reply"
  return own(message, "id") === undefined ? "notification" : "request"
}
