/** A schema as the check of what crosses the wire: the params of a method, or a result, that an extension adds. */
import { isEffect } from "./bridge.js"
import type { Input } from "./compile.js"
import { compile, isDeferred } from "./compile.js"
import { isObject } from "./path.js"
import type { Deferred, JsonSchema, Validated, Validator } from "./validator.js"
import { invalid, valid } from "./validator.js"
import { missing } from "./wording.js"

/** Answers nothing when the value fits, else the first member that does not; a `Check` of `@parley/core`. */
export interface SchemaCheck<I extends Input = Input> {
  (value: unknown): { readonly at: string; readonly expected: string } | undefined
  readonly schema: I
  /** Settles when what the schema needs is loaded, until when nothing fits; rejects `SchemaRefused`. Nothing when all is at hand. */
  readonly ready: Promise<unknown> | undefined
  /** What passes, as JSON Schema says it; nothing until it is loaded. */
  readonly jsonSchema: () => JsonSchema | undefined
  /** What the schema makes of what came. */
  readonly validate: (value: unknown) => Validated<unknown> | Promise<Validated<unknown>>
  /** What goes out for a value: an effect Schema encodes it, others leave it as it is. */
  readonly encode: (value: unknown) => Validated<unknown> | Promise<Validated<unknown>>
}

/**
 * The check by any schema whose root is an object. What every message may say beside (`_meta`, `resultType`, `ttlMs`,
 * `cacheScope`) is not held against a schema that does not name it. A schema that can only be asked asynchronously refuses
 * nothing here; `validate` does.
 *
 * ```ts
 * import { check } from "@parley/json-schema"
 *
 * const job = check({ type: "object", properties: { jobId: { type: "string" } }, required: ["jobId"] })
 * job({ jobId: "a", _meta: {} }) // => undefined
 * job({ jobId: 7 }) // => { at: "jobId", expected: "a string" }
 * ```
 *
 * @throws SchemaRefused when the schema can not be used
 */
export function check<const I extends Input>(schema: I): SchemaCheck<I> {
  const came = loading(compile<Input>(schema, "input"))
  const goes = isEffect(schema) ? loading(compile<Input>(schema, "output")) : undefined
  const validate: SchemaCheck["validate"] = (value) =>
    came.made === undefined ? notLoaded : came.made.validate(itself(came.made, value))
  const encode: SchemaCheck["encode"] = (value) => {
    if (goes === undefined) return valid(value)
    return goes.made === undefined ? notLoaded : goes.made.validate(value)
  }
  const judge = (value: unknown): ReturnType<SchemaCheck> => {
    const judged = attempted(() => validate(value))
    if (judged instanceof Promise || judged.ok) return undefined
    const { path, message } = judged.issues[0]!
    return { at: path, expected: inWords(message) }
  }
  const ready = came.ready && Promise.all([came.ready, goes?.ready])
  // Whoever uses it waits for it, and learns of it there.
  ready?.catch(() => undefined)
  return Object.assign(judge, { schema, ready, jsonSchema: () => came.made?.jsonSchema, validate, encode })
}

interface Loading {
  made: Validator | undefined
  readonly ready: Promise<unknown> | undefined
}

function loading(compiled: Validator | Deferred): Loading {
  if (!isDeferred(compiled)) return { made: compiled, ready: undefined }
  const loading: Loading = {
    made: undefined,
    ready: compiled.ready.then((made) => {
      loading.made = made
    })
  }
  return loading
}

const notLoaded = invalid([{ path: "", message: "expected a schema that is loaded" }])

/** A schema of the user's may throw; a check never does. */
function attempted(judge: () => Validated<unknown> | Promise<Validated<unknown>>): ReturnType<typeof judge> {
  try {
    const judged = judge()
    // Whoever waits for it asks by `validate`.
    if (judged instanceof Promise) judged.catch(() => undefined)
    return judged
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: `expected a schema that does not throw: ${String(error)}` }] }
  }
}

function inWords(message: string): string {
  if (message === missing) return "a value, but it is missing"
  return message.startsWith("expected ") ? message.slice("expected ".length) : `a value that fits: ${message}`
}

const beside = ["_meta", "resultType", "ttlMs", "cacheScope"]

/** The value without what the message says beside. */
function itself({ jsonSchema: { properties } }: Validator, value: unknown): unknown {
  if (!isObject(value)) return value
  const named = isObject(properties) ? properties : {}
  const foreign = beside.filter((key) => Object.hasOwn(value, key) && !Object.hasOwn(named, key))
  if (foreign.length === 0) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !foreign.includes(key)))
}
