/** What extensions add to a revision, and which do not fit. */
import { describe, expect, it } from "vitest"
import type { Extension } from "../src/extension.js"
import { announcesExtension, extended } from "../src/extension.js"
import { handshakeRevisions, v2026_07_28 } from "../src/revisions/index.js"
import type { RequestRow } from "../src/row.js"
import { notification, request } from "../src/row.js"
import { extension, id } from "./extending.js"

const anything = () => undefined
const row = request("client", anything, anything)
const told = notification("server", anything, { stream: true, filter: "f" })

describe("an extended revision", () => {
  const both = extended(v2026_07_28, [extension, { id: "com.example/other", client: { "other/do": row } }])

  it("has the new rows, each with its extension, and all that were there", () => {
    expect(both.client["jobs/get"]).toMatchObject({ extension: id, header: "jobId" })
    expect(both.client["other/do"]).toMatchObject({ extension: "com.example/other" })
    expect(both.server["notifications/jobs/status"]).toMatchObject({ extension: id, by: "jobId" })
    expect(Object.keys(both.client)).toEqual([...Object.keys(v2026_07_28.client), "jobs/get", "jobs/needy", "other/do"])
    expect(both.client["tools/list"]).toBe(v2026_07_28.client["tools/list"])
    expect("constructor" in both.client).toBe(false)
    expect("constructor" in both.server).toBe(false)
  })

  it("has the new types of results beside the old ones", () => {
    const types = ({ client }: typeof both) => (client["tools/call"] as RequestRow).resultTypes
    expect(Object.keys(types(both))).toEqual(["1", "input_required", "job"])
    expect(Object.keys(types(v2026_07_28))).toEqual(["input_required"])
  })

  it("may answer the methods of an extension in several ways too", () => {
    const client = { "x/y": row }
    const own = extended(v2026_07_28, [{ id, client, results: { "x/y": { later: anything } } }])
    expect(own.client["x/y"]).toMatchObject({ extension: id, resultTypes: { later: anything } })
  })

  it("is the same where nothing is added, and where there are no extensions", () => {
    expect(extended(v2026_07_28, [])).toBe(v2026_07_28)
    for (const revision of handshakeRevisions) expect(extended(revision, [extension])).toBe(revision)
  })
})

describe("an identifier", () => {
  const named = (id: string) => () => extended(v2026_07_28, [{ id }])

  it.each(["com.example/jobs", "io.modelcontextprotocol/ui", "a/b", "A1.b-2/c_d.e-f", "com.example/", "x/1"])(
    "may be %s",
    (id) => expect(named(id)().extensions).toEqual([{ id }])
  )

  it.each([
    "",
    "jobs",
    "/jobs",
    "com..example/a",
    "1com/a",
    "com-/a",
    ".com/a",
    "com./a",
    "c/-a",
    "c/a-",
    "c/a/b",
    "c/a b",
    "c/a\n"
  ])("is not %j", (id) => expect(named(id)).toThrow(TypeError))
})

it.each<[string, string, Partial<Extension>]>([
  ["a method of clients", "adds tools/call", { client: { "tools/call": row } }],
  ["a method of servers", "adds notifications/progress", { server: { "notifications/progress": told } }],
  ["a question", "adds roots/list", { client: { "roots/list": row } }],
  [
    "a notification of clients",
    "is no request",
    { client: { "x/y": notification("client", anything) as unknown as RequestRow } }
  ],
  ["a request of servers", "is no notification", { server: { "x/y": row as never } }],
  ["a request from servers", "is no request", { client: { "x/y": request("server", anything, anything) } }],
  ["a stream", "or a stream", { client: { "x/y": request("client", anything, anything, { stream: true }) } }],
  [
    "what no filter asks for",
    "whose filter",
    { server: { "x/y": notification("server", anything, { stream: true }) } }
  ],
  ["what goes on no stream", "whose filter", { server: { "x/y": notification("server", anything, { filter: "f" }) } }],
  ["a notification from clients", "whose filter", { server: { "x/y": { ...told, from: "client" } } }],
  ["a request that is told", "whose filter", { server: { "x/y": { ...told, kind: "request" as "notification" } } }],
  ["a filter", "the filter toolsListChanged", { server: { "x/y": { ...told, filter: "toolsListChanged" } } }],
  ["a result of nothing", "which is no request", { results: { "x/y": { t: anything } } }],
  ["a result of what is in every object", "which is no request", { results: { constructor: { t: anything } } }],
  ["a result of a notification", "which is no request", { results: { "notifications/cancelled": { t: anything } } }],
  ["the complete result", "adds the result complete", { results: { "tools/list": { complete: anything } } }],
  ["a known result", "adds the result input_required", { results: { "tools/call": { input_required: anything } } }]
])("no extension adds %s", (_, why, added) => {
  expect(() => extended(v2026_07_28, [{ id, ...added }])).toThrow(TypeError)
  expect(() => extended(v2026_07_28, [{ id, ...added }])).toThrow(why)
})

it("no extension comes twice, and no two add one thing", () => {
  expect(() => extended(v2026_07_28, [extension, extension])).toThrow("is there twice")
  const also: Extension = { id: "com.example/also", client: { "jobs/get": row } }
  expect(() => extended(v2026_07_28, [extension, also])).toThrow("The extension com.example/also adds jobs/get")
  const filter: Extension = { id: "com.example/also", server: { "x/y": { ...told, filter: "jobs" } } }
  expect(() => extended(v2026_07_28, [extension, filter])).toThrow("the filter jobs")
})

it("an extension is announced by an object under its identifier", () => {
  expect(announcesExtension({ extensions: { [id]: {} } }, id)).toBe(true)
  for (const extensions of [{ [id]: true }, { [id]: null }, { "com.example/other": {} }, {}, true, undefined])
    expect(announcesExtension({ extensions }, id)).toBe(false)
  expect(announcesExtension({ extensions: {} }, "constructor")).toBe(false)
})
