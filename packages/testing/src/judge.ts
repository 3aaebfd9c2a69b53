/** Who judges whether a message is valid under a revision, and what is excepted. */
import type { RevisionName } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import type { Fields } from "./envelope.js"
import { fields, own } from "./envelope.js"
import { misfit } from "./shape.js"
import type { Side } from "./specification.js"
import { methodsOf } from "./specification.js"

/** One message that was sent, and what it is. `method` is that of the request, for a result as well. */
export interface Sent {
  readonly revision: RevisionName
  readonly from: Side
  readonly kind: "request" | "notification" | "result" | "error"
  readonly method: string
  /** Set when the request asked for a task and got one (2025-11-25). */
  readonly task: boolean
  readonly message: Fields
}

export interface Judge {
  readonly name: string
  /** What is wrong with the message, or nothing. */
  readonly wrong: (sent: Sent) => string | undefined
}

export interface Exception {
  readonly name: string
  readonly why: string
  /** The message as the schema would have it, or the same one where the exception does not apply. */
  readonly apply: (sent: Sent) => Fields
}

/** All that is sent although a published schema does not have it. */
export const exceptions: ReadonlyArray<Exception> = [
  {
    name: "no id",
    why: "an error whose request's id could not be read says id: null or none, where schemas up to 2025-06-18 want one",
    apply: ({ kind, message }) =>
      kind === "error" && (own(message, "id") ?? null) === null ? { ...message, id: 0 } : message
  },
  {
    name: "elicited fractions",
    why: "schema.json has integers where its schema.ts has numbers",
    apply: ({ kind, method, message }) => {
      const result = own(message, "result")
      if (kind !== "result" || method !== "elicitation/create" || own(result, "content") === undefined) return message
      const content = Object.entries(fields(own(result, "content"))).map(([key, value]) => [
        key,
        typeof value === "number" ? Math.trunc(value) : value
      ])
      return { ...message, result: { ...fields(result), content: Object.fromEntries(content) as unknown } }
    }
  },
  {
    name: "the result of a task",
    why: "tasks/result answers with the result of another request, whichever that was",
    apply: ({ kind, method, message }) =>
      kind === "result" && method === "tasks/result" ? { ...message, result: {} } : message
  }
]

/** The message with every exception applied. */
export const excepted = (sent: Sent): Sent =>
  exceptions.reduce((now, { apply }) => {
    const message = apply(now)
    return message === now.message ? now : { ...now, message }
  }, sent)

/**
 * Judges by the wire's schemas as this project wrote them down, with every object closed. The project's own tests judge by the
 * schemas that the specification publishes; those are not shipped.
 */
export const wire: Judge = {
  name: "the wire's schemas",
  wrong: ({ revision, from, kind, method, task, message }) => {
    if (kind === "error") return errorWrong(message)
    const other = from === "client" ? "server" : "client"
    const known = methodsOf(revision, kind === "result" ? other : from).get(method)
    if (known === undefined) return `${revision} has no ${method}`
    const shapes = schemas[revision] as { readonly [name: string]: unknown }
    const [shape, part] =
      kind === "result" ? [task ? shapes["CreateTaskResult"] : known.result, "result"] : [known.params, "params"]
    const at = misfit(shape, own(message, part) ?? {})
    return at === undefined ? undefined : `${part}${at}`
  }
}

function errorWrong(message: Fields): string | undefined {
  const error = own(message, "error")
  if (!Number.isSafeInteger(own(error, "code"))) return "error/code"
  if (typeof own(error, "message") !== "string") return "error/message"
  const extra = Object.keys(fields(error)).find((key) => !["code", "message", "data"].includes(key))
  return extra === undefined ? undefined : `error/${extra}`
}
