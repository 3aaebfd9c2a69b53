/** Whom a session lets in: its own principal, by the revision that was agreed. */
import type { RequestId } from "@parley/core"
import { read } from "@parley/core"
import type { Exchange } from "./exchange.js"
import { refuse } from "./session-text.js"
import { refuse as refuseFailure } from "./status.js"

/** What is wrong, in words for whoever has to mend it, and its status. */
const wrong = {
  missing: [
    400,
    "Mcp-Session-Id is missing: send initialize first, and with every request the id that came with its result"
  ],
  gone: [404, "There is no such session, or no longer: send initialize without Mcp-Session-Id to open another"],
  full: [503, "There are too many sessions: try again later"],
  yours: [429, "You have too many sessions in use: end one, or try again later"],
  busy: [429, "You have too many streams open: end one, or try again later"],
  lost: [400, "Last-Event-ID names nothing that is kept of this session: make the request again"],
  unkept: [503, "The session can not be reached: try again later"],
  unread: [406, "Not acceptable: the answer is text/event-stream"],
  stopping: [503, "The server is stopping: try again later"],
  withdrawn: [400, "The request was cancelled, and is not answered"]
} as const

export type Wrong = keyof typeof wrong

/** `came`: the request that is refused, if it is one. */
export function turnAway(exchange: Exchange, why: Wrong, came?: unknown): void {
  const [status, message] = wrong[why]
  refuse(exchange, status, message, came)
}

/** The last event of a stream without a reply: what ended with its session is told so, what its client withdrew is told nothing. */
export const lastWords = (why: "gone" | "withdrawn", id: RequestId | undefined): string =>
  why === "withdrawn" || id === undefined
    ? ""
    : JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32600, message: wrong.gone[1] } })

/** What came belongs to no session that is here. What is no message at all is told that, wherever it would have gone. */
export function turnStray(exchange: Exchange, came: unknown): void {
  if (exchange.header("mcp-session-id") !== undefined) return turnAway(exchange, "gone", came)
  const envelope = read(came)
  if (envelope._tag !== "Malformed" || Array.isArray(came)) return turnAway(exchange, "missing", came)
  const { id, reply, why } = envelope
  refuseFailure(exchange, { _tag: "InvalidRequest", why }, reply ? undefined : id)
}

/** Whether the version that the exchange names is the session's; if not, it is answered. A missing one means that one. */
export function agrees(exchange: Exchange, revision: string | undefined, came?: unknown): boolean {
  const header = exchange.header("mcp-protocol-version")
  if (header === undefined || header === revision) return true
  const named = header.slice(0, 40).replace(/[^ -~]/g, "?")
  refuse(exchange, 400, `MCP-Protocol-Version is ${named}, and this session speaks ${revision}`, came)
  return false
}

export function isInitialize(came: unknown): boolean {
  const envelope = read(came)
  return envelope._tag === "Request" && envelope.message.method === "initialize"
}

/** 2025-11-25 basic/transports, Session Management: such as a UUID. Platforms keep random bits at hand for these. */
export const freshId = (): string => crypto.randomUUID()

/** Names of a process's streams begin with it. */
export const freshTag = (): string => hex(crypto.getRandomValues(new Uint8Array(6)))

export const isTag = (text: string): boolean => /^[\da-f]{12}$/.test(text)

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
