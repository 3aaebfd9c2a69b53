/** Calls as Effects: what they come to, and how they are withdrawn, in both kinds of session. */
import type { JsonObject } from "@parley/core"
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { refused, tool } from "@parley/server/effect"
import type { Making } from "@parley/server/effect"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { said, run, serving } from "./serving.js"

describe.each([
  ["up to 2025-11-25", handshakeRevisions],
  ["since 2026-07-28", perRequestRevisions]
])("a call, %s,", (_, revisions) => {
  const talking = (items: ReadonlyArray<Making>) => serving(items, { revisions })

  it("fails with what it came to, by tag and by reason", () =>
    run(
      Effect.gen(function* () {
        const no = tool("no", {}, () => Effect.fail(refused(7, "no", { why: "so" })))
        const client = yield* talking([no])
        expect(yield* Effect.flip(client.callTool("no"))).toMatchObject({
          _tag: "CallError",
          code: 7,
          data: { why: "so" }
        })
        const byTag = Effect.catchTag(client.callTool("it"), "CallError", ({ reason }) => Effect.succeed(reason._tag))
        expect(yield* byTag).toBe("ToolUnlisted")
        const byReason = Effect.catchReason(client.callTool("it"), "CallError", "ToolUnlisted", ({ tool }) =>
          Effect.succeed(`no ${tool}`)
        )
        expect(yield* byReason).toBe("no it")
      })
    ))

  it("dies of an option that there is not", () =>
    run(
      Effect.gen(function* () {
        const client = yield* talking([])
        const dies = (cause: Cause.Cause<unknown>) => Effect.sync(() => Cause.hasDies(cause) && String(cause))
        const call = Effect.as(client.ping({ timeout: 1 } as object), "none")
        expect(yield* Effect.catchCause(call, dies)).toContain("has no option timeout")
        const pages = Effect.as(Stream.runDrain(client.tools({ timeout: 1 } as object)), "none")
        expect(yield* Effect.catchCause(pages, dies)).toContain("has no option timeout")
      })
    ))

  it("withdraws its request when it is interrupted, and the handler with it", () =>
    run(
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<void>()
        const wait = tool("wait", {}, () =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
          )
        )
        const client = yield* talking([wait])
        const fiber = yield* Effect.forkChild(client.callTool("wait"))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(ended)
        yield* client.ping()
      })
    ))

  it("that loses a race, or its time, is withdrawn", () =>
    run(
      Effect.gen(function* () {
        const ended = yield* Deferred.make<void>()
        const wait = tool("wait", {}, () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined)))
        const quick = tool("quick", {}, () => Effect.succeed("quick"))
        const client = yield* talking([wait, quick])
        expect(yield* Effect.race(client.callTool("wait"), client.callTool("quick"))).toMatchObject(said("quick"))
        yield* Deferred.await(ended)
      })
    ))

  it("is made anew each time it is run", () =>
    run(
      Effect.gen(function* () {
        let times = 0
        const client = yield* talking([tool("count", {}, () => Effect.sync(() => String(++times)))])
        const call = client.callTool("count")
        yield* call
        expect(yield* call).toMatchObject(said("2"))
      })
    ))

  it("may be made a thousand times at once, half of which are interrupted", () =>
    run(
      Effect.gen(function* () {
        let running = 0
        let interrupted = 0
        const input = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const
        const go = yield* Deferred.make<void>()
        const all = yield* Deferred.make<void>()
        const none = yield* Deferred.make<void>()
        const wait = tool("wait", { input }, ({ n }) =>
          Effect.gen(function* () {
            if (++running === 1_000) yield* Deferred.succeed(all, undefined)
            yield* Deferred.await(go)
            return String(n)
          }).pipe(
            Effect.onInterrupt(() =>
              Effect.suspend(() => (++interrupted === 500 ? Deferred.succeed(none, undefined) : Effect.void))
            )
          )
        )
        const client = yield* talking([wait])
        yield* client.listTools()
        const calls: Array<Fiber.Fiber<JsonObject, unknown>> = []
        for (let n = 0; n < 1_000; n++) calls.push((yield* Effect.forkChild(client.callTool("wait", { n }))) as never)
        yield* Deferred.await(all)
        yield* Fiber.interruptAll(calls.filter((_, n) => n % 2 === 1))
        yield* Deferred.await(none)
        yield* Deferred.succeed(go, undefined)
        const left = calls.filter((_, n) => n % 2 === 0)
        const answers = yield* Effect.forEach(left, Fiber.join)
        expect(answers.map(({ content }) => content)).toEqual(
          Array.from({ length: 500 }, (_, n) => said(String(2 * n)).content)
        )
        expect(interrupted).toBe(500)
      })
    ))

  it("ends with the scope of its session", async () => {
    const begun = Deferred.makeUnsafe<void>()
    const wait = tool("wait", {}, () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    const scope = Scope.makeUnsafe()
    const client = await Effect.runPromise(Scope.provide(talking([wait]), scope))
    const call = Effect.runPromise(Effect.flip(client.callTool("wait")))
    await Effect.runPromise(Deferred.await(begun))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await call).toMatchObject({ _tag: "CallError" })
  })
})
