/** Batches under way: replies to the members of one array are collected, and go out together when the last is in. */
import type { Json } from "./json.js"
import { isObject } from "./json.js"
import type { Message } from "./jsonrpc.js"
import { read } from "./jsonrpc.js"
import type { Trie } from "./trie.js"
import { empty, insert, lookup, remove, values } from "./trie.js"

export type Batches = Trie<Batch>

interface Batch {
  readonly number: number
  readonly via: string
  /** Members that are not done yet. */
  readonly waiting: number
  readonly replies: Replies
}

/** Newest first, so that adding one costs the same however many there are. */
type Replies = { readonly reply: Message; readonly earlier: Replies } | undefined

/** `sendable`: all members are done, and these are their replies, in the order in which they came in. */
export interface Collected {
  readonly batches: Batches
  readonly sendable: { readonly via: string; readonly replies: ReadonlyArray<Message> } | undefined
}

/** A batch of which `waiting` members will be done one by one. */
export const begin = (batches: Batches, number: number, via: string, waiting: number, salt: number): Batches =>
  waiting === 0 ? batches : insert(batches, number, { number, via, waiting, replies: undefined }, salt)

/** One member is done, with its reply, or without one when it was withdrawn. */
export function collect(batches: Batches, number: number, reply: Message | undefined, salt: number): Collected {
  const batch = lookup(batches, number, salt)
  if (batch === undefined) return { batches, sendable: undefined }
  const { via, waiting } = batch
  const replies = reply === undefined ? batch.replies : { reply, earlier: batch.replies }
  if (waiting > 1)
    return {
      batches: insert(batches, number, { number, via, waiting: waiting - 1, replies }, salt),
      sendable: undefined
    }
  const rest = remove(batches, number, salt)
  return { batches: rest, sendable: replies === undefined ? undefined : { via, replies: inOrder(replies) } }
}

/** Whether a member gets a reply: requests do, and so does what can not be read as anything else. */
export function wantsReply(json: unknown): boolean {
  const envelope = read(json)
  return envelope._tag === "Request" || (envelope._tag === "Malformed" && !envelope.reply)
}

/** The batches as JSON. Replies stand in a list: nested ones could be too deep to print. */
export const encodeBatches = (batches: Batches): Json =>
  values(batches).map(({ number, via, waiting, replies }) => ({
    number,
    via,
    waiting,
    replies: inOrder(replies)
  })) as unknown as Json

export function decodeBatches(json: unknown, salt: number): Batches | undefined {
  if (!Array.isArray(json)) return undefined
  let batches = empty<Batch>()
  for (const batch of json as ReadonlyArray<unknown>) {
    if (!isObject(batch)) return undefined
    const { number, via, waiting, replies } = batch
    if (
      !Number.isSafeInteger(number) ||
      typeof via !== "string" ||
      !Number.isSafeInteger(waiting) ||
      !Array.isArray(replies)
    )
      return undefined
    const list = (replies as ReadonlyArray<Message>).reduce<Replies>(
      (earlier, reply) => ({ reply, earlier }),
      undefined
    )
    batches = insert(
      batches,
      number as number,
      { number: number as number, via, waiting: waiting as number, replies: list },
      salt
    )
  }
  return batches
}

function inOrder(replies: Replies): ReadonlyArray<Message> {
  const list: Array<Message> = []
  for (let at = replies; at !== undefined; at = at.earlier) list.push(at.reply)
  return list.reverse()
}
