/** The schemas of the official client as a judge: of the newest revisions only, and open, but written by other hands. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Judge, Sent } from "@parley/testing"

interface Parsing {
  readonly shape?: { readonly method?: { readonly value?: string } }
  safeParse(value: unknown): { readonly error?: { readonly message: string; readonly issues: ReadonlyArray<Issue> } }
}

interface Issue {
  readonly code: string
  readonly errors?: ReadonlyArray<ReadonlyArray<Issue>>
}

interface Message {
  readonly result?: { readonly resultType?: unknown }
}

/** Beside the official client, where package managers put what it depends on. */
const from = createRequire(createRequire(import.meta.url).resolve("@modelcontextprotocol/client"))
const schemas = (await import(pathToFileURL(from.resolve("@modelcontextprotocol/core")).href)) as {
  readonly [name: string]: Parsing
}

export const officialClient: Judge = {
  name: "the official client's schemas",
  wrong: (sent) => {
    const message = JSON.parse(JSON.stringify(sent.message)) as Message
    // It has no schema for results that ask.
    const asks = message.result?.resultType === "input_required"
    const schema = asks ? undefined : schemaOf(sent)
    if (schema === undefined) return undefined
    const { error } = schema.safeParse(sent.kind === "result" ? message.result : message)
    return error === undefined || error.issues.every(isOfFormat) ? undefined : error.message.replace(/\s+/g, " ")
  }
}

/** Formats are not judged here either: any text passes for a URI, a date or for base64. */
const isOfFormat = ({ code, errors }: Issue): boolean =>
  code === "invalid_union"
    ? (errors ?? []).some((branch) => branch.every(isOfFormat))
    : code === "custom" || code === "invalid_format"

const named = new Map<string, string>()
for (const [name, { shape }] of Object.entries(schemas))
  if (/(Request|Notification)Schema$/.test(name) && typeof shape?.method?.value === "string")
    named.set(shape.method.value, name)

function schemaOf({ kind, method, task }: Sent): Parsing | undefined {
  if (kind === "error") return schemas["JSONRPCErrorResponseSchema"]
  const name = named.get(method)
  if (kind !== "result" || name === undefined) return name === undefined ? undefined : schemas[name]
  if (task) return schemas["CreateTaskResultSchema"]
  // With tools a message holds several blocks; the plain result is the older one.
  const result =
    name === "CreateMessageRequestSchema" ? "CreateMessageResultWithToolsSchema" : name.replace("Request", "Result")
  return schemas[result] ?? schemas["EmptyResultSchema"]
}
