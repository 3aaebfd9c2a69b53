/** A server serves what it declared and nothing else. */
import type { Definition, RevisionName } from "@parley/core"
import type { Target } from "@parley/core/server"
import { codeOf, own, succeeded } from "../envelope.js"
import { areBothIn, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Ledger } from "../ledger.js"
import { announcedBy } from "../ledger.js"
import { ledgerOf } from "../server-book.js"
import type { ServerRun } from "../run.js"
import { first, has, methodsOf, nameable } from "../specification.js"
import { lacking, lackingSaid } from "./server-lacking.js"

/** 1: what was not announced neither succeeds nor reaches a handler. */
export function* onlyDeclared(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  yield* noticed(run, ledger)
  yield* saidTwice(ledger)
  for (const { at, call } of ledger.orphans) yield { at, why: `handler ${call} runs for no request that may have one` }
  for (const entry of ledger.entries) {
    const { method, params, kind } = entry.read
    const served = entry.replies.some(({ message }) => succeeded(message)) || entry.call !== undefined
    if (!served) continue
    const { at } = entry.replies[0] ?? entry
    if (kind !== "request") yield { at, why: "something that is not a request was served" }
    else if (entry.asker?.fault !== undefined)
      yield { at, why: `${brief(method)} was served, and nobody can tell for whom` }
    else if (!mayBeServed(ledger, run.definition, entry))
      yield { at, why: `${brief(method)} was served, and nobody declared it` }
    else if (entry.target?._tag === "Method" && entry.target.method !== method)
      yield { at: entry.at, why: `${method} reached the handler of ${entry.target.method}` }
    else if (method === "tools/call" && !isThere(entry.definition.tools, params))
      yield { at, why: `there is no tool ${brief(own(params, "name"))}` }
    else if (method === "prompts/get" && !isThere(entry.definition.prompts, params))
      yield { at, why: `there is no prompt ${brief(own(params, "name"))}` }
    else if (entry.target !== undefined && !fits(entry.target, method, params))
      yield { at: entry.at, why: `${method} reached ${brief(entry.target)}` }
    else if (entry.target?._tag === "Tool") {
      const [need] = lacking(entry, entry.target.name)
      if (need !== undefined)
        yield { at: entry.at, why: `${entry.target.name} was called, and the client did not declare ${need}` }
    }
  }
  for (const { at, entry } of ledger.strayed) yield { at, why: `${entry.read.method} was run again for something else` }
}

/** It is one server, whoever asks, and however often: what it says may be kept. */
function* saidTwice({ discovered: [first, ...later] }: Ledger): Iterable<Violation> {
  for (const { at, capabilities } of later)
    if (JSON.stringify(capabilities) !== JSON.stringify(first!.capabilities))
      yield { at, why: `a server that said it has ${brief(first!.capabilities)} says it has ${brief(capabilities)}` }
}

function fits(target: Target, method: string, params: unknown): boolean {
  switch (target._tag) {
    case "Tool":
      return method === "tools/call" && target.name === own(params, "name")
    case "Prompt":
      return method === "prompts/get" && target.name === own(params, "name")
    case "Method":
      return true
  }
}

/** Notifications that reached the user's code: of this revision, and declared by whoever must. */
function* noticed(run: ServerRun, { opened }: Ledger): Iterable<Violation> {
  const revision = (opened?.result["protocolVersion"] ?? first(run.definition)) as RevisionName
  for (const [at, { outputs }] of run.steps.entries())
    for (const output of outputs) {
      if (output._tag !== "Notice") continue
      const known = methodsOf(revision, "client").get(output.method)
      const said = known?.needs?.of === "client" ? opened?.client : opened?.result["capabilities"]
      if (known?.kind !== "notification")
        yield { at, why: `${brief(output.method)} was heard, and is no notification of a client's` }
      else if (known.needs !== undefined && !has(said, known.needs.path))
        yield { at, why: `${output.method} was heard, and nobody declared ${known.needs.path}` }
    }
}

/** 2: what was announced is there: never "method not found", and a well-formed request is answered or handled. */
export function* allDeclared(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const entry of ledger.entries) {
    if (entry.read.kind !== "request" || entry.moment === "unopened") continue
    const [reply] = entry.replies
    if (entry.asker?.fault !== undefined || ended(ledger, entry) || reply === undefined) continue
    if (!excused(run, entry)) yield* lackingSaid(run, ledger, entry, reply)
    if (entry.call !== undefined) continue
    if (succeeded(reply.message) || !mayBeServed(ledger, run.definition, entry)) continue
    const code = codeOf(reply.message)
    const { method } = entry.read
    if (code === -32601 && negotiatesTask(entry)) continue
    if (code === -32601) yield { at: reply.at, why: `${method} is declared and was answered with -32601` }
    else if (code !== -32602 && code !== -32021 && !excused(run, entry))
      yield { at: reply.at, why: `${method} is declared and was answered with ${brief(code)} before any handler ran` }
  }
}

/** 2025-11-25 basic/utilities/tasks, Tool-Level Negotiation: -32601 is how a tool declines to be a task, or not to be one. */
function negotiatesTask({ definition: { tools }, revision, read }: Entry): boolean {
  if (revision !== "2025-11-25" || read.method !== "tools/call") return false
  const support = own(tools.find(({ name }) => name === own(read.params, "name"))?.["execution"], "taskSupport")
  return own(read.params, "task") === undefined ? support === "required" : (support ?? "forbidden") === "forbidden"
}

function mayBeServed(ledger: Ledger, definition: Definition, entry: Entry): boolean {
  const { method } = entry.read
  // 2024-11-05 to 2025-11-25 basic/lifecycle: nothing but initialize and pings before the version is agreed.
  if (entry.moment === "unopened") return method === "initialize" || method === "ping"
  const known = tableOf(definition, entry.revision!, "client").get(method)
  if (known?.kind !== "request") return false
  const needs = known.needs?.path
  return areBothIn(announced(ledger, definition, entry, needs), entry.client, { needs, extension: known.extension })
}

/** What this client was told, or is told when it asks; what had no name yet it was not told. */
function announced(ledger: Ledger, definition: Definition, { asker, revision }: Entry, needs?: string): unknown {
  if (asker !== undefined) return announcedBy(ledger, definition)
  return needs === undefined || nameable(revision!, needs)
    ? ledger.opened?.result["capabilities"]
    : definition.capabilities
}

const isThere = (items: ReadonlyArray<{ readonly name: string }>, params: unknown): boolean =>
  items.some(({ name }) => name === own(params, "name"))

/** After the end nobody is owed anything. */
const ended = ({ closedAt }: Ledger, entry: Entry): boolean => closedAt !== undefined && entry.at > closedAt

function excused({ definition, options }: ServerRun, entry: Entry): boolean {
  const { method } = entry.read
  return (
    entry.inUse ||
    entry.stopping ||
    method === "initialize" ||
    (method === "resources/subscribe" && options.maxSubscriptions !== undefined) ||
    (method === "subscriptions/listen" && (options.maxSubscriptions ?? options.maxListens) !== undefined) ||
    // 2025-03-26 has batches, and no other revision: its request is refused in one.
    (entry.batch !== undefined && entry.asker !== undefined) ||
    entry.crowd >= (options.maxInFlight ?? 16_384) ||
    (definition.early === "refuse" && entry.moment === "opened" && method !== "ping")
  )
}
