/** How a server came to be open: by which of the two ways, and what was tried until that was known. */
import type { Revision } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import { brief } from "./clean.js"
import { shorten } from "./layout.js"
import { isRecord } from "./schema.js"
import type { Entry } from "./transcript.js"

export interface Era {
  /** `handshake`: by `initialize`, once. `request`: each request says what it needs to, and `server/discover` tells the rest. */
  readonly opening: Revision["opening"]
  /** What was tried and what came of it, in the order of time, in words that follow "it". */
  readonly how: string
  readonly tries: ReadonlyArray<Try>
}

export interface Try {
  readonly method: string
  readonly came: "answer" | "error" | "nonsense" | "silence" | "end"
  /** How long it was waited for, in ms. */
  readonly ms: number
}

/** A server that ended when it was asked what it speaks, as words: it `did` so by `how`, and was reached `anew`. */
export interface Restarted {
  readonly did: "ended" | "closed the connection"
  readonly how: string
  readonly anew: "started again" | "connected to again"
}

const discover = "server/discover"

export const opens = (method: string): boolean => method === discover || method === "initialize"

export const eraOf = (revision: string): Revision["opening"] => revisionNamed(revision)?.opening ?? "handshake"

/** What went over the wire until the session was open. */
export function foundOut(revision: string, entries: ReadonlyArray<Entry>, restarted: Restarted | undefined): Era {
  const opening = eraOf(revision)
  const asked = entries.flatMap((entry, at) => (entry.from === "us" && opens(entry.what) ? [at] : []))
  const tries = asked.map((at) => tried(entries, at, restarted !== undefined))
  // Where the first answer came late the second question is of no account.
  const counted = tries.filter(({ method, came }) => opening === "handshake" || method === discover || came === "error")
  return {
    opening,
    tries,
    how: listed(counted.map((one, at) => inWords(one, replyTo(entries, asked[at]!), restarted)))
  }
}

function tried(entries: ReadonlyArray<Entry>, at: number, restarted: boolean): Try {
  const { what: method, at: begun } = entries[at]!
  const reply = replyTo(entries, at)
  if (reply === undefined) {
    const next = entries.slice(at + 1).find(({ from }) => from === "us")
    return { method, came: restarted && method === discover ? "end" : "silence", ms: (next?.at ?? begun) - begun }
  }
  const ms = reply.at - begun
  if (reply.what === "error") return { method, came: "error", ms }
  const result = (reply.message as { readonly result?: unknown }).result
  const named = isRecord(result) ? result[method === discover ? "supportedVersions" : "protocolVersion"] : undefined
  return { method, came: named === undefined ? "nonsense" : "answer", ms }
}

/** A server that was started again is asked under the same ids, and its own requests may have them too. */
function replyTo(entries: ReadonlyArray<Entry>, at: number): Entry | undefined {
  const { id } = entries[at]!.message as { readonly id: unknown }
  const next = entries
    .slice(at + 1)
    .find(({ from, message }) => isRecord(message) && message["id"] === id && "method" in message === (from === "us"))
  return next?.from === "server" ? next : undefined
}

function inWords({ method, came, ms }: Try, reply: Entry | undefined, restarted: Restarted | undefined): string {
  switch (came) {
    case "answer":
      return `answered ${method}`
    case "error":
      return `refused ${method} (error ${shorten(brief(reply?.detail), 120)})`
    case "nonsense":
      return `answered ${method} with something else`
    case "silence":
      return `said nothing to ${method} for ${Math.round(ms)} ms`
    case "end":
      return `${restarted!.did} on ${method}, was ${restarted!.anew}`
  }
}

const listed = (parts: ReadonlyArray<string>): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1)!}`
