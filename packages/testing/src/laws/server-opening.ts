/** A server opens by the table, speaks when spoken to before that, and in a version that both sides speak. */
import { codeOf, own, succeeded } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry } from "../ledger.js"
import { ledgerOf } from "../server-book.js"
import type { ServerRun } from "../run.js"

/** 5: before the handshake is done only what its table allows succeeds, and the server says nothing of its own. */
export function* openingFirst(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const entry of ledger.entries) {
    const { method } = entry.read
    const early = tooEarly(run, entry)
    if (entry.call !== undefined && early) yield { at: entry.at, why: `${method} reached a handler before its time` }
    for (const { at, message } of entry.replies) {
      if (succeeded(message) && early) yield { at, why: `${method} succeeded before its time` }
      if (method === "initialize" && succeeded(message) && entry.moment !== "unopened")
        yield { at, why: "initialize succeeded twice" }
      if (early && entry.read.kind === "request" && codeOf(message) !== -32600 && !excused(entry))
        yield { at, why: `${method} came before its time and was answered with ${brief(codeOf(message))}` }
    }
  }
  for (const { at, message, moment } of ledger.spoken)
    if (moment !== "ready" && !isAbout(message))
      yield { at, why: `the server sent ${brief(message["method"])} before it heard notifications/initialized` }
}

/** 6: the version in force is one that both sides speak, and the one asked for when it is spoken. */
export function* versionsAgree(run: ServerRun): Iterable<Violation> {
  const spoken = run.definition.revisions.map(({ name }) => name as string)
  for (const { read, moment, replies } of ledgerOf(run).entries) {
    if (read.method !== "initialize" || read.kind !== "request" || moment !== "unopened") continue
    const asked = own(read.params, "protocolVersion")
    for (const { at, message } of replies) {
      const version = own(own(message, "result"), "protocolVersion")
      const isSpoken = spoken.includes(asked as string)
      if (succeeded(message) && !spoken.includes(version as string))
        yield { at, why: `${brief(version)} is in force, and this server does not speak it` }
      else if (succeeded(message) && isSpoken && version !== asked)
        yield { at, why: `${brief(version)} is in force where ${brief(asked)} was asked for and is spoken` }
      else if (succeeded(message) && !isSpoken && run.definition.unsupported === "refuse")
        yield { at, why: `${brief(asked)} is not spoken, and was to be refused` }
      const error = own(message, "error")
      const supported = own(own(error, "data"), "supported")
      if (supported !== undefined && JSON.stringify(supported) !== JSON.stringify(spoken))
        yield { at, why: `the versions named are ${brief(supported)}, and those spoken are ${brief(spoken)}` }
    }
  }
}

function tooEarly({ definition }: ServerRun, { moment, read }: Entry): boolean {
  if (moment === "unopened") return read.method !== "initialize" && read.method !== "ping"
  return moment === "opened" && definition.early === "refuse" && read.method !== "ping"
}

/** Refusals that come before the moment is judged: the id, the end, and the table. */
const excused = (entry: Entry): boolean => entry.inUse || entry.stopping || entry.moment === "opened"

/** What a server says in the course of a request it is serving. */
const isAbout = (message: { readonly [key: string]: unknown }): boolean =>
  message["method"] === "notifications/progress"
