/** Messages for the client's model: every use of a tool is answered by the message after it, and results stand alone. */
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"

/** 2025-11-25 client/sampling, Message Content Constraints: what is wrong with the messages of a question, when it has some and something is. */
export function unbalanced(params: JsonObject | undefined): string | undefined {
  const messages = params?.["messages"]
  if (!Array.isArray(messages)) return undefined
  let open: ReadonlyArray<unknown> = []
  for (const [at, message] of (messages as ReadonlyArray<JsonObject>).entries()) {
    const blocks = blocksOf(message)
    const results = blocks.filter(({ type }) => type === "tool_result")
    if (results.length > 0 && (results.length < blocks.length || message["role"] !== "user"))
      return `messages[${at}]: expected a user's message of tool results only`
    const answered: ReadonlyArray<unknown> = results.map(({ toolUseId }) => toolUseId)
    if ([...open, ...answered].some((id) => !open.includes(id) || !answered.includes(id)))
      return `messages[${at}]: expected results for the tools that the message before it uses`
    open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id)
  }
  return open.length === 0 ? undefined : "messages: expected results for the tools that the last message uses"
}

/** One block or several. Params are known to be well-formed. */
function blocksOf({ content }: JsonObject): ReadonlyArray<JsonObject> {
  if (Array.isArray(content)) return content as ReadonlyArray<JsonObject>
  return isObject(content) ? [content] : []
}
