/** An extension's handlers run as those of tools do, and what cannot be added is refused when it is declared. */
import type { Extension } from "@parley/core"
import { notification, request } from "@parley/core"
import { v2026_07_28 } from "@parley/core/revisions"
import type { StandardSchemaWithJson } from "@parley/json-schema"
import { check } from "@parley/json-schema"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { diggers, parleyTest } from "../../testing/test/parley-test.js"
import { defineServer, extension, failed, live, prompt, refused, resource, structured, tool } from "../src/index.js"
import { modern } from "./modern.js"
import { talking } from "./talk.js"

const info = { name: "extended", version: "1.0.0" }
const id = "com.example/it"
const anything = () => undefined
const has = { capabilities: { extensions: { [id]: { shows: true } } } }
const one = { id, client: { "it/do": request("client", anything, anything) } } satisfies Extension
type Handler = Parameters<typeof extension<typeof one>>[1]["it/do"]

const doing = (handler: Handler, client = has) =>
  modern(defineServer(info, [], { extensions: [extension(one, { "it/do": handler })] }), client)

describe("a handler of an extension's method", () => {
  it("gets the params without what the request says of itself, and the call", async () => {
    const handler = vi.fn<Handler>((_params, call) => ({ said: call.meta!["mine"]! }))
    const { ask } = doing(handler, { ...has, meta: { mine: "yes" } } as typeof has)
    expect((await ask("it/do", { a: 1 })).result).toMatchObject({ said: "yes", resultType: "complete" })
    expect(handler.mock.calls[0]![0]).toEqual({ a: 1 })
  })

  it.each<[string, Handler, object, number]>([
    [
      "throws",
      () => Promise.reject(new Error("secret")),
      { code: -32603, message: "Internal error: the handler of it/do failed" },
      1
    ],
    ["throws failed", () => Promise.reject(failed("try another")), { code: -32603, message: "try another" }, 0],
    ["returns failed", () => failed("try another") as never, { code: -32603, message: "try another" }, 0],
    ["throws refused", () => Promise.reject(refused("no such thing")), { code: -32602, message: "no such thing" }, 0],
    [
      "fails with refused",
      () => Effect.fail(refused("no", 7, { a: 1 })),
      { code: 7, message: "no", data: { a: 1 } },
      0
    ],
    ["chooses a code of the specification's own", () => Promise.reject(refused("no", -32021)), { code: -32603 }, 0],
    ["returns what is no JSON", () => ({ n: 1n }) as never, { code: -32603 }, 1],
    ["returns no object", () => "text" as never, { code: -32603 }, 1]
  ])("that %s is an error", async (_, handler, error, crashed) => {
    vi.spyOn(console, "error").mockReturnValue(undefined)
    const { ask, crashes } = doing(handler)
    const reply = await ask("it/do")
    expect(reply.error).toMatchObject(error)
    expect(crashes).toHaveLength(crashed)
    vi.restoreAllMocks()
  })

  it("is interrupted when its request is withdrawn", async () => {
    const aborted = new Promise<unknown>((resolve) => {
      const { ask, tell } = doing((_, call) => {
        call.signal.addEventListener("abort", () => resolve((call.signal.reason as Error).message))
        tell("notifications/cancelled", { requestId: 9, reason: "enough" })
        return new Promise(() => undefined)
      })
      ask("it/do", {}, 9).catch(() => undefined)
    })
    expect(await aborted).toBe("enough")
  })

  it("knows what its client announced under the identifier, and that another announced nothing", async () => {
    const it = extension(one, { "it/do": () => ({}) })
    const knows = tool("knows", {}, (_, call) => JSON.stringify(it.announced(call) ?? "nothing"))
    const server = defineServer(info, [knows], { extensions: [it] })
    const said = async (client: typeof has) => (await modern(server, client).tool("knows")).content[0].text as string
    expect(await said(has)).toBe('{"shows":true}')
    expect(await said({ capabilities: { extensions: { "com.example/other": {} } } } as never)).toBe('"nothing"')
    const old = await talking(server, {}, "2025-11-25", has.capabilities)
    expect((await old.call("knows")).content[0].text).toBe('"nothing"')
  })

  it("is refused to a client that has not announced it, and is not there where the server has not", async () => {
    const handler = vi.fn<Handler>(() => ({}))
    expect((await doing(handler, {} as typeof has).ask("it/do")).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [id]: {} } } }
    })
    expect((await modern(defineServer(info, []), has).ask("it/do")).error).toMatchObject({ code: -32601 })
    const old = await talking(
      defineServer(info, [], { extensions: [extension(one, { "it/do": handler })] }),
      {},
      "2025-11-25",
      has.capabilities
    )
    expect((await old.ask("it/do")).error).toMatchObject({ code: -32601 })
    expect(handler).not.toHaveBeenCalled()
  })

  it("may have a name that the specification's own methods once had", async () => {
    const tasks = { id, client: { "tasks/get": request("client", anything, anything) } }
    const dig = tool("dig", { task: "optional" }, () => "found it")
    const get = vi.fn<() => object>(() => ({ mine: true }))
    const server = defineServer(info, [dig], { extensions: [extension(tasks, { "tasks/get": get as never })] })
    expect((await modern(server, has).ask("tasks/get", { taskId: "a" })).result).toMatchObject({ mine: true })
    const old = await talking(server, {}, "2025-11-25", has.capabilities)
    expect((await old.ask("tasks/get", { taskId: "a" })).error.message).toContain("Unknown task")
    expect(get).toHaveBeenCalledOnce()
  })
})

describe("schemas", () => {
  const capabilities = { capabilities: { extensions: { [parleyTest.id]: {} } } }

  it("of any kind decode what comes and encode what goes, and are waited for", async () => {
    const { ask } = modern(diggers().server, capabilities)
    expect((await ask("jobs/count", { from: "2" })).result).toMatchObject({ count: "2" })
    expect((await ask("jobs/count", { from: "x" })).error).toMatchObject({ code: -32602 })
  })

  it("that take their time refuse params, and no handler runs", async () => {
    type N = { readonly n: number }
    const positive: StandardSchemaWithJson<N, N> = {
      "~standard": {
        version: 1,
        vendor: "hand",
        validate: async (value) =>
          (value as N).n > 0 ? { value: value as N } : { issues: [{ message: "must be positive", path: ["n"] }] },
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) }
      }
    }
    const wire = { id, client: { "it/do": request("client", check(positive), check(positive)) } }
    const handler = vi.fn<(params: N) => N>(({ n }) => ({ n: n + 1 }))
    const { ask } = modern(defineServer(info, [], { extensions: [extension(wire, { "it/do": handler })] }), has)
    expect((await ask("it/do", { n: -1 })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid params for it/do: n: must be positive") as string
    })
    expect(handler).not.toHaveBeenCalled()
    expect((await ask("it/do", { n: 1 })).result).toMatchObject({ n: 2 })
  })

  it("keep a result that does not fit from being sent", async () => {
    const wire = { id, client: { "it/do": request("client", anything, parleyTest.client["jobs/count"].result) } }
    const odd = extension(wire, { "it/do": (() => ({ count: "many" })) as never })
    const { ask, crashes } = modern(defineServer(info, [], { extensions: [odd] }), has)
    expect((await ask("it/do")).error).toMatchObject({ code: -32603 })
    expect(String(crashes[0]![1])).toContain("its result does not fit its schema: count")
  })

  it("that can not be used are told of by the server's ready", async () => {
    const broken = check({ type: "object", $ref: "#/nowhere" })
    const wire = { id, client: { "it/do": request("client", broken, anything) } }
    await expect(
      defineServer(info, [], { extensions: [extension(wire, { "it/do": () => ({}) })] }).ready
    ).rejects.toThrow("nowhere")
  })
})

describe("a result of an extension's type", () => {
  const wire = {
    id,
    results: {
      "tools/call": { later: anything },
      "prompts/get": { later: anything },
      "resources/read": { later: anything }
    }
  } satisfies Extension
  const later = extension(wire, {})
  const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const
  const server = defineServer(
    info,
    [
      tool("plain", {}, () => later.result("later", { at: 1 })),
      tool("structured", { output }, async (_, call) => {
        if (later.announced(call) === undefined) return structured({ n: 1 }, "one")
        return later.result("later", { at: 1 })
      }),
      prompt("prompt", {}, () => later.result("later", { at: 1 })),
      resource("a:1", { name: "a" }, () => later.result("later", { at: 1 }))
    ],
    { extensions: [later] }
  )

  it.each([
    ["tools/call", { name: "plain" }],
    ["tools/call", { name: "structured" }],
    ["prompts/get", { name: "prompt" }],
    ["resources/read", { uri: "a:1" }]
  ])("answers %s %j", async (method, params) => {
    const { result } = await modern(server, has).ask(method, params)
    const { _meta, ...said } = result
    expect(said).toEqual({ resultType: "later", at: 1 })
  })

  it("is an error to a client without it, which gets the complete one where the handler asks", async () => {
    const { tool: call, ask, crashes } = modern(server)
    expect(await call("plain")).toMatchObject({ isError: true, content: [{ text: "The tool plain failed." }] })
    expect((await ask("prompts/get", { name: "prompt" })).error).toMatchObject({ code: -32603 })
    expect((await ask("resources/read", { uri: "a:1" })).error).toMatchObject({ code: -32603 })
    const why = `the result later needs the extension ${id}, which the client did not announce`
    expect(crashes.map(([what, error]) => [what, (error as Error).message])).toEqual(
      ["plain", "prompt", "resources/read of a:1"].map((what) => [what, why])
    )
    expect(await call("structured")).toMatchObject({ structuredContent: { n: 1 }, content: [{ text: "one" }] })
    const old = await talking(server, {}, "2025-11-25", has.capabilities)
    expect(await old.call("plain")).toMatchObject({ isError: true })
    expect(old.crashes.map(([, error]) => (error as Error).message)).toEqual([why])
  })
})

describe("what an extension tells", () => {
  it("reaches the streams of every session that asked for it, until it is over", async () => {
    const { server, jobs } = diggers()
    const client = { capabilities: { extensions: { [parleyTest.id]: {} } } }
    const [hears, other] = [
      modern(server, client),
      modern(
        live(
          defineServer(info, [tool("a", {}, () => "")], {
            declare: { tools: { listChanged: true } },
            extensions: [jobs]
          })
        ),
        client
      )
    ]
    const listen = async ({ ask, until }: typeof hears, notifications: object) => {
      void ask("subscriptions/listen", { notifications }, "s").catch(() => undefined)
      return (await until(({ method }) => method === "notifications/subscriptions/acknowledged")).params
        .notifications as object
    }
    expect(await listen(hears, { jobsIdle: true, jobs: ["a"] })).toEqual({ jobsIdle: true, jobs: ["a"] })
    await listen(other, { jobs: ["b"] })
    jobs.tell("notifications/jobs/idle", {})
    jobs.tell("notifications/jobs/changed", { jobId: "b", status: "working" })
    await hears.ask("server/discover")
    await other.ask("server/discover")
    const told = ({ heard }: typeof hears) =>
      heard.flatMap(({ method }) => (method?.startsWith("notifications/jobs") ? [method as string] : []))
    expect([told(hears), told(other)]).toEqual([["notifications/jobs/idle"], ["notifications/jobs/changed"]])
    await hears.leave()
    await hears.serving.closed
    jobs.tell("notifications/jobs/idle", {})
    expect(told(hears)).toHaveLength(1)
  })

  it("is told to nobody, and reported, where it does not fit", async () => {
    const { server, jobs } = diggers()
    const report = vi.fn<(report: { readonly _tag: string }) => void>()
    const { ask, until, heard } = modern(server, { capabilities: { extensions: { [parleyTest.id]: {} } } }, { report })
    void ask("subscriptions/listen", { notifications: { jobs: ["a"] } }, "s").catch(() => undefined)
    await until(({ method }) => method === "notifications/subscriptions/acknowledged")
    jobs.tell("notifications/jobs/changed", { jobId: "a", status: "odd" as "working" })
    await ask("server/discover")
    expect(heard.filter(({ method }) => method?.includes("jobs"))).toEqual([])
    expect(report.mock.calls.map(([said]) => said)).toContainEqual(
      expect.objectContaining({ _tag: "Unsendable", method: "notifications/jobs/changed" })
    )
  })

  it("is reported as what can not be sent, where there is no such notification", async () => {
    const { server, jobs } = diggers()
    const report = vi.fn<(report: { readonly _tag: string }) => void>()
    const { ask } = modern(server, {}, { report })
    await ask("server/discover")
    jobs.tell("notifications/jobs/nope" as "notifications/jobs/idle", {})
    expect(report.mock.calls.map(([said]) => said)).toContainEqual({
      _tag: "Unsendable",
      method: "notifications/jobs/nope",
      why: `the extension ${parleyTest.id} has no such notification`
    })
  })

  it("troubles no session that has no stream", async () => {
    const { server, jobs } = diggers()
    const report = vi.fn<(report: { readonly _tag: string }) => void>()
    const old = await talking(server, { report })
    jobs.tell("notifications/jobs/idle", {})
    await old.ask("ping")
    expect(report.mock.calls.map(([{ _tag }]) => _tag)).toEqual(["Agreed"])
  })
})

describe("a declaration", () => {
  it("announces its extensions, with their settings, beside the rest", () => {
    const { server } = diggers()
    const many = {
      extensions: [extension({ id }, {}), extension({ id: "com.example/more" }, {}, { settings: { n: 1 } })]
    }
    expect(defineServer(info, [], many).definition.capabilities).toEqual({
      extensions: { [id]: {}, "com.example/more": { n: 1 } }
    })
    expect(server.options.extensions).toHaveLength(1)
    expect(
      defineServer(info, [], { revisions: [v2026_07_28], ...many }).definition.revisions[0]!.extensions
    ).toHaveLength(2)
  })

  it("keeps them when a live server changes", async () => {
    const it = extension(one, { "it/do": () => ({ done: true }) })
    const hello = tool("hello", {}, () => "Hello!")
    const declare = { tools: { listChanged: true } } as const
    const server = live(defineServer(info, [hello], { declare, extensions: [it] }))
    const { ask } = modern(server, has)
    await server.set([hello, tool("more", {}, () => "")])
    expect((await ask("it/do")).result).toMatchObject({ done: true })
  })

  it.each<[string, () => unknown, string]>([
    ["no handler", () => extension(one, {} as never), "it/do is not both"],
    ["a handler of no method", () => extension({ id }, { "it/do": () => ({}) } as never), "it/do is not both"],
    ["an option that is none", () => extension({ id }, {}, { setting: {} } as never), "unknown option setting"],
    ["no identifier", () => defineServer(info, [], { extensions: [extension({ id: "it" }, {})] }), "identifier"],
    [
      "an identifier that is taken",
      () => defineServer(info, [], { extensions: [extension({ id }, {}), extension({ id }, {})] }),
      "is there twice"
    ],
    [
      "a method that is taken",
      () => {
        const wire = { id, client: { "tools/call": request("client", anything, anything) } }
        return defineServer(info, [], { extensions: [extension(wire, { "tools/call": () => ({}) })] })
      },
      "tools/call, which is there already"
    ],
    [
      "a notification on no stream",
      () => {
        const wire = { id, server: { "notifications/it": notification("server", anything) } }
        return defineServer(info, [], { extensions: [extension(wire, {})] })
      },
      "can not add notifications/it"
    ],
    [
      "settings that are no JSON",
      () => defineServer(info, [], { extensions: [extension({ id }, {}, { settings: { n: 1n } as never })] }),
      "can not be written as JSON"
    ]
  ])("refuses %s", (_, declare, why) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(why)
  })
})
