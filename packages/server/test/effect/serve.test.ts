/** A server that is served for as long as its scope: as a layer, gracefully closed, with its services still there. */
import { connect } from "@parley/client"
import type { Client } from "@parley/client"
import type { Channel } from "@parley/driver"
import { link } from "@parley/driver"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import type { Making } from "../../src/effect/index.js"
import {
  defineServer,
  layer,
  prompt,
  refused,
  resource,
  resourceTemplate,
  serve,
  Serving,
  tool
} from "../../src/effect/index.js"
import { defineServer as define, failed, live, page, resource as plain } from "../../src/index.js"

const info = { name: "served", version: "1.0.0" }
const clientInfo = { name: "demo", version: "1.0.0" }
const said = (text: string) => [{ type: "text", text }]

const opening = (channel: Channel): Effect.Effect<Client> => Effect.promise(() => connect(channel, { clientInfo }))

/** A client of these items, in a scope. */
const talking = (items: ReadonlyArray<Making>) =>
  Effect.gen(function* () {
    const [near, far] = link()
    yield* serve(yield* defineServer(info, items), far)
    return yield* opening(near)
  }) as Effect.Effect<Client, never, Scope.Scope>

const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> => Effect.runPromise(Effect.scoped(effect))

class Desk extends Context.Service<Desk, { readonly note: (word: string) => Effect.Effect<void> }>()("Desk") {}

function desks() {
  const log: Array<string> = []
  const made = { note: (word: string) => Effect.sync(() => void log.push(word)) }
  const desk = Layer.effect(
    Desk,
    Effect.acquireRelease(Effect.succeed(made), () => Effect.sync(() => log.push("desk closed")))
  )
  return { desk, log }
}

describe("prompts and resources", () => {
  const items = [
    prompt("review", { arguments: { code: { required: true } } }, ({ code }) => Effect.succeed(`Review ${code}`)),
    prompt("bad", {}, () => Effect.fail(failed("try another"))),
    resource("note://motd", { name: "motd" }, (uri) => Effect.succeed(`Be kind. ${uri}`)),
    resource("note://gone", { name: "gone" }, () => Effect.void as Effect.Effect<undefined>),
    resource("note://bad", { name: "bad" }, () => Effect.fail(refused(7, "no"))),
    resourceTemplate("gift://{id}", { name: "gift" }, ({ id }, call) => Effect.succeed(`${id} of ${call.uri}`)),
    plain("note://plain", { name: "plain" }, () => "plain")
  ]

  it("are made and read by Effects", () =>
    run(
      Effect.gen(function* () {
        const client = yield* talking(items)
        const text = (uri: string) =>
          Effect.map(
            Effect.promise(() => client.readResource(uri)),
            ({ contents }) => contents[0]
          )
        const { messages } = yield* Effect.promise(() => client.getPrompt("review", { code: "x" }))
        expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Review x" } }])
        expect(yield* text("note://motd")).toMatchObject({ text: "Be kind. note://motd" })
        expect(yield* text("gift://12")).toMatchObject({ text: "12 of gift://12" })
        expect(yield* text("note://plain")).toMatchObject({ text: "plain" })
      })
    ))

  it("fail with an error of their choice", () =>
    run(
      Effect.gen(function* () {
        const client = yield* talking(items)
        const error = (call: Promise<unknown>) => Effect.flip(Effect.tryPromise({ try: () => call, catch: (e) => e }))
        expect(yield* error(client.getPrompt("bad"))).toMatchObject({ code: -32603, data: undefined })
        expect(String(yield* error(client.getPrompt("bad")))).toContain("try another")
        expect(yield* error(client.readResource("note://bad"))).toMatchObject({ code: 7 })
        expect(yield* error(client.readResource("note://gone"))).toMatchObject({ data: { uri: "note://gone" } })
      })
    ))
})

describe("a layer", () => {
  it("serves for as long as it lives, with what its handlers and its channel need", async () => {
    const { desk, log } = desks()
    const [near, far] = link()
    const write = tool("write", {}, () =>
      Effect.gen(function* () {
        yield* (yield* Desk).note("written")
        return "ok"
      })
    )
    const channel = Effect.map(Desk, () => far)
    const served = Layer.provideMerge(layer(defineServer(info, [write]), channel), desk)
    const program = Effect.gen(function* () {
      const client = yield* opening(near)
      const { content } = yield* Effect.promise(() => client.callTool("write"))
      expect(content).toEqual(said("ok"))
      return client
    })
    const { closed } = await Effect.runPromise(Effect.provide(program, served))
    expect(log).toEqual(["written", "desk closed"])
    expect(await closed).toMatchObject({ _tag: "Gone" })
  })

  it("provides the session, which tells when the client has gone", async () => {
    const [near, far] = link()
    const program = Effect.gen(function* () {
      const { closed } = yield* Serving
      const client = yield* opening(near)
      yield* Effect.promise(() => client.close())
      return yield* closed
    })
    const main = Effect.provide(program, layer(define(info, []), far))
    expect(await Effect.runPromise(main)).toMatchObject({ _tag: "Gone" })
  })

  it("fails with what its channel or its server fails with", async () => {
    const no = Effect.fail("no channel" as const)
    const [, far] = link()
    expect(await Effect.runPromise(Effect.flip(Layer.build(layer(define(info, []), no)).pipe(Effect.scoped)))).toBe(
      "no channel"
    )
    expect(await Effect.runPromise(Effect.flip(Layer.build(layer(no, far)).pipe(Effect.scoped)))).toBe("no channel")
  })
})

describe("a scope that closes in the middle of a call", () => {
  it("answers what ends in time, waits for the finalisers of what does not, and lets its services go last", async () => {
    const { desk, log } = desks()
    const [near, far] = link()
    const program = Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const soon = tool("soon", {}, () => Effect.as(Deferred.await(go), "in time"))
      const late = Effect.andThen(
        Effect.yieldNow,
        Effect.flatMap(Desk, ({ note }) => note("interrupted"))
      )
      const never = tool("never", {}, () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => late)
        )
      )
      const served = Layer.provide(layer(defineServer(info, [soon, never]), far, { drainMs: 200 }), desk)
      const scope = yield* Scope.make()
      yield* Scope.provide(Layer.build(served), scope)
      const client = yield* opening(near)
      const calls = Promise.allSettled([client.callTool("soon"), client.callTool("never")])
      yield* Deferred.await(begun)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(closing)
      return yield* Effect.promise(() => calls)
    })
    const [soon, never] = await Effect.runPromise(program)
    expect(soon).toMatchObject({ status: "fulfilled", value: { content: said("in time") } })
    expect(never).toMatchObject({ status: "rejected" })
    expect(log).toEqual(["interrupted", "desk closed"])
  })
})

describe("serving", () => {
  it("logs what handlers die of where nobody else is told", async () => {
    const logged: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void logged.push(message))])
    const error = new Error("secret")
    const program = Effect.gen(function* () {
      const client = yield* talking([tool("it", {}, () => Effect.die(error))])
      yield* Effect.promise(() => client.callTool("it"))
    })
    await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(logger)))
    expect(logged).toEqual([["The handler of it failed", error]])
  })

  it("tells of it whoever wants to be told", () =>
    run(
      Effect.gen(function* () {
        const crashes: Array<unknown> = []
        const [near, far] = link()
        const server = yield* defineServer(info, [tool("it", {}, () => Effect.die("secret"))])
        yield* serve(server, far, { crashed: (...crash) => void crashes.push(crash) })
        const client = yield* opening(near)
        yield* Effect.promise(() => client.callTool("it"))
        expect(crashes).toEqual([["it", "secret"]])
      })
    ))

  it("dies of what its schemas are refused for, with the channel closed", async () => {
    const [near, far] = link()
    const gone = new Promise((closed) => near.open({ frame: () => {}, closed }))
    const refusedLate = tool("it", { input: { type: "object", $ref: "#/nowhere" } as const }, () => Effect.succeed("x"))
    const exit = await Effect.runPromiseExit(
      Effect.scoped(Effect.flatMap(defineServer(info, [refusedLate]), (server) => serve(server, far)))
    )
    expect(String(exit)).toContain("The input schema of tool it can not be used")
    expect(await gone).toMatchObject({ _tag: "Gone" })
  })

  it("takes a live server, and tells of a visit that is complete", () =>
    run(
      Effect.gen(function* () {
        const [near, far] = link()
        const one = yield* tool("one", { asks: { page: page() } }, () => Effect.succeed("1"))
        const two = yield* tool("two", {}, () => Effect.succeed("2"))
        const changing = live(define(info, [one], { declare: { tools: { listChanged: true } } }))
        const { completed } = yield* serve(changing, far)
        const client = yield* opening(near)
        yield* Effect.promise(() => changing.set([one, two]))
        expect((yield* Effect.promise(() => client.callTool("two"))).content).toEqual(said("2"))
        yield* completed("nobody was sent there")
      })
    ))
})
