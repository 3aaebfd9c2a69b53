/** Batches under way: replies to the members of one array are collected, and go out together when the last is in. */
import type { Json } from "./json.js"
import { isObject } from "./json.js"
import type { Message, RequestId } from "./jsonrpc.js"
import { read } from "./jsonrpc.js"
import type { Trie } from "./trie.js"
import { empty, insert, lookup, remove, values } from "./trie.js"

export interface Batches {
  readonly open: Trie<Batch>
  /** Ids whose reply is in but not sent: they are still in use. */
  readonly held: Trie<RequestId>
}

interface Batch {
  readonly number: number
  readonly via: string
  /** Members that are not done yet. */
  readonly waiting: number
  readonly replies: Replies
}

/** Newest first, so that adding one costs the same however many there are. `holds`: the id is in use until the reply is sent. */
type Replies = { readonly reply: Message; readonly holds: boolean; readonly earlier: Replies } | undefined

/** `sendable`: all members are done, and these are their replies, in the order in which they came in. */
export interface Collected {
  readonly batches: Batches
  readonly sendable: { readonly via: string; readonly replies: ReadonlyArray<Message> } | undefined
}

export const noBatches: Batches = { open: empty(), held: empty() }

/** A batch of which `waiting` members will be done one by one. */
export const begin = (batches: Batches, number: number, via: string, waiting: number, salt: number): Batches =>
  waiting === 0
    ? batches
    : { open: insert(batches.open, number, { number, via, waiting, replies: undefined }, salt), held: batches.held }

/** Whether a reply with that id waits for the rest of its batch. */
export const holds = (batches: Batches, id: RequestId, salt: number): boolean =>
  lookup(batches.held, id, salt) !== undefined

/** One member is done, with its reply, or without one when it was withdrawn. A refusal of an id that another request has holds nothing. */
export function collect(
  batches: Batches,
  number: number,
  reply: Message | undefined,
  salt: number,
  holds = true
): Collected {
  const batch = lookup(batches.open, number, salt)
  if (batch === undefined) return { batches, sendable: undefined }
  const { via, waiting } = batch
  const replies = reply === undefined ? batch.replies : { reply, holds, earlier: batch.replies }
  if (waiting > 1) {
    const open = insert(batches.open, number, { number, via, waiting: waiting - 1, replies }, salt)
    const id = holds ? idOf(reply) : undefined
    return {
      batches: { open, held: id === undefined ? batches.held : insert(batches.held, id, id, salt) },
      sendable: undefined
    }
  }
  let { held } = batches
  for (let at = batch.replies; at !== undefined; at = at.earlier) {
    const id = at.holds ? idOf(at.reply) : undefined
    if (id !== undefined) held = remove(held, id, salt)
  }
  const open = remove(batches.open, number, salt)
  return { batches: { open, held }, sendable: replies === undefined ? undefined : { via, replies: inOrder(replies) } }
}

/** Whether a member gets a reply: requests do, and so does what can not be read as anything else. */
export function wantsReply(json: unknown): boolean {
  const envelope = read(json)
  return envelope._tag === "Request" || (envelope._tag === "Malformed" && !envelope.reply)
}

/** The batches as JSON. Replies stand in a list: nested ones could be too deep to print. */
export const encodeBatches = (batches: Batches): Json =>
  values(batches.open).map(({ number, via, waiting, replies }) => ({
    number,
    via,
    waiting,
    replies: inOrder(replies),
    holding: holding(replies)
  })) as unknown as Json

export function decodeBatches(json: unknown, salt: number): Batches | undefined {
  if (!Array.isArray(json)) return undefined
  let { open, held } = noBatches
  for (const batch of json as ReadonlyArray<unknown>) {
    if (!isObject(batch)) return undefined
    const { number, via, waiting, replies, holding } = batch
    if (
      !Number.isSafeInteger(number) ||
      typeof via !== "string" ||
      !Number.isSafeInteger(waiting) ||
      !Array.isArray(replies) ||
      !Array.isArray(holding)
    )
      return undefined
    let list: Replies
    for (const [at, reply] of (replies as ReadonlyArray<Message>).entries()) {
      const holds = holding[at] === true
      list = { reply, holds, earlier: list }
      const id = holds ? idOf(reply) : undefined
      if (id !== undefined) held = insert(held, id, id, salt)
    }
    open = insert(
      open,
      number as number,
      { number: number as number, via, waiting: waiting as number, replies: list },
      salt
    )
  }
  return { open, held }
}

const idOf = (reply: Message | undefined): RequestId | undefined =>
  reply !== undefined && "id" in reply && reply.id !== null ? reply.id : undefined

/** Of each reply in order, whether its id is in use until it is sent. */
function holding(replies: Replies): ReadonlyArray<boolean> {
  const list: Array<boolean> = []
  for (let at = replies; at !== undefined; at = at.earlier) list.push(at.holds)
  return list.reverse()
}

function inOrder(replies: Replies): ReadonlyArray<Message> {
  const list: Array<Message> = []
  for (let at = replies; at !== undefined; at = at.earlier) list.push(at.reply)
  return list.reverse()
}
