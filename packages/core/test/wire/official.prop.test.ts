/** Our schemas and the specification's own accept the same messages, named exceptions aside. */
import { createRequire } from "node:module"
import type * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Check, Problem } from "../../src/check.js"
import { isObject } from "../../src/json.js"
import type { Revision } from "../../src/revision.js"
import { revisions } from "../../src/revisions/index.js"
import type { RequestRow, Row } from "../../src/row.js"
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
    path: /^((params|result)\.capabilities|_meta\.io\.modelcontextprotocol~1clientCapabilities)(\.|$)/,
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
    faults: "theirs",
    path: /\bmetadata\./,
    why: "schema.json lags: schema.ts lets any JSON value be null or fractional"
  },
  {
    faults: "theirs",
    path: /^params\.inputResponses\./,
    why: "an answer is judged by the question that it answers, and others are ignored"
  },
  {
    faults: "theirs",
    path: /^result\.ttlMs$/,
    why: "a negative time is taken for none"
  },
  {
    faults: "ours",
    path: /^result\.resultType$/,
    why: "the text has a type that nobody knows be invalid"
  },
  {
    faults: "ours",
    path: /^result\.(inputRequests|requestState)$/,
    why: "the text demands one of the two"
  }
]

/** The definition of each request's result. */
const results: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  "server/discover": "DiscoverResult",
  "subscriptions/listen": "SubscriptionsListenResult",
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

describe.each(revisions)("the messages of $name", (revision) => {
  describe.skipIf(!present(revision.name))("beside the official schema", () => {
    const named = schemas[revision.name] as unknown as Readonly<Record<string, Schema.Codec<unknown>>>
    const schemaOf = (check: Check) => named[Object.keys(named).find((name) => checks[revision.name][name] === check)!]!
    const draft = revision.name < "2025-11-25" ? "7" : "2020-12"
    const judgeOf = (name: string) => new Validator(official(revision.name).schemaOf(name), draft, false)
    const answers = (method: string, row: RequestRow, check: Check) => {
      const judge = judgeOf(results[method]!)
      agree(schemaOf(check), check, method, "result", (result) => judge.validate(stamped(revision, row, result)))
    }

    for (const party of ["client", "server"] as const) {
      const rows = Object.entries<Row>(revision[party])

      test.each(rows)(`what a ${party} sends as %s`, (method, row) => {
        const published = official(revision.name)
        const kind = `${party === "client" ? "Client" : "Server"}${row.kind === "request" ? "Request" : "Notification"}`
        const name = messages(published, kind).get(method)!
        const judge = judgeOf(name)
        const message = { jsonrpc: "2.0", ...(row.kind === "request" ? { id: 1 } : {}), method }
        agree(schemaOf(row.params), row.params, method, "params", (params) =>
          judge.validate({ ...message, params: row.kind === "request" ? enveloped(revision, params) : params })
        )
      })

      const requests = rows.filter(([, row]) => row.kind === "request")
      test.each(requests)(`what answers a ${party}'s %s`, (method, row) => {
        if (row.kind !== "request") return
        const strict = row.paginated === undefined ? undefined : results[method]
        answers(method, row, strict === undefined ? row.result : checks[revision.name][strict]!)
      })

      for (const [method, row] of rows)
        for (const [type, check] of Object.entries(row.kind === "request" ? row.resultTypes : {}))
          test(`what answers a ${party}'s ${method} by ${type}`, () => {
            const judge = judgeOf("InputRequiredResult")
            agree(schemaOf(check), check, method, "result", (result) => judge.validate(result))
          })
    }

    const inside = Object.entries(revision.questions).filter(([method]) => revision.server[method] === undefined)
    for (const [method, row] of inside) {
      test(`what a result asks by ${method}`, () => {
        const judge = judgeOf("InputRequest")
        agree(schemaOf(row.params), row.params, method, "params", (params) => judge.validate({ method, params }))
      })

      test(`what answers ${method} inside a result`, () => answers(method, row, row.result))
    }

    const envelopes = revision.envelope === undefined ? [] : [{ check: revision.envelope }]
    test.each(envelopes)("what a request says of its client", ({ check }) => {
      const judge = judgeOf("RequestMetaObject")
      agree(schemaOf(check), check, "any", "_meta", (meta) => judge.validate(meta))
    })
  })
})

/** Params as they come with the envelope, which has its own check: where `_meta` may be one, it is. */
function enveloped({ opening, name }: Revision, params: unknown): unknown {
  if (opening === "handshake" || !isObject(params)) return params
  if (params["_meta"] !== undefined && !isObject(params["_meta"])) return params
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": name,
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  return { ...params, _meta }
}

/** The result as a server sends it: what a client does not insist on is there. */
function stamped({ features, client }: Revision, row: RequestRow, result: unknown): unknown {
  if (features.stamps === "none" || !isObject(result) || !Object.values(client).includes(row)) return result
  const hints = row.cacheable ? { ttlMs: 0, cacheScope: "private" } : {}
  return { resultType: "complete", ...hints, ...result }
}

function agree(
  schema: Schema.Codec<unknown>,
  check: Check,
  method: string,
  prefix: "params" | "result" | "_meta",
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
      if ((ours === undefined) === theirs.valid || (ours !== undefined && holdsInexact(candidate))) return
      expect(excused(method, prefix, ours, theirs), JSON.stringify({ ours, theirs: theirs.errors })).toBe(true)
    }),
    { numRuns: 60 }
  )
}

/** Integers beyond 2^53-1 are not exact: ours takes none, and of several alternatives tells the fault of another. */
const holdsInexact = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some(holdsInexact)
    : typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)

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
