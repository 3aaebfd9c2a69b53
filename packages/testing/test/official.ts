/** The specification's own schemas as judges: as published, and with every object closed that lists its properties. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import type { RevisionName } from "@parley/core"
import type { Judge, Sent } from "@parley/testing"
import { wire } from "@parley/testing"
import { officialClient } from "./official-client.js"

const repository = resolve(import.meta.dirname, "../../..")
const shared = resolve(repository, process.env["PARLEY_SHARED"] ?? "../shared")
const file = (revision: RevisionName): string => `${shared}/spec/${revision}/schema.json`

interface Node {
  readonly [keyword: string]: unknown
}

interface Validator {
  validate(value: unknown): {
    readonly valid: boolean
    readonly errors: ReadonlyArray<{ readonly instanceLocation: string; readonly error: string }>
  }
}

const { Validator: Interpreter } = createRequire(new URL("../../json-schema/package.json", import.meta.url))(
  "@cfworker/json-schema"
) as { Validator: new (schema: object, draft: "7" | "2020-12", shortCircuit: boolean) => Validator }

/** Where the schemas are not at hand the first judge is the official client, and whoever reads the run is told so. */
export const officialSchemasAreHere = existsSync(file("2025-11-25"))

export const published: Judge = judge("the published schema", (definitions) => definitions)

export const closed: Judge = judge("the published schema, closed", (definitions) =>
  Object.fromEntries(Object.entries(definitions).map(([name, node]) => [name, shut(definitions, node, name) as Node]))
)

export const judges: ReadonlyArray<Judge> = officialSchemasAreHere ? [published, closed, wire] : [officialClient, wire]

function judge(name: string, prepare: (definitions: Record<string, Node>) => Record<string, Node>): Judge {
  const known = new Map<string, Validator>()
  const all = new Map<RevisionName, { readonly under: string; readonly definitions: Record<string, Node> }>()
  const validator = (sent: Sent): Validator | undefined => {
    const key = `${sent.revision} ${sent.from} ${sent.kind} ${sent.method} ${sent.task} ${asksInside(sent)}`
    const found = known.get(key)
    if (found !== undefined) return found
    const { under, definitions } = all.get(sent.revision) ?? read(sent.revision)
    all.set(sent.revision, { under, definitions })
    const definition = definitionOf(definitions, sent)
    if (definition === undefined) return undefined
    const schema = { [under]: definitions, $ref: `#/${under}/${definition}` }
    const made = new Interpreter(schema, under === "$defs" ? "2020-12" : "7", false)
    known.set(key, made)
    return made
  }
  const read = (revision: RevisionName) => {
    // Formats annotate and are not judged: any text passes for a URI or for base64.
    const whole = JSON.parse(readFileSync(file(revision), "utf8"), (key, value: unknown) =>
      key === "format" && typeof value === "string" ? undefined : value
    ) as Node
    const under = "$defs" in whole ? "$defs" : "definitions"
    return { under, definitions: prepare(whole[under] as Record<string, Node>) }
  }
  return {
    name,
    wrong: (sent) => {
      const at = validator(sent)
      if (at === undefined) return `${sent.revision} defines no ${sent.kind} for ${sent.method}`
      // What is undefined is not on the wire.
      const message = JSON.parse(JSON.stringify(sent.message)) as { readonly result?: unknown }
      const { valid, errors } = at.validate(sent.kind === "result" ? message.result : message)
      if (valid) return undefined
      const { instanceLocation, error } = errors.at(-1)!
      return `${instanceLocation}: ${error}`
    }
  }
}

/** The definition that a message must fit: by its method's constant, and for a result by the name of the request's. */
function definitionOf(definitions: Record<string, Node>, sent: Sent): string | undefined {
  const { from, kind, method, task } = sent
  if (kind === "error") return "JSONRPCError" in definitions ? "JSONRPCError" : "JSONRPCErrorResponse"
  if (task) return "CreateTaskResult"
  const other = from === "client" ? "Server" : "Client"
  const side = from === "client" ? "Client" : "Server"
  const union =
    kind === "notification" ? `${side}Notification` : kind === "request" ? `${side}Request` : `${other}Request`
  // 2026-07-28 has no requests of a server's, and one notification of a client's, which is no union then.
  const members = (definitions[union]?.["anyOf"] ?? [{ $ref: union }]) as ReadonlyArray<{ readonly $ref: string }>
  const name = members
    .map(({ $ref }) => $ref.slice($ref.lastIndexOf("/") + 1))
    .find((one) => (definitions[one]?.["properties"] as { method: { const: string } })?.method.const === method)
  if (kind !== "result" || name === undefined) return name
  if (asksInside(sent)) return mayAskInside(definitions, name) ? "InputRequiredResult" : undefined
  const result = name.replace(/Request$/, "Result")
  return result in definitions ? result : "EmptyResult"
}

/** The schema of a result does not say which of them it is: any text is a type. */
const asksInside = ({ kind, message }: Sent): boolean =>
  kind === "result" && (message["result"] as Node)["resultType"] === "input_required"

const mayAskInside = (definitions: Record<string, Node>, request: string): boolean =>
  JSON.stringify(definitions[request.replace(/Request$/, "ResultResponse")] ?? null).includes("InputRequiredResult")

/** Members whose value is nobody's business but the user's, or a schema. */
const open = new Set(["_meta", "arguments", "experimental", "extensions", "inputSchema", "outputSchema", "data"])

/** Messages have an envelope that the older schemas do not repeat, and requests a `_meta` that they leave open. */
function isMessage({ properties }: Node): boolean {
  return typeof properties === "object" && properties !== null && "method" in properties && "params" in properties
}

/** Since 2026-07-28 they repeat it where it belongs, and a question inside a result has none. */
const isSpelledOut = (definitions: Record<string, Node>): boolean => "InputRequiredResult" in definitions

function shut(definitions: Record<string, Node>, value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shut(definitions, item, key))
  if (typeof value !== "object" || value === null) return value
  if (open.has(key) || key.endsWith("MetaObject")) return value
  const node = whole(definitions, value as Node)
  const inner = Object.fromEntries(Object.entries(node).map(([name, one]) => [name, shut(definitions, one, name)]))
  const properties = inner["properties"]
  // An object of which nothing is said is open.
  if (typeof properties !== "object" || properties === null || Object.keys(properties).length === 0) return inner
  if (key === "properties") return inner
  const envelope = isMessage(node) && !isSpelledOut(definitions) ? { jsonrpc: true, id: true } : {}
  const isParams = key === "params" || (key.endsWith("Params") && !Object.hasOwn(properties, "_meta"))
  const meta = isParams && !isSpelledOut(definitions) ? { _meta: true } : {}
  return { ...inner, properties: { ...envelope, ...meta, ...properties }, additionalProperties: false }
}

/** What is put together from several parts can not be closed part by part: it is one object with the members of all. */
function whole(definitions: Record<string, Node>, node: Node): Node {
  if (!Array.isArray(node["allOf"])) return node
  const parts = (node["allOf"] as ReadonlyArray<Node>).map((part) => {
    const { $ref } = part as { readonly $ref?: string }
    return whole(definitions, $ref === undefined ? part : definitions[$ref.slice($ref.lastIndexOf("/") + 1)]!)
  })
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties as object)) as object,
    required: parts.flatMap(({ required }) => (required ?? []) as ReadonlyArray<string>)
  }
}
