/** Messages as text: what JSON.stringify would say, said faster for the shapes that go out most. */
import type { JsonObject } from "./json.js"
import type { Message, RequestId, ResultReply } from "./jsonrpc.js"

/** Exactly `JSON.stringify(message)`, for one message or a batch. */
export function serialise(message: Message | ReadonlyArray<Message>): string {
  if (Array.isArray(message)) return JSON.stringify(message)
  const one = message as Message
  if ("result" in one) return exactly(one, 3) ? reply(one.id, result(one)) : JSON.stringify(one)
  if ("method" in one && "id" in one && one.params !== undefined && exactly(one, 4))
    return `{"jsonrpc":"2.0","id":${idText(one.id)},"method":${JSON.stringify(one.method)},"params":${JSON.stringify(one.params)}}`
  return JSON.stringify(one)
}

/** A reply around a result that is text already. */
export const reply = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`

/** The text of what is part of many results, by the very object. */
const texts = new WeakMap<object, string>()

/** The same object, written once for all the results that have it as their `_meta`. It does not change any more. */
export function prepared(meta: JsonObject): JsonObject {
  texts.set(meta, JSON.stringify(meta))
  return meta
}

/** Most tool results are one block of text, alone or with what every result says. */
function result({ result }: ResultReply): string {
  const meta = texts.get(result["_meta"] as JsonObject)
  if (meta === undefined && !exactly(result, 1)) return JSON.stringify(result)
  let text = ""
  for (const key in result) {
    const member = memberOf(key, result[key], meta)
    if (member !== undefined) text += text === "" ? member : `,${member}`
  }
  return `{${text}}`
}

function memberOf(key: string, value: unknown, meta: string | undefined): string | undefined {
  if (key === "content" && isOneText(value))
    return `"content":[{"type":"text","text":${JSON.stringify(value[0].text)}}]`
  if (key === "resultType" && value === "complete") return '"resultType":"complete"'
  if (key === "_meta" && meta !== undefined) return `"_meta":${meta}`
  const text = JSON.stringify(value)
  return text === undefined ? text : `${JSON.stringify(key)}:${text}`
}

function isOneText(content: unknown): content is readonly [{ readonly text: string }] {
  if (!Array.isArray(content) || content.length !== 1) return false
  const block = content[0] as { readonly type?: unknown; readonly text?: unknown } | null | undefined
  return block?.type === "text" && typeof block.text === "string" && exactly(block, 2)
}

const idText = (id: RequestId): string => (typeof id === "number" ? String(id) : JSON.stringify(id))

/** Whether the object has that many members and no more. */
function exactly(value: object, count: number): boolean {
  let found = 0
  for (const _key in value) if (++found > count) return false
  return found === count
}
