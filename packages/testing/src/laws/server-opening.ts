/** A server opens by the table, speaks when spoken to before that, and in a version that both sides speak. */
import { protocolVersion } from "../asker.js"
import type { Fields } from "../envelope.js"
import { codeOf, own, succeeded } from "../envelope.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Reply } from "../ledger.js"
import { ledgerOf } from "../server-book.js"
import type { ServerRun } from "../run.js"
import { saysWhoAsks } from "../specification.js"

/** 5: before the handshake is done only what its table allows succeeds, and the server says nothing of its own. */
export function* openingFirst(run: ServerRun): Iterable<Violation> {
  const ledger = ledgerOf(run)
  for (const entry of ledger.entries) {
    const { method } = entry.read
    const early = tooEarly(run, entry)
    if (entry.call !== undefined && early) yield { at: entry.at, why: `${method} reached a handler before its time` }
    for (const { at, message } of entry.replies) {
      if (succeeded(message) && early) yield { at, why: `${method} succeeded before its time` }
      if (method === "initialize" && succeeded(message) && entry.asker === undefined && entry.moment !== "unopened")
        yield { at, why: "initialize succeeded twice" }
      if (early && entry.read.kind === "request" && codeOf(message) !== -32600 && !excused(entry))
        yield { at, why: `${method} came before its time and was answered with ${brief(codeOf(message))}` }
    }
  }
  for (const { at, message, moment, about, stream } of ledger.spoken)
    if (moment !== "ready" && stream === undefined && about?.asker === undefined && !isAbout(message))
      yield { at, why: `the server sent ${brief(message["method"])} before it heard notifications/initialized` }
}

/** 6: the version in force is one that both sides speak, and the one asked for when it is spoken. */
export function* versionsAgree(run: ServerRun): Iterable<Violation> {
  const spoken = run.definition.revisions.map(({ name }) => name)
  const [older, newer] = [spoken.filter((name) => !saysWhoAsks(name)), spoken.filter(saysWhoAsks)]
  for (const entry of ledgerOf(run).entries) {
    const { read, moment, replies, asker } = entry
    if (read.kind !== "request") continue
    yield* servedAsAsked(entry)
    if (asker !== undefined) yield* envelopeJudged(run, entry, newer)
    else if (read.method === "initialize" && moment === "unopened")
      for (const reply of replies) yield* agreed(run, entry, reply, older)
    else if (moment === "unopened")
      for (const { at, message } of replies)
        if (!namesVersions(message, spoken, isToName(run, entry, message)))
          yield { at, why: `the versions named are not ${brief(spoken)}: ${brief(message)}` }
  }
}

function* agreed(
  { definition }: ServerRun,
  { read }: Entry,
  { at, message }: Reply,
  spoken: ReadonlyArray<string>
): Iterable<Violation> {
  const asked = own(read.params, "protocolVersion")
  const version = own(own(message, "result"), "protocolVersion")
  const isSpoken = spoken.includes(asked as string)
  if (succeeded(message) && !spoken.includes(version as string))
    yield { at, why: `${brief(version)} is in force, and this server does not speak it` }
  else if (succeeded(message) && isSpoken && version !== asked)
    yield { at, why: `${brief(version)} is in force where ${brief(asked)} was asked for and is spoken` }
  else if (succeeded(message) && !isSpoken && definition.unsupported === "refuse")
    yield { at, why: `${brief(asked)} is not spoken, and was to be refused` }
  if (!namesVersions(message, spoken))
    yield { at, why: `the versions named are not those spoken: ${brief(message)}, ${brief(spoken)}` }
}

/** Whoever opens nothing and says nothing of a version is told which there are; a batch is refused whatever it holds. */
const isToName = (run: ServerRun, entry: Entry, message: Fields): boolean =>
  tooEarly(run, entry) && codeOf(message) === -32600 && !entry.inUse && !entry.stopping && entry.batch === undefined

/** What an error says of versions: when it says anything of them, or must. */
function namesVersions(message: Fields, spoken: ReadonlyArray<string>, must = false): boolean {
  const supported = own(own(own(message, "error"), "data"), "supported")
  return (!must && supported === undefined) || JSON.stringify(supported) === JSON.stringify(spoken)
}

/** A handler runs for the version and the client that asked. */
function* servedAsAsked({ read, runs, revision, asker }: Entry): Iterable<Violation> {
  for (const { at, peer } of runs)
    if (peer.revision !== revision)
      yield { at, why: `${read.method} was asked on ${revision}, and its handler runs for ${peer.revision}` }
    else if (asker !== undefined && !isWithin(peer.capabilities, asker.client))
      yield { at, why: `${read.method} runs for a client that did not declare ${brief(peer.capabilities)}` }
}

/** Whether there is nothing in it that is not in the other. */
const isWithin = (inner: unknown, outer: unknown): boolean =>
  isObject(inner)
    ? isObject(outer) && Object.keys(inner).every((key) => isWithin(inner[key], outer[key]))
    : JSON.stringify(inner) === JSON.stringify(outer)

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** 2026-07-28 basic/versioning: what says itself who asks is refused when that can not be, by what is wrong with it. */
function* envelopeJudged({ options }: ServerRun, entry: Entry, spoken: ReadonlyArray<string>): Iterable<Violation> {
  const { read, asker, replies, batch } = entry
  const fault = asker?.fault
  const isCrowded = entry.crowd >= (options.maxInFlight ?? 16_384)
  for (const { at, message } of replies) {
    const code = codeOf(message)
    // A batch and an id in use are refused whatever they hold, and so is what is one too many.
    if (fault !== undefined && code !== fault && !(code === -32603 && isCrowded) && !entry.inUse && batch === undefined)
      yield { at, why: `${read.method} was to be refused with ${fault}: ${brief(message)}` }
    if (fault === undefined && (code === -32020 || code === -32022))
      yield { at, why: `${read.method} came with all that there has to be, and was refused with ${code}` }
    if (!namesVersions(message, spoken, code === -32022) || (code === -32022 && !namesAsked(message, entry)))
      yield { at, why: `the versions named are wrong: ${brief(message)}` }
    const listed = own(own(message, "result"), "supportedVersions")
    if (read.method === "server/discover" && succeeded(message) && JSON.stringify(listed) !== JSON.stringify(spoken))
      yield { at, why: `the versions named are ${brief(listed)}, and those spoken are ${brief(spoken)}` }
  }
}

const namesAsked = (message: Fields, { read }: Entry): boolean =>
  own(own(own(message, "error"), "data"), "requested") === own(own(read.params, "_meta"), protocolVersion)

function tooEarly({ definition }: ServerRun, { moment, read, asker }: Entry): boolean {
  if (asker !== undefined) return false
  if (moment === "unopened") return read.method !== "initialize" && read.method !== "ping"
  return moment === "opened" && definition.early === "refuse" && read.method !== "ping"
}

/** Refusals that come before the moment is judged: the id, the end, and the table. */
const excused = (entry: Entry): boolean => entry.inUse || entry.stopping || entry.moment === "opened"

/** What a server says in the course of a request it is serving. */
const isAbout = (message: { readonly [key: string]: unknown }): boolean =>
  message["method"] === "notifications/progress"
