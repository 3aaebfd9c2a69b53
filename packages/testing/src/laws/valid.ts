/** What a side says of itself is as its revision has it: a definition may hold anything that the compiler did not see. */
import type { Check, RequestRow, RevisionName } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import type { Fields } from "../envelope.js"
import { own, succeeded } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry } from "../ledger.js"
import { ledgerOf } from "../ledger.js"
import type { ClientRun, ServerRun } from "../run.js"

/** 8, of a server: the results of `initialize` and `tools/list`. */
export function* serverIntroducesItself(run: ServerRun): Iterable<Violation> {
  for (const entry of ledgerOf(run).entries)
    for (const { at, message } of entry.replies) {
      const why = succeeded(message) ? wrongIn(entry, own(message, "result")) : undefined
      if (why !== undefined) yield { at, why }
    }
}

/** 8, of a client: the params of `initialize`. */
export function* clientIntroducesItself(run: ClientRun): Iterable<Violation> {
  for (const [at, { outputs }] of run.steps.entries())
    for (const output of outputs) {
      if (output._tag !== "Send" || own(output.message, "method") !== "initialize") continue
      const params = own(output.message, "params")
      const why = wrong("the params of initialize", params, rowOf(own(params, "protocolVersion"), "initialize")?.params)
      if (why !== undefined) yield { at, why }
    }
}

function wrongIn({ read: { method }, revision }: Entry, result: unknown): string | undefined {
  const what = `the result of ${method}`
  if (method === "initialize") return wrong(what, result, rowOf(own(result, "protocolVersion"), method)?.result)
  if (method !== "tools/list") return undefined
  return wrong(what, result, rowOf(revision, method)?.result) ?? wrongTool(revision, result)
}

function wrongTool(revision: RevisionName | undefined, result: unknown): string | undefined {
  const item = published(revision)?.items["tools/list"]
  for (const tool of own(result, "tools") as ReadonlyArray<Fields>) {
    const why = wrong(`the tool ${brief(own(tool, "name"))}`, tool, item)
    if (why !== undefined) return why
  }
  return undefined
}

function wrong(what: string, value: unknown, check: Check | undefined): string | undefined {
  const problem = check?.(value)
  return problem && `${what} is not valid: ${problem.at === "" ? "it" : problem.at} must be ${problem.expected}`
}

/** As it is published, whatever table the definition brings. */
const published = (revision: unknown) => handshakeRevisions.find(({ name }) => name === revision)

const rowOf = (revision: unknown, method: string): RequestRow | undefined =>
  published(revision)?.client[method] as RequestRow | undefined
