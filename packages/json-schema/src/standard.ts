/** Validators from Standard Schema with Standard JSON Schema: zod 4, arktype, valibot through its converter. */
import { bounds } from "./bounds.js"
import { isObject, pathOf } from "./path.js"
import { SchemaRefused } from "./refused.js"
import type { Issue, JsonSchema, Validated, Validator } from "./validator.js"
import { invalid, valid } from "./validator.js"

/** The part of the two standards that is used. */
export interface StandardSchemaWithJson<I = unknown, O = I> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => { [key: string]: unknown }
      readonly output: (options: { readonly target: "draft-2020-12" }) => { [key: string]: unknown }
    }
    readonly types?: { readonly input: I; readonly output: O } | undefined
  }
}

export type StandardResult<O> =
  | { readonly value: O; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** Schemas are objects or, as arktype's, functions. */
export const isStandard = (schema: unknown): schema is StandardSchemaWithJson =>
  ((typeof schema === "object" && schema !== null) || typeof schema === "function") && "~standard" in schema

/**
 * Validates by the schema's own `validate`, whose result is handed on with its defaults and transformations. Input
 * announces the schema's input side, output its output side, which is what is sent. Throws `SchemaRefused`.
 */
export function fromStandard<O>(
  schema: StandardSchemaWithJson<unknown, O>,
  use: "input" | "output" = "input"
): Validator<O> {
  const standard = schema["~standard"]
  return {
    jsonSchema: print(standard, use),
    validate: (value) => {
      const result = standard.validate(value)
      return result instanceof Promise ? result.then((later) => judged(later, value)) : judged(result, value)
    }
  }
}

function print(standard: StandardSchemaWithJson["~standard"], use: "input" | "output"): JsonSchema {
  const { vendor } = standard
  if (!isObject(standard.jsonSchema) || typeof standard.jsonSchema[use] !== "function")
    throw new SchemaRefused(
      "unprintable",
      "",
      `This ${vendor} schema can not print JSON Schema: it needs "~standard".jsonSchema, as current zod 4 and arktype 2 have it, and valibot through toStandardJsonSchema of @valibot/to-json-schema`
    )
  try {
    return standard.jsonSchema[use]({ target: "draft-2020-12" })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SchemaRefused("unprintable", "", `This ${vendor} schema has no JSON Schema: ${why}`, cause)
  }
}

function judged<O>(result: StandardResult<O>, value: unknown): Validated<O> {
  if (result.issues === undefined) return valid(result.value)
  return invalid(result.issues.slice(0, bounds.issues).map((issue) => told(issue, value)))
}

/** An issue of the standard in our words. */
function told(issue: StandardIssue, value: unknown): Issue {
  // Not `map`, which makes an array of the path's own class: arktype's begins with what it is made of.
  const keys = Array.from(issue.path ?? [], (part) => (typeof part === "object" ? part.key : part))
  return { path: pathOf(keys, value), message: issue.message }
}
