/** One message goes out in an exchange of its own, and what comes of it is handed up. */
import type { RequestId } from "@parley/core"
import { tooManyValues } from "@parley/driver"
import type { Unanswered } from "./asking.js"
import { ask, cutShort } from "./asking.js"
import { discard, wholeText } from "./body.js"
import type { Connection } from "./connection.js"
import { sessionOver, settled, VIA } from "./connection.js"
import { follow, isStream } from "./following.js"
import { openPair } from "./pair.js"
import { answers, errorFor, isModern, parsed, refusal } from "./reply.js"

export interface Posting {
  readonly text: string
  /** Of a request; a notification or an answer of ours has none. */
  readonly id: RequestId | undefined
  readonly method: string | undefined
  /** What its headers say beside the session. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether it belongs to no session: it opens one, or is of a revision without. */
  readonly alone: boolean
  /** Whether its reply may come in an array with others. */
  readonly batches: boolean
  /** Whether its stream may be opened again. */
  readonly resumable: boolean
  readonly cut: AbortController
  /** What has to be over before. */
  after: Promise<void> | undefined
}

/** Settles when the exchange is over. Never rejects. */
export async function post(connection: Connection, posting: Posting): Promise<void> {
  const { id, cut } = posting
  if (posting.after !== undefined) await posting.after
  for (let again = true; !cut.signal.aborted; again = false) {
    // It waited while the session ended: without one it would be refused for that alone.
    if (!posting.alone && connection.lost) return connection.frame({ _tag: "SessionLost", id })
    const session = posting.alone ? undefined : connection.session
    const sent = await send(connection, posting, session)
    const left = isLeft(posting)
    if ("why" in sent) return left ? undefined : refuse(connection, id, sent.status, sent.why)
    if (left) return discard(sent)
    // Every revision with sessions, basic/transports, Session Management: then it was not looked at, and a new one is begun.
    if (sent.status !== 404 || session === undefined) {
      if (session !== undefined && session === connection.session) connection.served = true
      return answered(connection, posting, sent)
    }
    const looked = await unknownMethod(connection, posting, sent)
    if (isLeft(posting)) return
    if (looked !== undefined) return connection.frame({ _tag: "Parsed", json: looked, via: VIA })
    // There is another by now: the message was on its way while it was begun.
    if (again && connection.session !== undefined && connection.session !== session) continue
    const { served } = connection
    if (connection.session === session) sessionOver(connection)
    // A server that knows none of its sessions is not asked for one after another: each call asks for one more at most.
    if (id === undefined && !served)
      return refuse(connection, id, 404, "the server does not know the session that it opened")
    return connection.frame({ _tag: "SessionLost", id })
  }
}

/** Since 2026-07-28 a 404 may be about the method; a server may say so in a session too, by a reply to just this request. */
async function unknownMethod(
  connection: Connection,
  posting: Posting,
  response: Response
): Promise<object | undefined> {
  const { id } = posting
  const text = await read(connection, posting, response)
  const json = typeof text === "string" ? parsed(text) : undefined
  if (id === undefined || !answers(json, id)) return undefined
  const error = errorFor(json, id)
  return error?.code === -32601 ? error.reply : undefined
}

interface Unsent {
  readonly status: number
  readonly why: string
}

async function send(
  { settings, url, endpoint }: Connection,
  { text, headers, cut, id }: Posting,
  session: string | undefined
): Promise<Response | Unsent> {
  try {
    return await ask(settings, {
      method: "POST",
      url: endpoint ?? url,
      headers: session === undefined ? headers : { ...headers, "mcp-session-id": session },
      body: text,
      cut,
      ...(id === undefined && { ms: settings.answerMs })
    })
  } catch (error) {
    const { status, message } = error as Unanswered
    return { status, why: message }
  }
}

async function answered(connection: Connection, posting: Posting, response: Response): Promise<void> {
  const { id, method, alone } = posting
  if (!response.ok) return refused(connection, posting, response)
  if (id === undefined || connection.endpoint !== undefined) return discard(response)
  connection.met = true
  if (alone && method === "initialize") {
    connection.session = response.headers.get("mcp-session-id") ?? undefined
    connection.lost = false
    connection.served = false
  }
  if (!isStream(response)) return whole(connection, posting, response)
  const why = await follow(connection, response, { ...posting, id })
  if (why !== undefined) await refuse(connection, id, 0, why)
}

/** The answer comes in one piece. */
async function whole(connection: Connection, posting: Posting, response: Response): Promise<void> {
  const id = posting.id!
  const text = await read(connection, posting, response)
  if (isLeft(posting)) return
  const { status } = response
  const no = (why: string): Promise<void> => refuse(connection, id, status, `${why} (HTTP ${status})`)
  if (typeof text !== "string") return no(text.why)
  if (text.trim() === "") return no("the server took it and gave no answer")
  if (tooManyValues(text)) return no("the answer holds too many values")
  const json = parsed(text)
  if (json === undefined) return no(`the answer is no JSON: ${refusal(response, text)}`)
  if (!(await settled(connection, json, id, posting.batches, status))) await no("the answer holds no reply to it")
}

async function refused(connection: Connection, posting: Posting, response: Response): Promise<void> {
  const { id, method } = posting
  const { status } = response
  const body = await read(connection, posting, response)
  if (isLeft(posting)) return
  const text = typeof body === "string" ? body : ""
  const error = id === undefined ? undefined : errorFor(parsed(text), id)
  let why = refusal(response, text)
  // Every revision since 2025-03-26, basic/transports, Backward Compatibility.
  const older = method === "initialize" && (status === 400 || status === 404 || status === 405)
  if (
    older &&
    !isModern(error?.code) &&
    connection.settings.legacySse === "auto" &&
    connection.endpoint === undefined
  ) {
    const pair = await openPair(connection)
    if (isLeft(posting)) return
    if (typeof pair !== "string") {
      connection.endpoint = pair
      return post(connection, posting)
    }
    why += `; nor does it open HTTP+SSE, as servers of 2024-11-05 do: ${pair}`
  }
  if (error !== undefined && isReply(status, connection.met))
    return connection.frame({ _tag: "Parsed", json: error.reply, via: VIA })
  await refuse(connection, id, status, why)
}

/**
 * Whether an error of JSON-RPC that comes with this status is the server's reply. Who asks, and whether the server works at all,
 * is not for the reply to say; a server that spoke well before may call its own errors what they are.
 */
const isReply = (status: number, met: boolean): boolean =>
  status < 500 ? status !== 401 && status !== 403 && status !== 407 : met

async function read(
  connection: Connection,
  { cut }: Posting,
  response: Response
): Promise<string | { readonly why: string }> {
  const { settings, room } = connection
  try {
    return await wholeText({ response, cut, limit: settings.maxMessageBytes, room }, settings.bodyMs)
  } catch (error) {
    return { why: (error as Error).message }
  }
}

/** Nobody waits for it any more. */
const isLeft = ({ cut }: Posting): boolean => cut.signal.aborted && cutShort(cut) === undefined

const refuse = (connection: Connection, id: RequestId | undefined, status: number, body: string): Promise<void> =>
  connection.frame({ _tag: "Refused", id, status, body })
