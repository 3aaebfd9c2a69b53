/** The specification's own examples are read by the schema of the type that they are of, messages also by their row, and written unchanged. */
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import type { Check } from "../../src/check.js"
import { isObject } from "../../src/json.js"
import { read } from "../../src/jsonrpc.js"
import { v2026_07_28 } from "../../src/revisions/index.js"
import type { RequestRow, Row } from "../../src/row.js"
import { schemas } from "../../src/wire/index.js"
import { checks } from "../checks/by-revision.js"
import { examples } from "../revisions/official.js"

const ours = schemas["2026-07-28"] as unknown as Readonly<Record<string, Schema.Codec<unknown>>>
const { client, server, questions } = v2026_07_28
const all = examples("2026-07-28")

/** Types that the specification names otherwise, or that it makes of several of ours. */
const names: Readonly<Record<string, string>> = {
  BooleanSchema: "BooleanField",
  NumberSchema: "NumberField",
  StringSchema: "StringField",
  UntitledSingleSelectEnumSchema: "EnumField",
  TitledSingleSelectEnumSchema: "TitledEnumField",
  UntitledMultiSelectEnumSchema: "MultiEnumField",
  TitledMultiSelectEnumSchema: "TitledMultiEnumField",
  ElicitRequestURLParams: "ElicitUrlParams",
  CreateMessageRequest: "InputRequest",
  ElicitRequest: "InputRequest",
  ListRootsRequest: "InputRequest"
}

/** The method that a response answers. */
const answered: Readonly<Record<string, string>> = {
  CallToolResultResponse: "tools/call",
  CompleteResultResponse: "completion/complete",
  DiscoverResultResponse: "server/discover",
  GetPromptResultResponse: "prompts/get",
  ListPromptsResultResponse: "prompts/list",
  ListResourceTemplatesResultResponse: "resources/templates/list",
  ListResourcesResultResponse: "resources/list",
  ListToolsResultResponse: "tools/list",
  ReadResourceResultResponse: "resources/read",
  SubscriptionsListenResultResponse: "subscriptions/listen"
}

/** A question inside a result has no id, and this one has. */
const odd = "list-roots-request.json"

/** Read with no member left over, and written again. */
function unchanged(name: string, value: unknown): void {
  const schema = ours[name]
  if (schema === undefined) throw new Error(`there is no schema ${name}`)
  const options = { onExcessProperty: "error" } as const
  const decoded = Schema.decodeUnknownSync(schema, options)(value)
  expect(Schema.encodeSync(schema, options)(decoded)).toEqual(value)
  expect(checks["2026-07-28"][name]!(value)).toBeUndefined()
}

const nameOf = (check: Check): string =>
  Object.keys(checks["2026-07-28"]).find((name) => checks["2026-07-28"][name] === check)!

const isMessage = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && value["jsonrpc"] === "2.0"

describe.skipIf(all.length === 0)("the specification's examples of 2026-07-28", () => {
  const values = all.filter(([type, , value]) => !isMessage(value) && !type.endsWith("Error"))
  const requests = all.filter(([, , value]) => isMessage(value) && value["method"] !== undefined)
  const results = all.filter(([, , value]) => isMessage(value) && value["result"] !== undefined)
  const errors = all.filter(([type]) => type.endsWith("Error"))

  test("are all there, and each of one kind", () => {
    expect(all).toHaveLength(129)
    expect(values.length + requests.length + results.length + errors.length).toBe(129)
  })

  test.each(values)("%s/%s is a value of that type", (type, file, value) => {
    const plain = type.replace(/(Request|Notification)Params$/, type.startsWith("Elicit") ? "$&" : "Params")
    const name = names[type] ?? plain.replace("ElicitRequestFormParams", "ElicitFormParams")
    if (file !== odd) return unchanged(name, value)
    const { id, ...question } = value as { readonly id: string }
    expect(id).toBe("list-roots-example")
    unchanged(name, question)
  })

  test.each(requests)("%s/%s is a message that its row takes", (_type, _file, value) => {
    const envelope = read(value)
    if (envelope._tag !== "Request" && envelope._tag !== "Notification") throw new Error(envelope._tag)
    const { method, params } = envelope.message
    const row: Row | undefined = client[method] ?? server[method]
    expect(row?.kind).toBe(envelope._tag.toLowerCase())
    expect(row!.params(params ?? {})).toBeUndefined()
    if (params === undefined) return
    unchanged(nameOf(row!.params), params)
    if (envelope._tag === "Request") unchanged("RequestMeta", params["_meta"])
  })

  test.each(results)("%s/%s is an answer that its row takes", (type, _file, value) => {
    const envelope = read(value)
    if (envelope._tag !== "Result") throw new Error(envelope._tag)
    const { result } = envelope.message
    const row = client[answered[type]!] as RequestRow
    const check = row.resultTypes[String(result["resultType"])] ?? row.result
    expect(check(result)).toBeUndefined()
    unchanged(nameOf(check), result)
    if (row.paginated !== undefined) unchanged(type.slice(0, -"Response".length), result)
  })

  test.each(errors)("%s/%s is an error", (_type, _file, value) => {
    const reply = isMessage(value) ? value : { jsonrpc: "2.0", error: value }
    expect(read(reply)).toEqual({ _tag: "Error", message: reply })
  })

  test("ask what there are questions for", () => {
    const asked = values.filter(([type]) => names[type] === "InputRequest").map(([, , value]) => value)
    for (const question of asked as ReadonlyArray<{ readonly method: string; readonly params?: object }>)
      expect(questions[question.method]!.params(question.params ?? {}), question.method).toBeUndefined()
    expect(new Set(asked.map((question) => (question as { method: string }).method)).size).toBe(3)
  })
})
