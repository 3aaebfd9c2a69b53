/** A stream is acknowledged first, then told what it asked for and its server promised, and answered when that ends it (2026-07-28 basic/patterns/subscriptions). */
import { subscriptionId } from "../asker.js"
import { fields, own } from "../envelope.js"
import type { Filter } from "../extensions.js"
import { areBothIn, filtersOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Ledger, Spoken } from "../ledger.js"
import { announcedBy, wasOpenStream } from "../ledger.js"
import type { ServerRun, ServerStep } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { fits } from "../shape.js"
import { has } from "../specification.js"

/** Part of 9. */
export function* streamsTold(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const one of ledger.spoken) yield* rightlyTold(run, one)
  for (const entry of ledger.entries) {
    const { stream } = entry
    if (stream === undefined) continue
    const wish = honourable(run, ledger, entry)
    if (written(stream.honoured) !== written(wish))
      yield { at: stream.from, why: `${brief(stream.honoured)} is honoured, where ${brief(wish)} was to be` }
    if (entry.at !== stream.from)
      yield { at: stream.from, why: "a stream was acknowledged later than it was asked for" }
    yield* ended(run, ledger, entry)
  }
  yield* untold(run, ledger)
}

/** What a tagged message is about, and what belongs to a stream. */
function* rightlyTold({ definition }: ServerRun, { at, message, tag, stream, about }: Spoken): Iterable<Violation> {
  const [method, params] = [String(message["method"]), own(message, "params")]
  const filter = filtersOf(definition).get(method)
  if (method === "notifications/subscriptions/acknowledged") {
    if (stream?.stream?.from !== at) yield { at, why: `${brief(tag)} was acknowledged, and is no stream to be` }
    return
  }
  if (tag === undefined) {
    if (about?.asker !== undefined && filter !== undefined)
      yield { at, why: `${method} was sent for a request that is no stream` }
    return
  }
  if (stream === undefined) yield { at, why: `${method} names the stream ${brief(tag)}, which is not open` }
  else if (method === "notifications/cancelled") {
    if (own(params, "requestId") !== stream.read.id || stream.replies[0]?.at !== at)
      yield { at, why: `the stream ${brief(tag)} was cancelled, and goes on` }
  } else if (filter === undefined) yield { at, why: `${method} was sent on a stream` }
  else if (!asks(stream, filter, params))
    yield { at, why: `${method} was sent on the stream ${brief(tag)}, which did not ask for that` }
  else if (stream.stream!.from === at && stream.at !== at)
    yield { at, why: `${method} was sent before its stream was acknowledged` }
}

function asks({ stream }: Entry, { member, by }: Filter, params: unknown): boolean {
  const wanted = own(stream!.honoured, member)
  return by === undefined ? wanted === true : Array.isArray(wanted) && wanted.includes(own(params, by))
}

/** What of the wish is declared. */
function honourable(
  { definition }: ServerRun,
  ledger: Ledger,
  { read, client }: Entry
): { readonly [member: string]: unknown } {
  const wish = own(read.params, "notifications")
  return Object.fromEntries(
    [...filtersOf(definition).values()].flatMap((filter): ReadonlyArray<readonly [string, unknown]> => {
      const { member } = filter
      const wanted = own(wish, member)
      if (!areBothIn(announcedBy(ledger, definition), client, filter)) return []
      if (Array.isArray(wanted)) return [[member, [...new Set<unknown>(wanted)]]]
      return wanted === true ? [[member, true]] : []
    })
  )
}

const written = (honoured: object): string =>
  JSON.stringify(Object.entries(honoured).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The answer says which stream it ends; then it is cancelled where messages cancel, and nothing more is said of it. */
function* ended({ options, steps }: ServerRun, { spoken }: Ledger, entry: Entry): Iterable<Violation> {
  const [reply] = entry.replies
  const { id } = entry.read
  for (const { at, stream, message } of spoken)
    if (stream === entry && entry.cancelledAt !== undefined && at >= entry.cancelledAt)
      yield { at, why: `${brief(message["method"])} was sent on the stream ${brief(id)}, which its client has ended` }
  if (reply === undefined) return
  const { at } = reply
  if (own(own(own(reply.message, "result"), "_meta"), subscriptionId) !== id)
    yield { at, why: `the stream ${brief(id)} ends with an answer that does not name it` }
  const sends = steps[at]!.outputs.flatMap((output) => (output._tag === "Send" ? [output] : []))
  const first = sends.findIndex(({ message }) => (message as object) === reply.message)
  const after = sends.map(({ message }, index) => ({ message, index })).filter(({ message }) => cancels(message, id))
  const due = (options.cancels ?? "message") === "message" ? 1 : 0
  if (after.length !== due || after.some(({ index }) => index < first))
    yield { at, why: `the stream ${brief(id)} was answered and cancelled ${after.length} times, in whatever order` }
  if (!sends[first]!.last) yield { at, why: `the stream ${brief(id)} was answered, and its exchange goes on` }
}

const cancels = (message: unknown, id: unknown): boolean =>
  own(message, "method") === "notifications/cancelled" &&
  own(own(message, "params"), "requestId") === id &&
  own(own(own(message, "params"), "_meta"), subscriptionId) === id

/** What changed is told once on each stream that asked for it, in the order in which they came. */
function* untold(run: ServerRun, { entries, spoken, closedAt }: Ledger): Iterable<Violation> {
  for (const [at, { input }] of run.steps.entries()) {
    if ((closedAt ?? Infinity) <= at) return
    for (const [method, params] of newsOf(run, input)) {
      const filter = filtersOf(run.definition).get(method)
      // What is not valid is told to nobody.
      if (filter === undefined || (filter.params !== undefined && !fits(filter.params, params))) continue
      const due = entries.filter((entry) => wasOpenStream(entry, at) && asks(entry, filter, params))
      const told = spoken.filter(
        (one) =>
          one.at === at &&
          one.tag !== undefined &&
          one.message["method"] === method &&
          plain(own(one.message, "params")) === plain(params)
      )
      if (due.length !== told.length || due.some((entry, index) => told[index]!.tag !== entry.read.id))
        yield {
          at,
          why: `${method} was due on ${ids(due.map(({ read }) => read.id))} and was sent on ${ids(told.map(({ tag }) => tag))}`
        }
    }
  }
}

/** Without what says on which stream. */
const plain = (params: unknown): string =>
  JSON.stringify(Object.entries(fields(params)).filter(([name]) => name !== "_meta"))

const ids = (all: ReadonlyArray<unknown>): string => brief(all)

function newsOf({ definition }: ServerRun, input: ServerStep["input"]): ReadonlyArray<readonly [string, unknown]> {
  if (input._tag === "Updated") return [["notifications/resources/updated", { uri: input.uri }]]
  if (input._tag === "Notified") return [[input.method, input.params]]
  if (input._tag !== "Changed") return []
  return input.families
    .filter((family) => has(definition.capabilities, `${family}.listChanged`))
    .map((family) => [`notifications/${family}/list_changed`, undefined] as const)
}
