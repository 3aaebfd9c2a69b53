/** One door for the three kinds of schema a user may bring. */
import type { EffectSchema } from "./bridge.js"
import { isEffect, loadEffect, plugged } from "./bridge.js"
import type { Decoded, Encodable } from "./infer.js"
import { fromJsonSchema, isObjectSchema } from "./json-schema.js"
import { isObject } from "./path.js"
import { SchemaRefused } from "./refused.js"
import type { StandardSchemaWithJson } from "./standard.js"
import { fromStandard, isStandard } from "./standard.js"
import type { Deferred, JsonSchema, Validator } from "./validator.js"
import { deferred } from "./validator.js"

export type Input = JsonSchema | StandardSchemaWithJson | EffectSchema

/**
 * The validator for a tool's `input`, whose root must say `type: "object"`, or for its `output`, where that is for
 * the revision to want (`isObjectSchema`). For an effect schema it is `Deferred` until effect is loaded
 * (`effectLoaded`), for a JSON Schema that is not simple until the library is (`libraryLoaded`). Output goes the other way round for effect schemas: the value is encoded and that is sent.
 * Throws `SchemaRefused` when the schema can not be used.
 */
export function compile<I extends Input>(input: I, use: "input"): Validator<Decoded<I>> | Deferred<Decoded<I>>
export function compile<O extends Input>(input: O, use: "output"): Validator<Encodable<O>> | Deferred<Encodable<O>>
export function compile(input: Input, use: "input" | "output"): Validator | Deferred
export function compile(input: Input, use: "input" | "output"): Validator | Deferred {
  if (isEffect(input)) {
    const make = (): Validator => rooted(fromStandard(plugged()!(input, use), use), use)
    return plugged() === undefined ? deferred(loadEffect().then(make)) : make()
  }
  if (isStandard(input)) return rooted(fromStandard(input, use), use)
  if (isObject(input)) {
    checkRoot(input, use)
    return fromJsonSchema(input)
  }
  throw new SchemaRefused(
    "broken",
    "",
    "A schema is a JSON Schema object, a Standard Schema that prints JSON Schema, or an effect Schema"
  )
}

/** Tells what `compile` and `fromJsonSchema` answered apart. */
export const isDeferred = <D extends Deferred>(compiled: Validator | D): compiled is D => "ready" in compiled

function rooted(validator: Validator, use: "input" | "output"): Validator {
  checkRoot(validator.jsonSchema, use)
  return validator
}

function checkRoot(jsonSchema: JsonSchema, use: "input" | "output"): void {
  if (use === "output" || isObjectSchema(jsonSchema)) return
  const union = ["anyOf", "oneOf", "allOf"].some((key) => Object.hasOwn(jsonSchema, key))
  throw new SchemaRefused(
    "root",
    "",
    union
      ? 'An input schema must have type "object" at its root, and a union has none: make the alternatives one member of an object'
      : 'An input schema must have type: "object" at its root, because arguments are always an object of named values'
  )
}
