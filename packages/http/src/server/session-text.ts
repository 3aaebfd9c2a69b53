/** What a session's machine says, as HTTP has it. */
import type { ErrorReply, Message } from "@parley/core"
import { errorOf, read, serialise } from "@parley/core"
import type { Send } from "@parley/core/server"
import type { Exchange } from "./exchange.js"

type Said = Message | ReadonlyArray<Message>

/** What goes out as text. `unsent` is told why something is no JSON: whoever waits for it is told by an error. */
export function textOf({ message, text }: Send, unsent: (why: string) => void): string | undefined {
  if (text !== undefined) return text
  const said = nameless(message)
  try {
    return serialise(said)
  } catch (error) {
    unsent(String(error))
    const left = (Array.isArray(said) ? said : [said as Message]).flatMap(writable)
    if (left.length === 0) return undefined
    return serialise(Array.isArray(said) ? left : left[0]!)
  }
}

/** Over HTTP the exchange says what an error is about: where no id could be read there is none. */
function nameless(said: Said): Said {
  if (!Array.isArray(said)) return withoutNull(said as Message)
  return said.some(isNameless) ? said.map(withoutNull) : said
}

const isNameless = (message: Message): boolean => "error" in message && message.id === null

const withoutNull = (message: Message): Message =>
  isNameless(message) ? { jsonrpc: "2.0", error: (message as ErrorReply).error } : message

function writable(message: Message): ReadonlyArray<Message> {
  try {
    return [JSON.parse(JSON.stringify(message)) as Message]
  } catch {
    if (!("result" in message)) return []
    return [{ jsonrpc: "2.0", id: message.id, error: errorOf({ _tag: "ResultInvalid", method: "the request" }) }]
  }
}

/** 2025-11-25 basic/transports, Sending Messages to the Server: what can not be accepted has an error status; an answered request has not. */
export function statusOf(said: Said, came: unknown): number {
  if (Array.isArray(said) || !("error" in said)) return 200
  const { id } = said
  if (id === undefined || id === null) return 400
  return !Array.isArray(came) && read(came)._tag === "Malformed" ? 400 : 200
}

/** Whether a reply is due to what came, unless it was said to be malformed. */
export const isAsked = (came: unknown): boolean =>
  Array.isArray(came) ? came.some((one) => read(one)._tag === "Request") : read(came)._tag === "Request"

export const json = { "content-type": "application/json" } as const

/** Refuses what came, in words for the people at the other end. */
export function refuse(exchange: Exchange, status: number, message: string, came?: unknown, data?: object): void {
  const envelope = read(came)
  const id = envelope._tag === "Request" ? { id: envelope.message.id } : {}
  const error = { code: -32600, message, ...(data && { data }) }
  exchange.respond(status, json, JSON.stringify({ jsonrpc: "2.0", ...id, error }))
}
