/** What the server asks is answered by Effects, in both kinds of session. */
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { form, roots, sample } from "@parley/server"
import { tool } from "@parley/server/effect"
import type { Making } from "@parley/server/effect"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { connect } from "../../src/effect/index.js"
import { Rejected } from "../../src/index.js"
import { hand } from "../hand.js"
import { clientInfo, said, run, serving } from "./serving.js"

class User extends Context.Service<User, { readonly guests: number }>()("User") {}

describe.each([
  ["up to 2025-11-25", handshakeRevisions],
  ["since 2026-07-28", perRequestRevisions]
])("the server's questions, %s,", (_, revisions) => {
  const talking = (items: ReadonlyArray<Making>, options: object) => serving(items, { revisions, ...options })

  const asks = {
    guests: form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] } as const),
    model: sample(),
    folders: roots()
  }
  const ask = tool("ask", { asks }, (_, call) =>
    Effect.gen(function* () {
      const { guests } = yield* call.ask("guests", { message: "How many?" })
      const { model } = yield* call.ask("model", { messages: [], maxTokens: 1 })
      const folders = yield* call.ask("folders")
      return `${guests} ${model} ${folders[0]?.uri}`
    })
  )
  const create = () => Effect.succeed({ role: "assistant", content: { type: "text", text: "x" }, model: "m" } as const)

  it("are answered by Effects, with services", () =>
    run(
      Effect.gen(function* () {
        const client = yield* talking([ask], {
          answer: {
            elicit: () => Effect.map(User, (content) => ({ action: "accept", content })),
            sample: { create },
            roots: { list: [{ uri: "file:///tmp" }], listChanged: true }
          }
        })
        expect(yield* client.callTool("ask")).toMatchObject(said("4 m file:///tmp"))
      }).pipe(Effect.provideService(User, { guests: 4 }))
    ))

  it("are declined by those who reject them", () =>
    run(
      Effect.gen(function* () {
        const client = yield* talking([ask], { answer: { elicit: () => Effect.fail(new Rejected()) } })
        expect(yield* client.callTool("ask")).toMatchObject({
          isError: true,
          ...said("The user declined to answer: guests")
        })
      })
    ))

  it("interrupt their fibers when they are withdrawn", () =>
    run(
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<void>()
        const elicit = () =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
          )
        const client = yield* talking([ask], { answer: { elicit } })
        const call = yield* Effect.forkChild(client.callTool("ask"))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(call)
        yield* Deferred.await(ended)
      })
    ))

  it("hold up the scope that closes until their fibers are done", async () => {
    const begun = Deferred.makeUnsafe<void>()
    const log: Array<string> = []
    const late = Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => log.push("interrupted"))
    )
    const elicit = () =>
      Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(Effect.onInterrupt(() => late))
    const scope = Scope.makeUnsafe()
    const client = await Effect.runPromise(Scope.provide(talking([ask], { answer: { elicit } }), scope))
    const call = Effect.runPromise(Effect.flip(client.callTool("ask")))
    await Effect.runPromise(Deferred.await(begun))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(log).toEqual(["interrupted"])
    expect(await call).toMatchObject({ _tag: "CallError" })
  })

  it("hear that the roots are others now, where that was promised", () =>
    run(
      Effect.gen(function* () {
        const { channel, until } = hand()
        const client = yield* connect(channel, {
          clientInfo,
          revisions: handshakeRevisions,
          answer: { roots: { list: () => Effect.succeed([]), listChanged: true } }
        })
        yield* client.rootsChanged
        yield* Effect.promise(() => until(({ method }) => method === "notifications/roots/list_changed"))
      })
    ))
})
