/** Who judges whether a message is valid under a revision, and what is excepted. */
import type { RevisionName } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import type { Fields } from "./envelope.js"
import { fields, own } from "./envelope.js"
import { misfit } from "./shape.js"
import type { Side } from "./specification.js"
import type { Method } from "./specification.js"
import { isKept, mayAskInside, methodsOf, saysWhoAsks } from "./specification.js"

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
    apply: ({ revision, kind, message }) =>
      kind === "error" && !saysWhoAsks(revision) && (own(message, "id") ?? null) === null
        ? { ...message, id: 0 }
        : message
  },
  {
    name: "elicited fractions",
    why: "schema.json has integers where its schema.ts has numbers",
    apply: ({ kind, method, message }) => {
      const [params, result] = [own(message, "params"), own(message, "result")]
      const responses = own(params, "inputResponses")
      if (kind === "result" && method === "elicitation/create") return { ...message, result: whole(result) }
      if (kind !== "request" || responses === undefined) return message
      return { ...message, params: { ...fields(params), inputResponses: mapped(fields(responses), whole) } }
    }
  },
  {
    name: "JSON values",
    why: "schema.json has neither null nor fractions where its schema.ts has any JSON value (2026-07-28)",
    apply: ({ revision, message }) => (saysWhoAsks(revision) ? (plain(message, false) as Fields) : message)
  },
  {
    name: "the result of a task",
    why: "tasks/result answers with the result of another request, whichever that was",
    apply: ({ kind, method, message }) =>
      kind === "result" && method === "tasks/result" ? { ...message, result: {} } : message
  }
]

/** An elicited answer without fractions. */
function whole(answer: unknown): unknown {
  const content = own(answer, "content")
  if (content === undefined || Array.isArray(content)) return answer
  return {
    ...fields(answer),
    content: mapped(fields(content), (value) => (typeof value === "number" ? Math.trunc(value) : value))
  }
}

/** The members of which only that is said: that they are JSON. */
const anyJson = new Set(["metadata", "experimental", "extensions", "form", "url", "context", "tools"])

function plain(value: unknown, inside: boolean): unknown {
  if (inside && (value === null || typeof value === "number")) return 0
  if (Array.isArray(value)) return value.map((item) => plain(item, inside))
  if (typeof value !== "object" || value === null) return value
  return mapped(fields(value), (member, key) => plain(member, inside || (anyJson.has(key) && isRecord(member))))
}

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

const mapped = (object: Fields, to: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value, key)]))

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
  wrong: (sent) => {
    const { revision, from, kind, method, message } = sent
    if (kind === "error") return errorWrong(revision, message)
    const other = from === "client" ? "server" : "client"
    const known = methodsOf(revision, kind === "result" ? other : from).get(method)
    if (known === undefined) return `${revision} has no ${method}`
    if (kind === "result") return resultWrong(sent, known)
    const params = own(message, "params") ?? {}
    const at = misfit(known.params, params) ?? (isEnveloped(sent) ? unenveloped(revision, params) : undefined)
    return at === undefined ? undefined : `params${at}`
  }
}

type Shapes = { readonly [name: string]: unknown }

function resultWrong({ revision, method, task, message }: Sent, known: Method): string | undefined {
  const shapes = schemas[revision] as Shapes
  const result = own(message, "result")
  const type = saysWhoAsks(revision) ? own(result, "resultType") : "complete"
  const asks = type === "input_required" && mayAskInside(revision, method)
  if (type !== "complete" && !asks) return "result/resultType"
  const at = misfit(asks ? shapes["InputRequiredResult"] : task ? shapes["CreateTaskResult"] : known.result, result)
  return at === undefined ? (asks ? undefined : unhinted(revision, method, result)) : `result${at}`
}

/** A receiver forgives what a sender has to say: for how long a result may be kept, and for whom. */
function unhinted(revision: RevisionName, method: string, result: unknown): string | undefined {
  if (!isKept(revision, method)) return undefined
  const ttlMs = own(result, "ttlMs")
  if (typeof ttlMs !== "number" || ttlMs < 0) return "result/ttlMs"
  return own(result, "cacheScope") === undefined ? "result/cacheScope" : undefined
}

const isEnveloped = ({ revision, kind, from }: Sent): boolean =>
  saysWhoAsks(revision) && kind === "request" && from === "client"

/** Every request says who asks. */
function unenveloped(revision: RevisionName, params: unknown): string | undefined {
  const at = misfit((schemas[revision] as Shapes)["RequestMeta"], own(params, "_meta"))
  return at === undefined ? undefined : `/_meta${at}`
}

function errorWrong(revision: RevisionName, message: Fields): string | undefined {
  const error = own(message, "error")
  const [code, data] = [own(error, "code"), own(error, "data")]
  if (!Number.isSafeInteger(code)) return "error/code"
  if (typeof own(error, "message") !== "string") return "error/message"
  const extra = Object.keys(fields(error)).find((key) => !["code", "message", "data"].includes(key))
  if (extra !== undefined) return `error/${extra}`
  if (!saysWhoAsks(revision)) return undefined
  if (own(message, "id") === null) return "id"
  // 2026-07-28 basic, Error Codes: of the numbers that JSON-RPC leaves to servers it uses three, and nobody else any.
  if ((code as number) < -32099 || (code as number) > -32000) return code === -32042 ? "error/code" : undefined
  const judge = codes.get(code as number)
  return judge === undefined ? "error/code" : judge(data) ? undefined : "error/data"
}

const codes: ReadonlyMap<number, (data: unknown) => boolean> = new Map([
  [-32020, () => true],
  [-32021, (data: unknown) => isTree(own(data, "requiredCapabilities"))],
  [
    -32022,
    (data: unknown) => {
      const supported = own(data, "supported")
      return Array.isArray(supported) && supported.every(isText) && isText(own(data, "requested"))
    }
  ]
])

const isText = (value: unknown): boolean => typeof value === "string"

/** Objects all the way down. */
const isTree = (value: unknown): boolean => isRecord(value) && Object.values(fields(value)).every(isTree)
