/** One session with the server, and everything that was seen of it. */
import type { CallOptions, Client } from "@parley/client"
import { CallError, connect } from "@parley/client"
import type { Report } from "@parley/core"
import type { Channel, Frame } from "@parley/driver"
import { tap } from "@parley/driver"
import { command } from "@parley/stdio"
import type { Aside } from "./aside.js"
import { line } from "./clean.js"
import type { Wishes } from "./command-line.js"
import type { Deadline } from "./deadline.js"
import { deadline } from "./deadline.js"
import type { Restarted } from "./era.js"
import { foundOut } from "./era.js"
import type { Overheard } from "./overheard.js"
import { overheard } from "./overheard.js"
import type { Asker } from "./questions.js"
import { answersOf } from "./questions.js"
import type { Paint } from "./paint.js"
import { isSocket, spelledOut } from "./server-at.js"
import type { Transcript } from "./transcript.js"
import { transcript } from "./transcript.js"
import { Stop } from "./trouble.js"
import type { Exchanged, Web } from "./web.js"
import { exchangeInWords, web } from "./web.js"

export interface Visit {
  readonly client: Client
  /** The reply to a request past the client, or nothing when none comes in time. */
  readonly overhear: Overheard["overhear"]
  readonly transcript: Transcript
  /** How the server ended the first time, where it had to be started a second time, or connected to. */
  readonly restarted: () => Restarted | undefined
  /** What went over HTTP until now. */
  readonly web: () => ReadonlyArray<Exchanged>
  readonly reports: ReadonlyArray<Report>
  /** Options of a call that ends when the person interrupts it, or when it took too long. */
  readonly patience: CallOptions
  /** The time that one answer may take begins anew. */
  readonly restart: () => void
  /** From now on each request has a time of its own, and one that is late ends nothing else. */
  readonly apart: () => void
}

/** What is known also when there was no session. */
export interface Seen {
  transcript: Transcript | undefined
  readonly reports: Array<Report>
  readonly stderr: Array<string>
  left: { readonly code: number | null; readonly signal: string | null } | undefined
  /** Why it had to be started a second time, or connected to. */
  restarted: Restarted | undefined
  /** What went over HTTP, where the server has an address. */
  web: Web | undefined
  /** The time that was allowed and is over, in words. */
  expired: string | undefined
  /** Why we would have no more of it. */
  ended: Stop | undefined
}

export const unseen = (): Seen => ({
  transcript: undefined,
  reports: [],
  stderr: [],
  left: undefined,
  restarted: undefined,
  web: undefined,
  expired: undefined,
  ended: undefined
})

const GRACE = 1_000
/** How long a server may be silent on what it speaks, before the other way of opening is tried too. */
const PROBE = 3_000
const NEVER = 2_000_000_000
const WORDS = 20
const REPORTS = 200
/** So much text of one list of tools is taken for one that has no end; `inspect` itself stops before. */
const TOOLS = 192 * 1024 * 1024

const endless = new Stop(
  "refused",
  `The server's list of tools does not end: more than ${TOOLS / 1024 / 1024} MiB of it have come`,
  "--unchecked calls a tool without the list"
)

export interface Company {
  readonly aside: Aside
  readonly asker: Asker
  readonly paint: Paint
  readonly now: () => number
  readonly interrupted: AbortSignal
  readonly version: string
}

/** Opens the session, does the work, closes. What was seen is in `seen` from the start. */
export async function visit<A>(
  wishes: Wishes,
  { aside, asker, paint, now, interrupted, version }: Company,
  seen: Seen,
  work: (visit: Visit) => Promise<A>
): Promise<A> {
  const record = transcript(now, (from, text) => {
    if (wishes.verbose) aside.say(`${from === "us" ? paint.good("→") : paint.name("←")} ${paint.faint(line(text))}`)
  })
  seen.transcript = record
  const late = new AbortController()
  const end = (why: Stop): void => {
    seen.ended ??= why
    late.abort(why)
  }
  const received = (frame: Frame): void => {
    record.received(frame)
    if (record.size("tools/list") > TOOLS) end(endless)
  }
  const expired = (ms: number): void => {
    seen.expired = ms === wishes.timeoutMs ? `within ${ms} ms` : `within ${ms} ms, for all the progress it told of`
    late.abort(new Error(`no answer ${seen.expired}`))
  }
  const allowed: Deadline = deadline(wishes.timeoutMs, expired, now)
  let channel!: Overheard
  let ended: string | undefined
  // Who starts a server does without what speaks HTTP.
  const { webSocket } = isSocket(wishes.at) ? await import("@parley/websocket/client") : { webSocket: undefined }
  const { http } =
    wishes.at._tag === "Address" && webSocket === undefined ? await import("@parley/http/client") : { http: undefined }
  /** Called a second time for a server that ended on the question what it speaks. */
  const start = (): Overheard => {
    if (ended !== undefined) again(ended)
    channel = overheard(tap(reached(), { sent: record.sent, received }), (why) => (ended = why))
    return channel
  }
  const reached = (): Channel => {
    const { at } = wishes
    if (at._tag === "Address") {
      if (webSocket !== undefined) return webSocket(at.url, { headers: at.headers, closeMs: GRACE })
      const observed = (seen.web = web(at.url, now))
      return http!(at.url, { headers: at.headers, fetch: observed.fetch, closeMs: GRACE })
    }
    return command(at.command, at.args, {
      env: at.env,
      graceMs: GRACE,
      ...(at.cwd !== undefined && { cwd: at.cwd }),
      stderr: (text) => {
        const said = line(text.slice(0, 2_000))
        if (seen.stderr.push(said) > WORDS) seen.stderr.shift()
        if (wishes.verbose) aside.say(paint.faint(`server: ${said}`))
      },
      exited: (code, signal) => {
        seen.left = { code, signal }
      }
    })
  }
  const again = (why: string): void => {
    const restarted = isSocket(wishes.at) ? reconnected(why) : seen.left && started(seen.left)
    // It was never there, or it is we who ended it.
    if (restarted === undefined || interrupted.aborted || late.signal.aborted)
      throw new CallError({ _tag: "Closed", method: "server/discover", why })
    seen.restarted = restarted
    seen.left = undefined
    const { did, how, anew } = restarted
    aside.say(
      paint.faint(`The server ${did} on server/discover (${line(how)}): it is ${anew} and opened by initialize.`)
    )
  }
  const give = (): void => void channel.close()
  interrupted.addEventListener("abort", give)
  late.signal.addEventListener("abort", give)
  aside.doing(wishes.at._tag === "Command" ? `starting ${wishes.at.command} …` : `asking ${spelledOut(wishes.at)} …`)
  try {
    const client = await connect(start, {
      clientInfo: { name: "parley", version },
      revisions: wishes.revisions,
      prefer: wishes.prefer,
      probeMs: Math.min(PROBE, wishes.timeoutMs / 2),
      answer: answersOf(wishes, asker, allowed, end),
      openingMs: NEVER,
      timeoutMs: NEVER,
      on: { "notifications/message": aside.logged },
      report: (report) => {
        if (seen.reports.length < REPORTS) seen.reports.push(report)
      }
    })
    // From here on the call is withdrawn, and the session goes on for as long as that takes.
    interrupted.removeEventListener("abort", give)
    late.signal.removeEventListener("abort", give)
    allowed.restart()
    aside.doing(undefined)
    if (wishes.verbose) {
      const { how } = foundOut(client.peer.revision, record.entries, seen.restarted)
      aside.say(paint.faint(`The server ${how}: ${client.peer.revision} is in force.`))
      for (const one of seen.web?.exchanges ?? []) aside.say(paint.faint(exchangeInWords(one)))
    }
    try {
      const signal = AbortSignal.any([interrupted, late.signal])
      if (wishes.logLevel !== undefined) {
        if (client.peer.capabilities["logging"] !== undefined)
          await client.setLogLevel(wishes.logLevel, { signal, timeoutMs: NEVER })
        else aside.say(`${paint.odd("!")} The server does not declare logging: --log-level can not be asked for.`)
      }
      const patience: CallOptions = {
        signal,
        timeoutMs: NEVER,
        onProgress: (told) => {
          allowed.restart()
          aside.progress(told)
        }
      }
      return await work({
        client,
        overhear: (request, ms) => channel.overhear(request, ms),
        transcript: record,
        restarted: () => seen.restarted,
        web: () => seen.web?.exchanges ?? [],
        reports: seen.reports,
        patience,
        restart: allowed.restart,
        apart: allowed.stop
      })
    } finally {
      allowed.stop()
      aside.doing(undefined)
      asker.end()
      await client.close()
    }
  } finally {
    allowed.stop()
    aside.doing(undefined)
    asker.end()
    await channel.close()
  }
}

const started = ({ code, signal }: NonNullable<Seen["left"]>): Restarted => ({
  did: "ended",
  how: signal === null ? `exit code ${code}` : `killed by ${signal}`,
  anew: "started again"
})

/** Nothing where there never was a connection. */
const reconnected = (why: string): Restarted | undefined =>
  why.startsWith("the connection could not be opened")
    ? undefined
    : {
        did: "closed the connection",
        how: why.replace(/^the other side closed the connection \((.*?)\)/, "$1"),
        anew: "connected to again"
      }
