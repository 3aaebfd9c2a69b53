/** Resources and templates: listed, read, subscribed to. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Item } from "../src/index.js"
import { defineServer, live, resource, resourceTemplate } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "resources", version: "1.0.0" }
const note = (read: unknown, mimeType?: string) =>
  resource("note://a", { name: "a", ...(mimeType === undefined ? {} : { mimeType }) }, () => read as never)

async function read(items: ReadonlyArray<Item>, uri = "note://a", revision?: string) {
  const talk = await talking(defineServer(info, items), { report: () => undefined }, revision)
  const reply = await talk.ask("resources/read", { uri })
  return { ...reply, crashes: talk.crashes }
}

describe("what is read", () => {
  const bytes = new Uint8Array([0, 250, 255])
  const whole = { uri: "note://a", text: "x", mimeType: "text/x" }

  it.each([
    ["text", "hi", { uri: "note://a", mimeType: "text/plain", text: "hi" }],
    ["empty text", "", { uri: "note://a", mimeType: "text/plain", text: "" }],
    ["bytes", bytes, { uri: "note://a", mimeType: "text/plain", blob: "APr/" }],
    ["a Buffer", Buffer.from(bytes), { uri: "note://a", mimeType: "text/plain", blob: "APr/" }],
    ["bytes of a larger buffer", bytes.subarray(1), { uri: "note://a", mimeType: "text/plain", blob: "+v8=" }],
    ["no bytes", new Uint8Array(), { uri: "note://a", mimeType: "text/plain", blob: "" }],
    ["contents spelled out", whole, whole],
    ["a promise", Promise.resolve("hi"), { uri: "note://a", mimeType: "text/plain", text: "hi" }],
    ["an Effect", Effect.succeed("hi"), { uri: "note://a", mimeType: "text/plain", text: "hi" }]
  ])("may be %s", async (_, given, contents) => {
    expect((await read([note(given, "text/plain")])).result).toEqual({ contents: [contents] })
  })

  it("may be a megabyte of bytes", async () => {
    const large = new Uint8Array(1_000_001).fill(7)
    const { result } = await read([note(large)])
    expect(Buffer.from(result.contents[0].blob, "base64").equals(large)).toBe(true)
  })

  it("may have parts", async () => {
    expect((await read([note([whole, { ...whole, uri: "note://b" }])])).result.contents).toHaveLength(2)
  })

  it.each([
    ["2025-11-25", -32002],
    ["2024-11-05", -32002]
  ])("is an error that names the resource when there is none: %s", async (revision, code) => {
    for (const [items, uri] of [
      [[note("x")], "note://b"],
      [[note(undefined)], "note://a"]
    ] as const)
      expect((await read(items, uri, revision)).error).toMatchObject({ code, data: { uri } })
  })

  it("is an error without the reason when it fails, and only our side learns of it", async () => {
    const broken = resource("note://a", { name: "a" }, () => {
      throw new Error("secret")
    })
    const { error, crashes } = await read([broken])
    expect(error).toEqual({ code: -32603, message: "Internal error: the handler of resources/read failed" })
    expect(crashes).toEqual([["resources/read of note://a", expect.objectContaining({ message: "secret" })]])
  })

  it("is named to our side by its URI, which ends no line and is not endless", async () => {
    const uri = `note://a\n\u202e${"b".repeat(1_000)}`
    const broken = resource(uri, { name: "a" }, () => {
      throw new Error("secret")
    })
    const { crashes } = await read([broken], uri)
    expect(crashes).toEqual([[`resources/read of note://a??${"b".repeat(290)}`, expect.anything()]])
  })

  it.each([[5], [null], [{ text: "x" }], [[{ uri: "x" }]]])(
    "never leaves when it is no contents: %j",
    async (wrong) => {
      expect((await read([note(wrong)])).error).toMatchObject({ code: -32603 })
    }
  )
})

describe("a template", () => {
  const gifts = [
    resourceTemplate("gift://{id}", { name: "gift", mimeType: "text/plain" }, ({ id }, call) =>
      id === "none" ? undefined : `${id} at ${call.uri}`
    ),
    resourceTemplate("gift://{+path}", { name: "any" }, ({ path }) => `any ${path}`),
    resource("gift://fixed", { name: "fixed" }, () => "fixed")
  ]

  it.each([
    ["gift://12", "12 at gift://12"],
    ["gift://fixed", "fixed"],
    ["gift://a/b", "any a/b"],
    ["gift://none", "any none"]
  ])("reads %s: the resource itself first, then the first template that has it", async (uri, text) => {
    expect((await read(gifts, uri)).result.contents[0].text).toBe(text)
  })

  it("is listed apart from resources, without what is not to be told", async () => {
    const { ask } = await talking(defineServer(info, gifts))
    expect((await ask("resources/templates/list")).result.resourceTemplates).toEqual([
      { uriTemplate: "gift://{id}", name: "gift", mimeType: "text/plain" },
      { uriTemplate: "gift://{+path}", name: "any" }
    ])
    expect((await ask("resources/list")).result.resources).toEqual([{ uri: "gift://fixed", name: "fixed" }])
  })

  it("gets lists where variables explode, and nothing where they are absent", async () => {
    const search = resourceTemplate("gift://all{?page,tags*}", { name: "all" }, ({ page, tags }) =>
      JSON.stringify([page ?? "first", tags?.length ?? 0])
    )
    expect((await read([search], "gift://all?tags=a&tags=b")).result.contents[0].text).toBe('["first",2]')
  })
})

describe("what is declared wrongly", () => {
  it.each([
    ["no scheme", () => resource("a", { name: "a" }, () => "x"), "needs a URI with a scheme"],
    ["one URI twice", () => defineServer(info, [note("a"), note("b")]), "Two resources are named note://a"]
  ])("is refused: %s", (_, declare, why) => {
    expect(declare).toThrow(why)
  })
})

describe("a subscription", () => {
  const server = () => live(defineServer(info, [note("x")], { declare: { resources: { subscribe: true } } }))
  const updates = (talk: Awaited<ReturnType<typeof talking>>) =>
    talk.heard.filter(({ method }) => method === "notifications/resources/updated").map(({ params }) => params.uri)

  it("brings updates of that resource, to that session, until it is ended", async () => {
    const notes = server()
    const [one, two] = [await talking(notes), await talking(notes)]
    expect(one.heard[0].result.capabilities.resources).toEqual({ subscribe: true })
    await one.ask("resources/subscribe", { uri: "note://a" })
    notes.updated("note://a")
    notes.updated("note://b")
    await one.ask("resources/unsubscribe", { uri: "note://a" })
    notes.updated("note://a")
    await Promise.all([one.ask("ping"), two.ask("ping")])
    expect([updates(one), updates(two)]).toEqual([["note://a"], []])
  })

  it("is refused where it was not declared", async () => {
    const lively = live(defineServer(info, [note("x")], { declare: { tools: { listChanged: true } } }))
    expect(() => lively.updated("note://a" as never)).toThrow("Nobody can subscribe")
    const talk = await talking(defineServer(info, [note("x")]))
    expect((await talk.ask("resources/subscribe", { uri: "note://a" })).error.code).toBe(-32601)
  })
})
