/** A client is told of what it asked to hear of: the progress of its calls, and on a stream what was wanted and is honoured. */
import { subscriptionId } from "../asker.js"
import { clientLedgerOf } from "../client-book.js"
import type { Calling, ClientLedger } from "../client-ledger.js"
import { isUnderWay, roundBefore, sentFor } from "../client-ledger.js"
import { fields, own, reading } from "../envelope.js"
import type { Filter } from "../extensions.js"
import { areBothIn, filtersOf, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { ClientRun, ClientStep } from "../run.js"
import { fits } from "../shape.js"
import { saysWhoAsks } from "../specification.js"

const acknowledgement = "notifications/subscriptions/acknowledged"

/** 9 for a client, of what it hears. */
export function* clientStreams(run: ClientRun): Iterable<Violation> {
  const ledger = clientLedgerOf(run)
  const told = new Map<Calling, number>()
  for (const [at, step] of run.steps.entries()) {
    yield* progressWanted(ledger, step, at, told)
    if (!saysWhoAsks(ledger.peer?.revision) || (ledger.openedAt ?? Infinity) >= at) continue
    yield* noticesHonoured(run, ledger, step, at)
    yield* acknowledgedFirst(ledger, step, at)
    if ((ledger.closedAt ?? Infinity) > at) yield* handedOut(run, ledger, step, at)
  }
}

/** `told`: how far each call had got, over all the requests that were made for it. */
function* progressWanted(
  { calls }: ClientLedger,
  { input, outputs }: ClientStep,
  at: number,
  told: Map<Calling, number>
): Iterable<Violation> {
  if (input._tag !== "Received" || Array.isArray(input.json)) return
  const token = own(own(input.json, "params"), "progressToken")
  for (const output of outputs) {
    if (output._tag !== "Progress") continue
    const calling = sentFor(calls, output.call)
    const round = calling === undefined ? undefined : roundBefore(calling, at)
    if (calling?.called.progress !== true)
      yield { at, why: `progress of call ${output.call}, which wants to hear of none` }
    if (round === undefined || own(round.message, "id") !== token || (round.reply?.at ?? Infinity) < at)
      yield {
        at,
        why: `progress of call ${output.call} by ${brief(token)}, which is no request of it that is under way`
      }
    const before = calling && told.get(calling)
    if (before !== undefined && output.progress <= before)
      yield { at, why: `progress of call ${output.call} went from ${before} to ${output.progress}` }
    if (calling !== undefined) told.set(calling, output.progress)
  }
}

/** What is handed out came on the stream that it is said to have come on. */
function* noticesHonoured(
  { definition }: ClientRun,
  { calls }: ClientLedger,
  { input, outputs }: ClientStep,
  at: number
): Iterable<Violation> {
  for (const output of outputs) {
    const filter = output._tag === "Notice" ? filtersOf(definition).get(output.method) : undefined
    if (output._tag !== "Notice" || filter === undefined) continue
    const calling = sentFor(calls, output.about)
    const id = own(own(output.params, "_meta"), subscriptionId)
    const stream = calling === undefined ? undefined : listening(calling, id, at)
    if (stream === undefined)
      yield { at, why: `${output.method} was heard on ${brief(id)}, which is no stream that is open` }
    else if (!covers(stream, filter, output.params))
      yield { at, why: `${output.method} was heard on ${brief(id)}, which does not honour it` }
    if (input._tag !== "Received") yield { at, why: `${output.method} was heard, and nobody sent it` }
  }
}

function* acknowledgedFirst({ calls }: ClientLedger, { outputs, input }: ClientStep, at: number): Iterable<Violation> {
  for (const output of outputs) {
    if (output._tag !== "Acknowledged") continue
    const calling = sentFor(calls, output.call)
    if (calling?.called.method !== "subscriptions/listen" || !isUnderWay(calling, at)) {
      yield { at, why: `call ${output.call} was acknowledged, and is no stream that is open` }
      continue
    }
    if (calling.acknowledged[0]!.at < at) yield { at, why: `call ${output.call} was acknowledged twice` }
    const said = input._tag === "Received" ? own(own(input.json, "params"), "notifications") : undefined
    const wanted = own(calling.called.params, "notifications")
    for (const [name, promise] of Object.entries(output.honoured)) {
      const sides = [own(wanted, name), own(said, name)]
      const both = Array.isArray(promise)
        ? promise.every((uri) => sides.every((side) => Array.isArray(side) && side.includes(uri)))
        : sides.every((side) => side === promise)
      if (!both) yield { at, why: `${name} is honoured, and was not both wanted and acknowledged` }
    }
  }
}

/** And whatever comes so, it is handed out. */
function* handedOut(
  { definition }: ClientRun,
  { calls, peer }: ClientLedger,
  { input, outputs }: ClientStep,
  at: number
): Iterable<Violation> {
  if (input._tag !== "Received") return
  const { kind, method, params } = reading(input.json)
  if (kind !== "notification") return
  const known = tableOf(definition, peer!.revision, "server").get(method)
  if (known === undefined || !fits(known.params, fields(params))) return
  const [needs, extension] = [known.needs?.path, known.extension]
  if (!areBothIn(peer!.capabilities, definition.capabilities, { needs, extension })) return
  const id = own(own(params, "_meta"), subscriptionId)
  const calling = calls.find((one) => listening(one, id, at) !== undefined)
  const waiting = calls.find((one) => awaits(one, id, at))
  if (method === acknowledgement && waiting !== undefined)
    if (!outputs.some((output) => output._tag === "Acknowledged" && output.call === waiting.called.call))
      yield { at, why: `${brief(id)} was acknowledged, and its call was not told` }
  const filter = filtersOf(definition).get(method)
  if (calling === undefined || filter === undefined) return
  const stream = listening(calling, id, at)!
  const heard = outputs.some((output) => output._tag === "Notice" && output.about === calling.called.call)
  if (!heard && covers(stream, filter, params)) yield { at, why: `${method} came on ${brief(id)}, and was not heard` }
}

/** What the stream of that id honours, where it is one of this call, acknowledged and open. */
function listening(calling: Calling, id: unknown, at: number): object | undefined {
  const [first] = calling.acknowledged
  return first !== undefined && first.at < at && isStream(calling, id, at) ? first.honoured : undefined
}

const awaits = (calling: Calling, id: unknown, at: number): boolean =>
  calling.acknowledged.every((one) => one.at >= at) && isStream(calling, id, at)

function isStream(calling: Calling, id: unknown, at: number): boolean {
  const round = roundBefore(calling, at)
  return (
    calling.called.method === "subscriptions/listen" &&
    round !== undefined &&
    own(round.message, "id") === id &&
    isUnderWay(calling, at)
  )
}

/** 2026-07-28 server/resources, Subscriptions: what is told of may lie below what was subscribed to. */
function covers(honoured: object, { member, by, extension }: Filter, params: unknown): boolean {
  const promise = own(honoured, member)
  if (by === undefined || !Array.isArray(promise)) return promise === true
  const name = own(params, by)
  if (extension !== undefined) return promise.includes(name)
  return typeof name === "string" && promise.some((one: string) => name.startsWith(one))
}
