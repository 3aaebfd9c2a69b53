/** Batches under way: replies to the members of one array are collected, and go out together when the last is in. */
import type { Json } from "./json.js"
import type { Message, RequestId } from "./jsonrpc.js"
import { isRequestId, read } from "./jsonrpc.js"
import { anObject, isInteger, isText, listOf, shaped } from "./stored.js"
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
  readonly replies: List<Message>
  readonly held: List<RequestId>
}

/** Newest first, so that adding one costs the same however many there are. */
type List<A> = { readonly item: A; readonly earlier: List<A> } | undefined

export const noBatches: Batches = { open: empty(), held: empty() }

/** A batch of which `waiting` members will be done one by one. */
export function begin(batches: Batches, number: number, via: string, waiting: number, salt: number): Batches {
  if (waiting === 0) return batches
  const batch = { number, via, waiting, replies: undefined, held: undefined }
  return { open: insert(batches.open, number, batch, salt), held: batches.held }
}

/** Whether a reply with that id waits for the rest of its batch. */
export const holds = (batches: Batches, id: RequestId, salt: number): boolean =>
  lookup(batches.held, id, salt) !== undefined

/**
 * One member is done, with its reply, or without one when it was withdrawn. `sendable`: all members are done, and these are
 * their replies, in the order in which they came in. A refusal of an id that another request has holds nothing.
 */
export function collect(batches: Batches, number: number, reply: Message | undefined, salt: number, holds = true) {
  const batch = lookup(batches.open, number, salt)
  if (batch === undefined) return { batches, sendable: undefined }
  const { via, waiting } = batch
  const replies = reply === undefined ? batch.replies : { item: reply, earlier: batch.replies }
  let all = batches.held
  if (waiting <= 1) {
    for (const id of inOrder(batch.held)) all = remove(all, id, salt)
    const sendable = replies && { via, replies: inOrder(replies) }
    return { batches: { open: remove(batches.open, number, salt), held: all }, sendable }
  }
  let { held } = batch
  if (holds && reply !== undefined && "id" in reply && isRequestId(reply.id)) {
    held = { item: reply.id, earlier: held }
    all = insert(all, reply.id, reply.id, salt)
  }
  const open = insert(batches.open, number, { number, via, waiting: waiting - 1, replies, held }, salt)
  return { batches: { open, held: all }, sendable: undefined }
}

/** Whether a member gets a reply: requests do, and so does what can not be read as anything else. */
export function wantsReply(json: unknown): boolean {
  const envelope = read(json)
  return envelope._tag === "Request" || (envelope._tag === "Malformed" && !envelope.reply)
}

/** The batches as JSON. Replies stand in a list: nested ones could be too deep to print. */
export const encodeBatches = (batches: Batches): Json =>
  values(batches.open).map(({ number, via, waiting, replies, held }) => ({
    number,
    via,
    waiting,
    replies: inOrder(replies),
    held: inOrder(held)
  })) as unknown as Json

const areBatches = listOf(
  shaped({
    number: isInteger,
    via: isText,
    waiting: isInteger,
    replies: listOf(anObject<Message>()),
    held: listOf(isRequestId)
  })
)

export function decodeBatches(json: unknown, salt: number): Batches | undefined {
  if (!areBatches(json)) return undefined
  let { open, held: all } = noBatches
  for (const { number, via, waiting, replies, held } of json) {
    for (const id of held) all = insert(all, id, id, salt)
    const batch = { number, via, waiting, replies: listed(replies), held: listed(held) }
    open = insert(open, number, batch, salt)
  }
  return { open, held: all }
}

const listed = <A>(items: ReadonlyArray<A>): List<A> =>
  items.reduce<List<A>>((earlier, item) => ({ item, earlier }), undefined)

function inOrder<A>(list: List<A>): ReadonlyArray<A> {
  const items: Array<A> = []
  for (let at = list; at !== undefined; at = at.earlier) items.push(at.item)
  return items.reverse()
}
