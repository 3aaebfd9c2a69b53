/** What a request remembers goes along sealed, and opens for that request and its user only (2026-07-28 basic/patterns/mrtr). */
import { codeOf, fields, own } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Ledger } from "../ledger.js"
import type { ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { mayAskInside } from "../specification.js"

/** Part of 10: seals refer to living requests, and each is bound to what it was made for. */
export function* sealedForOne(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  yield* bound(ledger)
  yield* opened(run, ledger)
  yield* sealedAgain(run, ledger)
  for (const { read, replies } of ledger.entries)
    for (const { at, message } of replies) {
      const state = own(own(message, "result"), "requestState")
      const input = run.steps[at]?.input
      if (state !== undefined && !(input?._tag === "Sealed" && input.token === state))
        yield { at, why: `${read.method} says ${brief(state)}, which nobody has sealed` }
    }
}

/** The same request of the same user has the same bound, and no other has. */
function* bound({ seals }: Ledger): Iterable<Violation> {
  const [uses, bounds] = [new Map<string, string>(), new Map<string, string>()]
  for (const { at, output, entry } of seals) {
    if (entry === undefined) {
      yield { at, why: `${output._tag} for ${brief(output.id)}, which does not wait for it` }
      continue
    }
    const use = useOf(entry)
    if ((uses.get(output.bound) ?? use) !== use)
      yield { at, why: `one seal is good for ${uses.get(output.bound)} and for ${use}` }
    if ((bounds.get(use) ?? output.bound) !== output.bound) yield { at, why: `${use} is sealed in two ways` }
    uses.set(output.bound, use)
    bounds.set(use, output.bound)
    if (output._tag === "Unseal" && output.token !== own(entry.read.params, "requestState"))
      yield { at, why: `${brief(output.token)} is to be opened, and is not what came` }
  }
}

/** Who asks for what, however it is written. */
const useOf = ({ principal, revision, read }: Entry): string =>
  JSON.stringify([principal ?? null, revision, read.method, sorted(read.params, 0)])

const besides = new Set(["_meta", "inputResponses", "requestState"])

function sorted(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1))
  if (typeof value !== "object" || value === null) return value
  return Object.keys(value)
    .filter((key) => depth > 0 || !besides.has(key))
    .toSorted()
    .map((key) => [key, sorted((value as { readonly [key: string]: unknown })[key], depth + 1)])
}

/**
 * A handler runs with a state when that was opened, and with the answers that were asked for. Without a state it runs with none,
 * and then with those that its request brought to what it asked.
 */
function* opened({ steps }: ServerRun, { entries }: Ledger): Iterable<Violation> {
  for (const { read, asker, revision, runs, replies, at } of entries) {
    if (asker === undefined || !mayAskInside(revision!, read.method)) continue
    const state = own(read.params, "requestState")
    const [run] = runs
    if (run !== undefined && state !== undefined && run.at === at)
      yield { at, why: `${read.method} runs with a state that nobody has opened` }
    for (const reply of replies) {
      const input = steps[reply.at]?.input
      if (input?._tag === "Unsealed" && input.payload === undefined && codeOf(reply.message) !== -32602)
        yield { at: reply.at, why: `a state that does not open was answered with ${brief(reply.message)}` }
    }
    if (run === undefined) continue
    const input = steps[run.at]?.input
    const payload = input?._tag === "Unsealed" ? input.payload : undefined
    const asked = Object.keys(fields(own(payload, "asked")))
    const responses = own(read.params, "inputResponses")
    for (const [time, { at }] of runs.entries())
      for (const [key, answer] of Object.entries(fields(answersOf(steps[at]?.outputs, read.id)))) {
        const taken = asked.includes(key) || (state === undefined && time > 0)
        const came = taken ? own(responses, key) : undefined
        const before = own(own(payload, "answers"), key)
        const is = came === undefined ? before : { _tag: "Answered", result: came }
        if (JSON.stringify(answer) !== JSON.stringify(is))
          yield { at, why: `${read.method} runs with ${brief(answer)} for ${key}, which is not what was answered` }
      }
  }
}

const answersOf = (outputs: ServerRun["steps"][number]["outputs"] | undefined, id: unknown): unknown =>
  outputs?.flatMap((output) => (output._tag === "Invoke" && output.id === id ? [output.answers] : []))[0]

/** What waits for a seal where the state was decoded asks for it once more. */
function* sealedAgain({ steps }: ServerRun, { entries, seals, closedAt }: Ledger): Iterable<Violation> {
  for (const [at, { input }] of steps.entries()) {
    if (input._tag !== "Resumed" || (closedAt ?? Infinity) <= at) continue
    for (const entry of entries)
      if (staged(entry, at) && !seals.some((seal) => seal.at === at && seal.entry === entry))
        yield { at, why: `${entry.read.method} waits for a seal that nobody makes` }
  }
}

/** Whether it waits for that at the step, which is not the step that ends it. */
const staged = ({ asker, call, pauses, at, cancelledAt, finishedAt, replies }: Entry, now: number): boolean =>
  asker !== undefined &&
  call !== undefined &&
  at < now &&
  pauses.some(({ from, to }) => from < now && (to === undefined || to > now)) &&
  Math.min(cancelledAt ?? Infinity, finishedAt ?? Infinity, replies[0]?.at ?? Infinity) > now
