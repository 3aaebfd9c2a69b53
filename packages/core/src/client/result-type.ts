/** The type of a result: complete, one that its row has beside that, or unknown, and then the result is invalid (2026-07-28). */
import type { Check, Problem } from "../check.js"
import { problem } from "../check.js"
import { bringing } from "../extension.js"
import { shown } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import type { RequestRow } from "../row.js"
import type { Setup } from "./definition.js"
import { spokenIn, unextended } from "./gate.js"
import type { Sent, State } from "./state.js"

/** How a result is judged by what it says of its type. */
export function judge(setup: Setup, state: State, { method, task }: Sent, result: JsonObject): Judged {
  const { revision, envelope } = spokenIn(setup, state)
  const row = revision.client[method] as RequestRow
  const { resultTypes } = row
  const type = result["resultType"]
  // 2026-07-28 basic, Responses: what does not say its type is complete. Before, the member means nothing.
  if (envelope === undefined || isComplete(type)) return { check: task ? row.task!.result : row.result, asks: false }
  /** Whether it is none of an extension that was not announced. */
  const isKnown = (one: string): boolean => unextended(setup, state, bringing(revision, method, one)?.id) === undefined
  const other = typeof type === "string" && isKnown(type) ? resultTypes[type] : undefined
  const check = other ?? (() => mistyped(type, Object.keys(resultTypes).filter(isKnown)))
  return { check, asks: type === "input_required" }
}

export interface Judged {
  readonly check: Check
  /** Whether it asks, when the check takes it. */
  readonly asks: boolean
}

export const isComplete = (type: unknown): boolean => type === undefined || type === "complete"

/** What is wrong with a type that is not known, nor complete. */
export function mistyped(type: unknown, others: ReadonlyArray<string> = []): Problem {
  const known = ["complete", ...others].map((one) => JSON.stringify(one)).join(" or ")
  return problem(
    "resultType",
    `${known}, not ${typeof type === "string" ? JSON.stringify(shown(type)) : "what is no text"}`
  )
}
