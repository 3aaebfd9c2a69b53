/** effect's Schema as Standard Schema. Importing this file makes `compile` answer at once for its schemas. */
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { EffectSchema } from "./bridge.js"
import { plugIn } from "./bridge.js"
import type { StandardIssue, StandardResult, StandardSchemaWithJson } from "./standard.js"
import type { JsonSchema } from "./validator.js"

/** A schema that needs no services. */
type Plain = Schema.ConstraintCodec<unknown, unknown>

/**
 * Input decodes: the handler receives the schema's `Type`. Output encodes: the handler returns the `Type`, and what
 * is sent is the encoded side. Both go by the JSON form of the schema, which is also what is announced: a `Date`
 * travels as a string.
 */
function toStandard(schema: EffectSchema, use: "input" | "output"): StandardSchemaWithJson {
  const plain = schema as unknown as Plain
  const codec: Plain = Schema.toCodecJson(plain)
  const start: (value: unknown) => Effect.Effect<unknown, SchemaIssue.Issue> =
    use === "input"
      ? SchemaParser.decodeUnknownEffect(codec, { errors: "all" })
      : SchemaParser.encodeUnknownEffect(codec, { errors: "all" })
  return {
    "~standard": {
      version: 1,
      vendor: "effect",
      jsonSchema: { input: () => print(plain), output: () => print(plain) },
      validate: (value) => {
        const effect = start(value)
        if (isExit(effect)) return judged(effect)
        const fiber = Effect.runFork(effect)
        const exit = fiber.pollUnsafe()
        if (exit !== undefined) return judged(exit)
        return new Promise<Exit>((resolve) => fiber.addObserver(resolve)).then(judged)
      }
    }
  }
}

/** What is known of an Effect that has come to its end. */
type Exit =
  | { readonly _tag: "Success"; readonly value: unknown }
  | { readonly _tag: "Failure"; readonly cause: Cause<SchemaIssue.Issue> }

/** A schema whose steps are plain functions has mostly come to its end when it is started. */
const isExit = (effect: object): effect is Exit =>
  "_tag" in effect && (effect._tag === "Success" || effect._tag === "Failure")

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Throws what the schema's own code threw. */
function judged(exit: Exit): StandardResult<unknown> {
  if (exit._tag === "Success") return { value: exit.value }
  const bug = exit.cause.reasons.find((reason) => reason._tag === "Die")
  if (bug !== undefined) throw bug.defect
  const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  if (failure === undefined) throw new Error("The schema's own code was interrupted")
  return { issues: format(failure.error).issues.map(reworded) }
}

const reworded = (issue: StandardIssue): StandardIssue => ({
  ...issue,
  message: issue.message
    .replace(/^Missing key$/, "missing")
    .replace(/^Expected (a |an )?/, (_, article: string | undefined) => `expected ${article ?? ""}`)
})

function print(schema: Plain): { [key: string]: unknown } {
  const document = Schema.toJsonSchemaDocument(schema)
  const definitions = readable(document.definitions, true) as { readonly [name: string]: unknown }
  const root = rootOf(readable(document.schema), definitions)
  return JSON.stringify(root).includes(`"${local}`) ? { ...root, $defs: definitions } : root
}

const local = "#/$defs/"

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A named schema prints a reference to itself, where MCP wants its root to be read as it stands. */
function rootOf(root: unknown, definitions: { readonly [name: string]: unknown }): JsonSchema {
  if (!isObject(root)) return {}
  const { $ref } = root
  if (typeof $ref !== "string" || Object.keys(root).length > 1) return root
  const name = decodeURIComponent($ref.slice(local.length))
  const target = definitions[name.replaceAll("~1", "/").replaceAll("~0", "~")]
  return isObject(target) ? rootOf(target, definitions) : root
}

/** An object without fields prints as anything but null; to its reader it is an object. */
function readable(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => readable(one))
  if (!isObject(schema)) return schema
  const { not, ...rest } = schema
  if (!names && isObject(not) && not["type"] === "null" && Object.keys(not).length === 1)
    return { type: "object", ...rest }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, readable(value, key === "properties" && !names)])
  )
}

plugIn(toStandard)
