/** Our schemas and the specification's own accept the same messages, named exceptions aside. */
import { createRequire } from "node:module"
import type * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Check, Problem } from "../../src/check.js"
import { handshakeRevisions } from "../../src/revisions/index.js"
import type { Row } from "../../src/row.js"
import { schemas } from "../../src/wire/index.js"
import { checks } from "../checks/by-revision.js"
import { messages, official, present } from "../revisions/official.js"
import { broken, valid } from "./arbitrary.js"

/** Where both may disagree, and why. `path` is where ours finds fault, or the published schema does. */
const exceptions: ReadonlyArray<{
  readonly faults: "ours" | "theirs"
  readonly path: RegExp
  readonly method?: string
  readonly why: string
}> = [
  {
    faults: "theirs",
    path: /^(params|result)\.capabilities(\.|$)/,
    why: "a known capability of the wrong type counts as undeclared, the handshake goes on"
  },
  {
    faults: "theirs",
    path: /\b(inputSchema|outputSchema)(\.|$)/,
    why: "beyond their type, schemas are judged by the validator that uses them"
  },
  {
    faults: "theirs",
    method: "elicitation/create",
    path: /^result\.content\./,
    why: "schema.json lags: schema.ts lets elicited numbers be fractional"
  },
  {
    faults: "ours",
    path: /^params\._meta(\.progressToken)?$/,
    why: "older schemas leave the _meta of single requests open; the text has one grammar for all"
  },
  {
    faults: "ours",
    path: /\b(requestId|progressToken|size|total|ttl|pollInterval|maxTokens|(min|max)(Length|Items))$/,
    why: "integers beyond 2^53-1 are not exact"
  }
]

/** The definition of each request's result. */
const results: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  ping: "Result",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "Result",
  "resources/unsubscribe": "Result",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "Result",
  "sampling/createMessage": "CreateMessageResult",
  "elicitation/create": "ElicitResult",
  "roots/list": "ListRootsResult",
  "tasks/get": "GetTaskResult",
  "tasks/result": "GetTaskPayloadResult",
  "tasks/list": "ListTasksResult",
  "tasks/cancel": "CancelTaskResult"
}

interface Verdict {
  readonly valid: boolean
  readonly errors: ReadonlyArray<{ readonly instanceLocation: string }>
}

interface Judge {
  validate(value: unknown): Verdict
}

const { Validator } = createRequire(new URL("../../../json-schema/package.json", import.meta.url))(
  "@cfworker/json-schema"
) as {
  Validator: new (schema: object, draft: "7" | "2020-12", shortCircuit: boolean) => Judge
}

describe.each(handshakeRevisions)("the messages of $name", (revision) => {
  describe.skipIf(!present(revision.name))("beside the official schema", () => {
    const named = schemas[revision.name] as unknown as Readonly<Record<string, Schema.Codec<unknown>>>
    const schemaOf = (check: Check) => named[Object.keys(named).find((name) => checks[revision.name][name] === check)!]!
    const draft = revision.name === "2025-11-25" ? "2020-12" : "7"

    for (const party of ["client", "server"] as const) {
      const rows = Object.entries<Row>(revision[party])

      test.each(rows)(`what a ${party} sends as %s`, (method, row) => {
        const published = official(revision.name)
        const kind = `${party === "client" ? "Client" : "Server"}${row.kind === "request" ? "Request" : "Notification"}`
        const name = messages(published, kind).get(method)!
        const judge = new Validator(published.schemaOf(name), draft, false)
        const envelope = { jsonrpc: "2.0", ...(row.kind === "request" ? { id: 1 } : {}), method }
        agree(schemaOf(row.params), row.params, method, "params", (params) => judge.validate({ ...envelope, params }))
      })

      const requests = rows.filter(([, row]) => row.kind === "request")
      test.each(requests)(`what answers a ${party}'s %s`, (method, row) => {
        if (row.kind !== "request") return
        const judge = new Validator(official(revision.name).schemaOf(results[method]!), draft, false)
        const strict = row.paginated === undefined ? undefined : results[method]
        const check = strict === undefined ? row.result : checks[revision.name][strict]!
        agree(schemaOf(check), check, method, "result", (result) => judge.validate(result))
      })
    }
  })
})

function agree(
  schema: Schema.Codec<unknown>,
  check: Check,
  method: string,
  prefix: "params" | "result",
  judge: (value: unknown) => Verdict
): void {
  const value = fc.oneof(
    valid(schema.ast),
    broken(schema.ast).map((mutant) => mutant.value)
  )
  fc.assert(
    fc.property(value, (candidate) => {
      const ours = check(candidate)
      const theirs = judge(candidate)
      if ((ours === undefined) === theirs.valid) return
      expect(excused(method, prefix, ours, theirs), JSON.stringify({ ours, theirs: theirs.errors })).toBe(true)
    }),
    { numRuns: 60 }
  )
}

function excused(method: string, prefix: string, ours: Problem | undefined, theirs: Verdict): boolean {
  const allowed = (fault: "ours" | "theirs", at: string) =>
    exceptions.some(
      ({ faults, path, method: only }) => faults === fault && path.test(at) && (only === undefined || only === method)
    )
  if (ours !== undefined) return allowed("ours", `${prefix}.${ours.at}`)
  return theirs.errors.some(({ instanceLocation }) => {
    const steps = instanceLocation.split("/").slice(1)
    return allowed("theirs", (steps[0] === prefix ? steps : [prefix, ...steps]).join("."))
  })
}
