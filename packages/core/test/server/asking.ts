/** A session in which a handler asks: what is asked, and what comes of it. */
import type { JsonObject } from "../../src/json.js"
import type { RequestId } from "../../src/jsonrpc.js"
import type { RevisionName } from "../../src/revision.js"
import type { Question } from "../../src/server/index.js"
import { call, define, everything, ready } from "./by-hand.js"

export const declared = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const prompts = [{ name: "p" }]
export const server = define(everything, { prompts })
export const roots = (key = "roots"): Question => ({ key, method: "roots/list", params: undefined })
export const form = (key = "form", rest: JsonObject = {}): Question => ({
  key,
  method: "elicitation/create",
  params: { message: "m", requestedSchema: { type: "object", properties: {} }, ...rest }
})
export const needs = (questions: ReadonlyArray<Question>, once: JsonObject = {}, number = 1, id: RequestId = "c") =>
  ({ _tag: "NeedsInput", call: number, id, questions, once }) as const
export const answer = (id: number, result: JsonObject = { roots: [] }) => ({ jsonrpc: "2.0", id, result })
export const running = (
  revision: RevisionName = "2025-11-25",
  capabilities: object = declared,
  definition = server
) => {
  const by = ready(revision, definition, { askMs: 500 }, capabilities)
  by.hear(call("c", "slow", { _meta: { progressToken: "t" } }), "here")
  return by
}
export const timer = (number: number) => ({ of: "ask", call: number }) as const
export const sent = (message: object) => ({ _tag: "Send", message, via: "here", last: false, text: undefined })
export const again = (number: number, answers: object, once: object = {}) => ({
  _tag: "Invoke",
  call: number,
  id: "c",
  target: { _tag: "Tool", name: "slow", arguments: {} },
  meta: { progressToken: "t" },
  progress: true,
  answers,
  once
})
