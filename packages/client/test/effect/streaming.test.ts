/** What comes bit by bit, as Streams, and what is asked of the server meanwhile. */
import type { JsonObject } from "@parley/core"
import { perRequestRevisions } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import { link } from "@parley/driver"
import { live, resource, serve as plain, defineServer as define, tool as plainTool } from "@parley/server"
import { tool } from "@parley/server/effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { connect, following } from "../../src/effect/index.js"
import { hand, tool as listed } from "../hand.js"
import { info, clientInfo, said, run, serving, opened } from "./serving.js"

describe("progress", () => {
  const dig = tool("dig", {}, (_, call) =>
    Effect.gen(function* () {
      yield* call.progress(1, 2, "half way")
      yield* call.progress(2, 2)
      return "found it"
    })
  )

  it("is a stream that ends with the result", () =>
    run(
      Effect.gen(function* () {
        const client = yield* serving([dig])
        const heard: Array<number> = []
        const call = client.callTool("dig", {}, { onProgress: ({ progress }) => heard.push(progress) })
        expect(yield* Stream.runCollect(following(call))).toMatchObject([
          { _tag: "Progress", progress: 1, total: 2, message: "half way" },
          { _tag: "Progress", progress: 2, total: 2 },
          { _tag: "Result", result: said("found it") }
        ])
        expect(heard).toEqual([1, 2])
      })
    ))

  it("is not asked for when nobody follows", () =>
    run(
      Effect.gen(function* () {
        const ask = tool("ask", {}, (_, call) => Effect.succeed(String(call.wantsProgress)))
        const client = yield* serving([ask])
        expect(yield* client.callTool("ask")).toMatchObject(said("false"))
        expect(yield* Stream.runLast(following(client.callTool("ask")))).toMatchObject({
          value: { result: said("true") }
        })
      })
    ))

  it("fails with its call, and withdraws it when nobody reads any more", () =>
    run(
      Effect.gen(function* () {
        const ended = yield* Deferred.make<void>()
        const wait = tool("wait", {}, (_, call) =>
          Effect.andThen(call.progress(1), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
          )
        )
        const client = yield* serving([wait])
        expect(yield* Stream.runCollect(Stream.take(following(client.callTool("wait")), 1))).toMatchObject([
          { _tag: "Progress" }
        ])
        yield* Deferred.await(ended)
        expect(yield* Effect.flip(Stream.runDrain(following(client.callTool("none"))))).toMatchObject({
          reason: { _tag: "ToolUnlisted" }
        })
      })
    ))
})

describe("a list", () => {
  const pages = (size: number) =>
    hand({
      answers: {
        "tools/list": (params?: { readonly cursor?: string }) => {
          const page = Number(params?.cursor ?? 0)
          if (page === 2) return { tools: [], nextCursor: "3" }
          const tools = Array.from({ length: size }, (_, n) => listed(`${page}.${n}`))
          return page === 4 ? { tools } : { tools, nextCursor: String(page + 1) }
        }
      }
    })

  it("is a stream of its items, a chunk a page", () =>
    run(
      Effect.gen(function* () {
        const client = yield* opened(pages(2).channel)
        const names = Stream.map(client.tools(), ({ name }) => name)
        expect(yield* Stream.runCollect(Stream.chunks(names))).toEqual(
          [0, 1, 3, 4].map((page) => [`${page}.0`, `${page}.1`])
        )
        expect((yield* client.listTools()).map(({ name }) => name)).toEqual(yield* Stream.runCollect(names))
      })
    ))

  it("is fetched no further than it is read", () =>
    run(
      Effect.gen(function* () {
        const { channel, asked } = pages(2)
        const client = yield* opened(channel)
        expect(yield* Stream.runCollect(Stream.take(client.tools(), 3))).toHaveLength(3)
        expect(asked("tools/list")).toHaveLength(2)
      })
    ))

  it("withdraws the request for a page that nobody waits for any more", () =>
    run(
      Effect.gen(function* () {
        const { channel, until } = hand({ answers: { "tools/list": () => undefined } })
        const client = yield* opened(channel)
        const fiber = yield* Effect.forkChild(Stream.runDrain(client.tools()))
        const { id } = yield* Effect.promise(() => until(({ method }) => method === "tools/list"))
        yield* Fiber.interrupt(fiber)
        const { params } = yield* Effect.promise(() => until(({ method }) => method === "notifications/cancelled"))
        expect(params.requestId).toBe(id)
      })
    ))

  it("fails with what kept it from its end", () =>
    run(
      Effect.gen(function* () {
        const client = yield* opened(pages(1).channel)
        const found: Array<string> = []
        const reading = Stream.runForEach(client.tools({ maxPages: 2 }), ({ name }) =>
          Effect.sync(() => found.push(name))
        )
        const caught = Effect.catchReason(reading, "CallError", "WalkTooLong", ({ pages }) => Effect.succeed(pages))
        expect(yield* caught).toBe(2)
        expect(found).toEqual(["0.0", "1.0"])
      })
    ))
})

describe("what the server tells on its own", () => {
  it("is a stream, which listens while it is read and not longer", () =>
    run(
      Effect.gen(function* () {
        const { channel, tell } = hand({ capabilities: { logging: {} } })
        const client = yield* opened(channel)
        let listening = 0
        const { on } = client.plain
        const counted = Object.assign(client.plain, {
          on: (...args: Parameters<typeof on>) => {
            listening++
            const off = on(...args)
            return () => (listening--, off())
          }
        })
        expect(counted).toBe(client.plain)
        const logs = Stream.map(client.notifications("notifications/message"), ({ data }) => data)
        const some = yield* Effect.forkChild(Stream.runCollect(Stream.take(logs, 2)))
        yield* Effect.yieldNow
        expect(listening).toBe(1)
        for (const data of ["a", "b", "c"]) tell("notifications/message", { level: "info", data })
        expect(yield* Fiber.join(some)).toEqual(["a", "b"])
        expect(listening).toBe(0)
      })
    ))

  it("is asked for while it is read, and not longer, where that is to be asked for", () =>
    run(
      Effect.gen(function* () {
        const [near, far] = link()
        const sent: Array<JsonObject> = []
        const channel: Channel = {
          ...near,
          send: (out) => (sent.push(out.message as unknown as JsonObject), near.send(out))
        }
        const declare = { tools: { listChanged: true } } as const
        const server = live(define(info, [], { declare }))
        yield* Effect.acquireRelease(
          Effect.sync(() => plain(server, far)),
          ({ close }) => Effect.promise(close)
        )
        const client = yield* connect(channel, { clientInfo, revisions: perRequestRevisions })
        const changes = client.notifications("notifications/tools/list_changed")
        const first = yield* Effect.forkChild(Stream.runCollect(Stream.take(changes, 1)))
        let names = 0
        while (first.pollUnsafe() === undefined) {
          yield* Effect.promise(() => server.set([plainTool(`number ${++names}`, {}, () => "x")]))
          yield* client.ping()
        }
        expect(yield* Fiber.join(first)).toHaveLength(1)
        yield* client.ping()
        const [listen] = sent.filter(({ method }) => method === "subscriptions/listen")
        const cancelled = sent.filter(({ method }) => method === "notifications/cancelled")
        expect(cancelled.map(({ params }) => (params as JsonObject)["requestId"])).toEqual([listen!["id"]])
      })
    ))

  it("keeps the latest thousand for a slow reader", () =>
    run(
      Effect.gen(function* () {
        const { channel, tell } = hand({ capabilities: { logging: {} } })
        const client = yield* opened(channel)
        const go = yield* Deferred.make<void>()
        const heard: Array<unknown> = []
        const reading = Stream.runForEach(client.notifications("notifications/message"), ({ data }) =>
          Effect.andThen(
            Effect.sync(() => heard.push(data)),
            Deferred.await(go)
          )
        )
        yield* Effect.forkChild(Effect.andThen(reading, Effect.void))
        yield* Effect.yieldNow
        for (let data = 0; data < 3_000; data++) tell("notifications/message", { level: "info", data })
        yield* client.ping()
        yield* Deferred.succeed(go, undefined)
        while (heard.at(-1) !== 2_999) yield* client.ping()
        expect(heard.length).toBeGreaterThan(1_000)
        expect(heard.length).toBeLessThan(2_100)
      })
    ))

  it("ends with the session", async () => {
    const { channel, tell, leave } = hand({ capabilities: { logging: {} } })
    const logs = await run(
      Effect.gen(function* () {
        const client = yield* opened(channel)
        const logs = yield* Effect.forkChild(Stream.runCollect(client.notifications("notifications/message")))
        yield* Effect.yieldNow
        tell("notifications/message", { level: "info", data: "last" })
        yield* Effect.promise(leave)
        return yield* Fiber.join(logs)
      })
    )
    expect(logs).toEqual([{ level: "info", data: "last" }])
  })

  it("tells of a resource while it is watched", () =>
    run(
      Effect.gen(function* () {
        const [near, far] = link()
        const note = resource("note://a", { name: "a" }, () => "a")
        const declare = { resources: { subscribe: true } } as const
        const server = live(define(info, [note], { declare }))
        yield* Effect.acquireRelease(
          Effect.sync(() => plain(server, far)),
          ({ close }) => Effect.promise(close)
        )
        const client = yield* opened(near)
        const first = yield* Effect.forkChild(Stream.runCollect(Stream.take(client.subscribe("note://a"), 1)))
        while (first.pollUnsafe() === undefined) {
          server.updated("note://a")
          yield* client.readResource("note://a")
        }
        expect(yield* Fiber.join(first)).toMatchObject([{ uri: "note://a" }])
      })
    ))

  it("unsubscribes when the stream ends early, and fails where the server refuses", () =>
    run(
      Effect.gen(function* () {
        const { channel, tell, until, answers } = hand({
          capabilities: { resources: { subscribe: true } },
          answers: { "resources/subscribe": () => ({}), "resources/unsubscribe": () => ({}) }
        })
        const client = yield* opened(channel)
        const first = yield* Effect.forkChild(Stream.runCollect(Stream.take(client.subscribe("note://a"), 1)))
        yield* Effect.promise(() => until(({ method }) => method === "resources/subscribe"))
        tell("notifications/resources/updated", { uri: "note://a" })
        yield* Fiber.join(first)
        yield* Effect.promise(() => until(({ method }) => method === "resources/unsubscribe"))
        answers["resources/subscribe"] = () => ({ error: { code: 7, message: "no" } })
        expect(yield* Effect.flip(Stream.runDrain(client.subscribe("note://b")))).toMatchObject({ code: 7 })
      })
    ))
})
