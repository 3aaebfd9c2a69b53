/** What a row does not say of a question: modes and parts that we did not declare, and results that answer no tool use. */
import type { Problem } from "../check.js"
import { problem } from "../check.js"
import { announced } from "../definition.js"
import type { JsonObject } from "../json.js"
import { isObject, member } from "../json.js"
import type { Revision } from "../revision.js"
import type { Row } from "../row.js"

/** The row of what a server sends, by itself or as a question inside a result. */
export const rowOf = ({ server, questions }: Revision, method: string): Row | undefined =>
  server[method] ?? questions[method]

/** What is wrong with the params of a question whose row takes them; nothing when it may be put to the user. */
export function amiss(
  revision: Revision,
  capabilities: JsonObject,
  method: string,
  params: JsonObject | undefined
): Problem | undefined {
  if (method === "elicitation/create") return undeclaredMode(capabilities, params)
  if (method !== "sampling/createMessage" || revision.features.forms === "flat") return undefined
  return undeclaredTools(capabilities, params) ?? unbalanced(params?.["messages"] as ReadonlyArray<JsonObject>)
}

/** Whether elicitation, where it is declared, means forms: `{}` says the same as `{ form: {} }`. */
export const takesForms = (capabilities: JsonObject): boolean =>
  announced(capabilities, "elicitation.form") || !announced(capabilities, "elicitation.url")

/**
 * Whether a question is to be answered by a task, which holds the answer later.
 * 2025-11-25 basic/utilities/tasks, Task Support and Handling: where that was not declared, the wish for it is ignored.
 */
export function asTask(
  revision: Revision,
  capabilities: JsonObject,
  method: string,
  params: JsonObject | undefined
): boolean {
  const row = rowOf(revision, method)
  if (row?.kind !== "request" || row.task === undefined || member(params, "task") === undefined) return false
  return announced(capabilities, row.task.needs.slice("client.".length))
}

/** 2025-11-25 client/elicitation, Error Handling: a mode that was not declared is -32602. */
function undeclaredMode(capabilities: JsonObject, params: JsonObject | undefined): Problem | undefined {
  const page = params?.["mode"] === "url"
  if (page ? announced(capabilities, "elicitation.url") : takesForms(capabilities)) return undefined
  return problem("mode", page ? "form: the client did not declare url" : "url: the client did not declare form")
}

/** 2025-11-25 schema, CreateMessageRequestParams: an error when these are given without `sampling.tools`. */
function undeclaredTools(capabilities: JsonObject, params: JsonObject | undefined): Problem | undefined {
  if (announced(capabilities, "sampling.tools")) return undefined
  const given = ["tools", "toolChoice"].find((key) => member(params, key) !== undefined)
  return given === undefined ? undefined : problem(given, "nothing: the client did not declare sampling.tools")
}

/**
 * 2025-11-25 client/sampling, Message Content Constraints: a message with tool results has nothing else, and tool uses are
 * answered, each once, by the message that follows.
 */
function unbalanced(messages: ReadonlyArray<JsonObject>): Problem | undefined {
  let open: ReadonlyArray<unknown> = []
  for (let i = 0; i < messages.length; i++) {
    const blocks = blocksOf(messages[i]!)
    const results = blocks.filter(({ type }) => type === "tool_result")
    const at = `messages[${i}].content`
    if (results.length > 0 && results.length < blocks.length)
      return problem(at, "tool results and nothing else, or no tool results")
    const answered = results.map(({ toolUseId }) => toolUseId)
    if (!sameIds(open, answered))
      return problem(at, open.length === 0 ? "no tool results: no tool was used" : "a tool result for each tool use")
    open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id)
  }
  return open.length === 0 ? undefined : problem("messages", "tool results for the tool uses of the last message")
}

function blocksOf({ content }: JsonObject): ReadonlyArray<JsonObject> {
  const blocks: ReadonlyArray<unknown> = Array.isArray(content) ? content : [content]
  return blocks.filter(isObject) as unknown as ReadonlyArray<JsonObject>
}

const sameIds = (asked: ReadonlyArray<unknown>, answered: ReadonlyArray<unknown>): boolean =>
  asked.length === answered.length && asked.every((id) => answered.includes(id))
