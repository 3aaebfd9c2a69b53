/** Messages as text: what JSON.stringify would say, said faster for the shapes that go out most. */
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

/** Most tool results are one block of text. */
function result({ result }: ResultReply): string {
  const { content } = result
  if (Array.isArray(content) && content.length === 1 && exactly(result, 1)) {
    const block = content[0] as { readonly type?: unknown; readonly text?: unknown }
    if (block !== null && block.type === "text" && typeof block.text === "string" && exactly(block, 2))
      return `{"content":[{"type":"text","text":${JSON.stringify(block.text)}}]}`
  }
  return JSON.stringify(result)
}

const idText = (id: RequestId): string => (typeof id === "number" ? String(id) : JSON.stringify(id))

/** Whether the object has that many members and no more. */
function exactly(value: object, count: number): boolean {
  let found = 0
  for (const _key in value) if (++found > count) return false
  return found === count
}
