/** What went over the wire, in both directions, with its time: each message in short, and whatever was no message. */
import type { Frame, Outgoing } from "@parley/driver"
import { brief, line } from "./clean.js"
import { written } from "./depth.js"
import { shorten } from "./layout.js"
import { mayBeMessage } from "./overheard.js"
import { isRecord } from "./schema.js"

export interface Entry {
  /** Milliseconds since the server was started. */
  readonly at: number
  readonly from: "us" | "server"
  readonly what: string
  /** The rest in words. */
  readonly detail: string
  /** For a reply: how long it took. */
  readonly took: number | undefined
  readonly message: unknown
}

export interface Transcript {
  /** The first ones; a server that floods does not fill the memory. */
  readonly entries: ReadonlyArray<Entry>
  /** Texts that were no messages, the first ones, and how many there were. */
  readonly stray: { readonly first: ReadonlyArray<string>; readonly count: number }
  /** The times of the replies to the requests of a method. */
  readonly took: (method: string) => number
  /** How much text those replies were, in characters. */
  readonly size: (method: string) => number
  /** For how long the last of them may be kept, in ms, and for whom, where it says so (2026-07-28). */
  readonly hints: (method: string) => Hints | undefined
  /** How often the server has sent this notification. */
  readonly heard: (method: string) => number
  readonly sent: (message: Outgoing["message"]) => void
  readonly received: (frame: Frame) => void
}

export interface Hints {
  readonly ttlMs: number
  readonly cacheScope: string
}

const MOST = 200
const STRAY = 5
const LONG = 64 * 1024

/** `each` is told of every message, as it goes. */
export function transcript(now: () => number, each: (from: Entry["from"], text: string) => void): Transcript {
  const entries: Array<Entry> = []
  const first: Array<string> = []
  const stray = { first, count: 0 }
  const asked = new Map<unknown, { readonly at: number; readonly method: string }>()
  const times = new Map<string, number>()
  const sizes = new Map<string, number>()
  const hints = new Map<string, Hints>()
  const notices = new Map<string, number>()
  const begun = now()

  function enter(from: Entry["from"], sent: unknown, length: number): void {
    for (const message of Array.isArray(sent) ? (sent as ReadonlyArray<unknown>) : [sent]) one(from, message, length)
  }

  function one(from: Entry["from"], message: unknown, length: number): void {
    const at = now() - begun
    const took = timed(from, message, at, length)
    if (entries.length >= MOST) return
    const large = length > LONG
    entries.push({ at, from, ...inShort(message), took, message: large ? "too long to be kept" : message })
  }

  function timed(from: Entry["from"], message: unknown, at: number, length: number): number | undefined {
    if (!isRecord(message)) return undefined
    const { id, method } = message
    if (typeof method === "string") {
      if (from === "us" && id !== undefined) asked.set(id, { at, method })
      if (from === "server" && id === undefined) notices.set(method, (notices.get(method) ?? 0) + 1)
      return undefined
    }
    const request = from === "server" ? asked.get(id) : undefined
    if (request === undefined) return undefined
    asked.delete(id)
    const { ttlMs, cacheScope } = isRecord(message["result"]) ? message["result"] : {}
    if (typeof ttlMs === "number") hints.set(request.method, { ttlMs, cacheScope: brief(cacheScope) })
    times.set(request.method, (times.get(request.method) ?? 0) + at - request.at)
    sizes.set(request.method, (sizes.get(request.method) ?? 0) + length)
    return at - request.at
  }

  const garbled = (text: string): void => {
    stray.count++
    if (first.length < STRAY) first.push(shorten(line(text.slice(0, 2_000)), 500))
  }

  return {
    entries,
    stray,
    took: (method) => times.get(method) ?? 0,
    size: (method) => sizes.get(method) ?? 0,
    hints: (method) => hints.get(method),
    heard: (method) => notices.get(method) ?? 0,
    sent: (message) => {
      const text = written(message)
      each("us", text)
      enter("us", message, text.length)
    },
    received: (frame) => {
      if (frame._tag === "Garbled") return garbled(frame.detail ?? `(not readable: ${frame.why})`)
      if (frame._tag === "Parsed") {
        const text = written(frame.json)
        each("server", text)
        return enter("server", frame.json, text.length)
      }
      if (frame._tag !== "Text") return
      each("server", frame.text)
      const message = parsed(frame.text)
      if (message === undefined) garbled(frame.text)
      else enter("server", message, frame.text.length)
    }
  }
}

function parsed(text: string): unknown {
  if (!mayBeMessage(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function inShort(message: unknown): { readonly what: string; readonly detail: string } {
  if (!isRecord(message)) return { what: "no message", detail: shorten(brief(message), 200) }
  const { method, params, result, error } = message
  if (typeof method === "string")
    return { what: line(method), detail: ofParams(method, isRecord(params) ? params : {}) }
  if (isRecord(error))
    return { what: "error", detail: shorten(`${brief(error["code"])} ${brief(error["message"])}`, 500) }
  if (isRecord(result)) return { what: "result", detail: ofResult(result) }
  return { what: "no message", detail: shorten(brief(message), 200) }
}

type Members = Readonly<Record<string, unknown>>

function ofParams(method: string, params: Members): string {
  switch (method) {
    case "initialize":
      return `asks for ${brief(params["protocolVersion"])}, ${promised(params["capabilities"])}`
    case "server/discover": {
      const { [protocolVersion]: version, [clientCapabilities]: capabilities } = metaOf(params)
      return `asks in ${brief(version)}, ${promised(capabilities)}`
    }
    case "notifications/message":
      return shorten(`${brief(params["level"])}: ${brief(params["data"])}`, 200)
    default:
      return shorten(brief(params["name"] ?? params["uri"] ?? params["message"] ?? params["level"] ?? ""), 200)
  }
}

function ofResult(result: Members): string {
  if (typeof result["protocolVersion"] === "string") {
    const info = isRecord(result["serverInfo"]) ? result["serverInfo"] : {}
    return `${line(result["protocolVersion"])}, ${brief(info["name"])} ${brief(info["version"])}, ${promised(result["capabilities"])}`
  }
  if (Array.isArray(result["supportedVersions"])) {
    const told = metaOf(result)[serverInfo]
    const info = isRecord(told) ? told : {}
    const named = `${brief(info["name"])} ${brief(info["version"])}`.trim()
    return `${shorten(result["supportedVersions"].map(brief).join(" "), 100)}, ${named === "" ? "says no name" : named}, ${promised(result["capabilities"])}`
  }
  if (result["resultType"] === "input_required") {
    const asks = isRecord(result["inputRequests"]) ? Object.keys(result["inputRequests"]).map(line) : []
    return `input_required${asks.length === 0 ? "" : `: asks for ${shorten(asks.join(", "), 200)}`}`
  }
  const [name, items] = Object.entries(result).find(([, value]) => Array.isArray(value)) ?? []
  return name === undefined ? "" : `${(items as ReadonlyArray<unknown>).length} ${line(name)}`
}

// 2026-07-28 basic, `_meta`: what the handshake says once before that.
const protocolVersion = "io.modelcontextprotocol/protocolVersion"
const clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
const serverInfo = "io.modelcontextprotocol/serverInfo"

const metaOf = ({ _meta }: Members): Members => (isRecord(_meta) ? _meta : {})

function promised(capabilities: unknown): string {
  const names = isRecord(capabilities) ? Object.keys(capabilities).map(line) : []
  return names.length === 0 ? "declares nothing" : `declares ${names.join(", ")}`
}
