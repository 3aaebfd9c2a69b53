/** Neither side sends what the other, or it itself, did not declare. */
import type { RevisionName } from "@parley/core"
import { clientLedgerOf } from "../client-ledger.js"
import type { Fields } from "../envelope.js"
import { isReplyMessage, own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun, ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { has, methodsOf, nameable } from "../specification.js"

/** 7 for a server: what it asks was declared by its client, what it tells by itself. */
export function* serverSendsDeclared(run: ServerRun): Iterable<Violation> {
  const { spoken, opened } = ledgerOf(run)
  const revision = (opened?.result["protocolVersion"] ?? run.definition.revisions[0]!.name) as RevisionName
  for (const { at, message } of spoken) {
    const method = String(message["method"])
    const known = methodsOf(revision, "server").get(method)
    if (known?.kind !== kindOf(message))
      yield { at, why: `${brief(method)} was sent, and ${revision} has none from a server` }
    else if (known.needs !== undefined) {
      const said = known.needs.of === "client" ? opened?.client : opened?.result["capabilities"]
      if (!has(said, known.needs.path)) yield { at, why: `${method} was sent, and nobody declared ${known.needs.path}` }
    }
    const params = own(message, "params")
    const path = detail(revision, method, params, opened?.client)
    const task = own(params, "task") === undefined ? undefined : taskPath(method)
    for (const needed of [path, task])
      if (needed !== undefined && !has(opened?.client, needed))
        yield { at, why: `${method} was sent, and the client did not declare ${needed}` }
  }
}

/** What a question needs beside what its method does, whatever the revision. */
function detail(revision: RevisionName, method: string, params: unknown, client: unknown): string | undefined {
  if (method === "sampling/createMessage")
    return own(params, "tools") === undefined && own(params, "toolChoice") === undefined ? undefined : "sampling.tools"
  if (method !== "elicitation/create" || revision !== "2025-11-25") return undefined
  if (own(params, "mode") === "url") return "elicitation.url"
  // 2025-11-25 client/elicitation, Capabilities: forms are there unless only pages were named.
  return has(client, "elicitation.url") ? "elicitation.form" : "elicitation"
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
  const { spoken, peer } = clientLedgerOf(run)
  for (const { at, message } of spoken) {
    const method = String(message["method"])
    if (method === "initialize" || (peer === undefined && method === "notifications/cancelled")) continue
    const revision = peer?.revision ?? run.definition.revisions[0]!.name
    const known = methodsOf(revision, "client").get(method)
    if (known?.kind !== kindOf(message))
      yield { at, why: `${brief(method)} was sent, and ${revision} has none from a client` }
    else if (known.needs !== undefined && nameable(revision, known.needs.path)) {
      const said = known.needs.of === "client" ? run.definition.capabilities : peer?.capabilities
      if (!has(said, known.needs.path)) yield { at, why: `${method} was sent, and nobody declared ${known.needs.path}` }
    }
    const task = own(own(message, "params"), "task") === undefined ? undefined : taskPath(method)
    if (task !== undefined && known !== undefined && !has(peer?.capabilities, task))
      yield { at, why: `${method} was sent, and the server did not declare ${task}` }
  }
}

function kindOf(message: Fields): "request" | "notification" | "reply" {
  if (isReplyMessage(message)) return "reply"
  return own(message, "id") === undefined ? "notification" : "request"
}
