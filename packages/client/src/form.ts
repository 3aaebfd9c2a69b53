/** A form the server asks to be filled in: what its fields begin with, and whether an answer fits. */
import type { ElicitFormParams } from "@parley/core"
import { fromPeer } from "@parley/json-schema"
import type { FormContent } from "./answers.js"
import { misformed } from "./format.js"
import { unfit } from "./tools.js"

export interface Form {
  readonly defaults: FormContent
  /** The answer with the defaults where it has nothing. */
  readonly filled: (content: FormContent | undefined) => FormContent
  /** What is wrong with the answer once it is filled; nothing when it fits, or when the schema can not be used to say. */
  readonly check: (content: FormContent) => string | undefined
}

/** The form itself, or a promise of it while what its schema needs is being loaded. */
export function formOf({ requestedSchema }: ElicitFormParams): Form | Promise<Form> {
  const defaults = defaultsOf(requestedSchema.properties)
  const filled = (content: FormContent = {}): FormContent =>
    Object.fromEntries([
      ...Object.entries(defaults),
      // From a handler without types a member may be there and undefined.
      ...Object.entries(content).filter(([, value]: readonly [string, unknown]) => value !== undefined)
    ])
  const made = (schema: Awaited<ReturnType<typeof fromPeer>>): Form => ({
    defaults,
    filled,
    check: (content) => {
      const whole = filled(content)
      const problems = [unfit(schema, whole), ...misfits(requestedSchema.properties, whole)]
      return problems.filter((problem) => problem !== undefined).join("; ") || undefined
    }
  })
  const schema = fromPeer(requestedSchema)
  return schema instanceof Promise ? schema.then(made) : made(schema)
}

type Fields = ElicitFormParams["requestedSchema"]["properties"]

/**
 * JSON Schema's `format` is only an annotation; for a form it is what the user was asked for.
 * 2025-11-25 client/elicitation, Requested Schema: supported are `email`, `uri`, `date` and `date-time`.
 */
const misfits = (fields: Fields, content: FormContent): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined
    // With what the server itself begins, it will be content.
    if (typeof value !== "string" || !("format" in field) || value === field.default) return []
    const why = misformed(field.format, value)
    return why === undefined ? [] : [`${name}: ${why}`]
  })

const defaultsOf = (fields: Fields): FormContent =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]))
  )
