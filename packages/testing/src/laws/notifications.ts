/** Nobody is told what he did not want to hear: progress, log messages, changed lists and updated resources. */
import { clientLedgerOf } from "../client-book.js"
import { own, succeeded } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry } from "../ledger.js"
import type { ClientRun, ServerRun } from "../run.js"
import { ledgerOf } from "../server-book.js"
import { has } from "../specification.js"
import { clientStreams } from "./client-streams.js"
import { streamsTold } from "./server-streams.js"

/** 9 for a server. */
export function* serverTellsWhatWasWanted(run: ServerRun): Iterable<Violation> {
  yield* untold(run)
  yield* streamsTold(run)
  const { entries, spoken, opened } = ledgerOf(run)
  const reached = new Map<Entry, number>()
  for (const { at, via, message, about, tag, stream } of spoken) {
    if (tag !== undefined || stream !== undefined) continue
    const params = own(message, "params")
    switch (message["method"]) {
      case "notifications/progress": {
        const token = own(params, "progressToken")
        const live = entries.filter(
          (one) => one.at <= at && one.via === via && tokenOf(one) === token && isLiveAt(one, at)
        )
        const [entry] = live
        if (entry === undefined) {
          yield { at, why: `progress for ${brief(token)}, which no live request has` }
          break
        }
        // A client that gives two requests one token can not tell which of them got further, and neither can we.
        if (live.length > 1) break
        const [before, now] = [reached.get(entry) ?? -Infinity, own(params, "progress") as number]
        if (!(now > before)) yield { at, why: `progress for ${brief(token)} went from ${before} to ${brief(now)}` }
        reached.set(entry, now)
        break
      }
      case "notifications/message": {
        const { asker } = about ?? {}
        const [level, least] = [own(params, "level"), asker === undefined ? levelAt(entries, at) : asker.level]
        if (least === undefined)
          yield { at, why: `a log message of ${brief(level)} was sent for a request that asked for none` }
        else if (severities.indexOf(level as string) < severities.indexOf(least as string))
          yield { at, why: `a log message of ${brief(level)} was sent, and ${String(least)} was asked for` }
        if (asker !== undefined && via !== about!.via)
          yield { at, why: `a log message about a request by ${brief(about!.via)} went by ${brief(via)}` }
        break
      }
      case "notifications/resources/updated": {
        const uri = own(params, "uri")
        // A batch may end the subscription after what it tells of.
        const batched = entries.some((entry) => entry.at === at && entry.batch !== undefined)
        if (!subscribedAt(entries, uri, at) && !(batched && subscribedAt(entries, uri, at - 1)))
          yield { at, why: `${brief(uri)} was updated, and nobody had subscribed to it` }
        break
      }
      case "notifications/tools/list_changed":
      case "notifications/prompts/list_changed":
      case "notifications/resources/list_changed": {
        const path = `${message["method"].split("/")[1]}.listChanged`
        if (!has(opened?.result["capabilities"], path))
          yield { at, why: `${message["method"]}, and ${path} was not declared` }
        break
      }
    }
  }
}

/** What a client wanted to hear and did not: at once, or when it was ready to. */
function* untold(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  const { entries, spoken, moments, closedAt, stoppingAt, opened } = ledger
  const end = Math.min(closedAt ?? Infinity, stoppingAt ?? Infinity)
  const toldAt = (at: number, method: string, uri?: string): boolean =>
    spoken.some(
      (one) =>
        one.at === at &&
        one.tag === undefined &&
        one.message["method"] === method &&
        own(own(one.message, "params"), "uri") === uri
    )
  for (const [at, { input }] of run.steps.entries()) {
    if (moments[at] === "unopened" || (input._tag !== "Updated" && input._tag !== "Changed")) continue
    const due = moments[at] === "ready" ? at : moments.indexOf("ready")
    if (due < 0 || due >= end) continue
    if (input._tag === "Updated") {
      const { uri } = input
      const wish = subscription(entries, uri, at)
      const heard = wish?.replies.some((reply) => reply.at <= at && succeeded(reply.message))
      if (wish?.read.method !== "resources/subscribe" || heard !== true || subscription(entries, uri, due) !== wish)
        continue
      if (!toldAt(due, "notifications/resources/updated", uri))
        yield { at: due, why: `${brief(uri)} was updated, and who had subscribed to it was not told` }
    } else {
      const family = input.families.find(
        (one) =>
          has(opened?.result["capabilities"], `${one}.listChanged`) && !toldAt(due, `notifications/${one}/list_changed`)
      )
      if (family !== undefined) yield { at: due, why: `the ${family} changed, and the client was not told` }
    }
  }
}

/** From least to most severe. */
const severities = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

const tokenOf = (entry: Entry): unknown => own(own(entry.read.params, "_meta"), "progressToken")

const isLiveAt = (entry: Entry, at: number): boolean =>
  entry.call !== undefined &&
  (entry.finishedAt ?? Infinity) > at &&
  (entry.cancelledAt ?? Infinity) > at &&
  (entry.replies[0]?.at ?? Infinity) > at

/** What succeeded until then, in the order in which it came: the reply may have waited for its batch. */
const doneBy = (entries: ReadonlyArray<Entry>, at: number, ...methods: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  entries.filter(
    (entry) =>
      entry.at <= at &&
      entry.asker === undefined &&
      methods.includes(entry.read.method) &&
      !entry.inUse &&
      (entry.replies.some(({ message }) => succeeded(message)) ||
        (entry.batch !== undefined && entry.replies.length === 0))
  )

/** Before the client has said so it is `info`. */
const levelAt = (entries: ReadonlyArray<Entry>, at: number): string =>
  (own(doneBy(entries, at, "logging/setLevel").at(-1)?.read.params, "level") as string | undefined) ?? "info"

const subscribedAt = (entries: ReadonlyArray<Entry>, uri: unknown, at: number): boolean =>
  subscription(entries, uri, at)?.read.method === "resources/subscribe"

/** The last word about a resource: a subscription, or the end of one. */
const subscription = (entries: ReadonlyArray<Entry>, uri: unknown, at: number): Entry | undefined =>
  doneBy(entries, at, "resources/subscribe", "resources/unsubscribe").findLast(
    ({ read }) => own(read.params, "uri") === uri
  )

/** 9 for a client: it tells of progress when it was asked to, while the question is open; and of its roots when it said it would. */
export function* clientTellsWhatWasWanted(run: ClientRun): Iterable<Violation> {
  yield* clientStreams(run)
  const { questions, spoken } = clientLedgerOf(run)
  const reached = new Map<object, number>()
  for (const { at, message } of spoken) {
    const params = own(message, "params")
    if (
      message["method"] === "notifications/roots/list_changed" &&
      !has(run.definition.capabilities, "roots.listChanged")
    )
      yield { at, why: "the roots changed, and roots.listChanged was not declared" }
    if (message["method"] !== "notifications/progress") continue
    const token = own(params, "progressToken")
    const open = questions.filter(
      (one) =>
        one.ask !== undefined &&
        one.at <= at &&
        own(own(one.read.params, "_meta"), "progressToken") === token &&
        (one.answeredAt ?? Infinity) >= at &&
        (one.withdrawnAt ?? Infinity) >= at
    )
    const [question] = open
    if (question === undefined) {
      yield { at, why: `progress for ${brief(token)}, which no open question has` }
      continue
    }
    // A server that gives two questions one token can not tell which of them got further, and neither can we.
    if (open.length > 1) continue
    const [before, now] = [reached.get(question) ?? -Infinity, own(params, "progress") as number]
    if (!(now > before)) yield { at, why: `progress for ${brief(token)} went from ${before} to ${brief(now)}` }
    reached.set(question, now)
  }
}
