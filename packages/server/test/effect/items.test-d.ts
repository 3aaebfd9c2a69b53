/** What compiles of a handler that is an Effect, and what it leaves to be provided. */
import type { Channel } from "@parley/driver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { describe, expectTypeOf, it } from "vitest"
import type { AskDeclined, AskFailed, Call, Serving } from "../../src/effect/index.js"
import { defineServer, layer, prompt, refused, resource, resourceTemplate, tool } from "../../src/effect/index.js"
import type { Tool } from "../../src/index.js"
import { defineServer as plain, failed, form, structured, tool as plainTool } from "../../src/index.js"

class Stock extends Context.Service<Stock, { readonly count: Effect.Effect<number> }>()("Stock") {}
class Clerk extends Context.Service<Clerk, { readonly name: string }>()("Clerk") {}
class Empty extends Schema.TaggedError<Empty>()("Empty", {}) {}

declare const channel: Channel
const info = { name: "s", version: "1" }

describe("a tool", () => {
  it("needs what its handler needs, and a scope", () => {
    const count = tool("count", {}, () =>
      Effect.gen(function* () {
        return `${yield* (yield* Stock).count}`
      })
    )
    expectTypeOf(count).branded.toEqualTypeOf<Effect.Effect<Tool<"count">, never, Stock | Scope>>()
    expectTypeOf<Effect.Services<typeof count>>().toEqualTypeOf<Stock | Scope>()
  })

  it("gives each call a scope of its own", () => {
    const opened = Effect.acquireRelease(Effect.succeed("x"), () => Effect.void)
    const it = tool("it", {}, () => opened)
    expectTypeOf<Effect.Services<typeof it>>().toEqualTypeOf<Scope>()
  })

  it("is given what its schema decodes to", () => {
    const input = Schema.Struct({ n: Schema.FiniteFromString, at: Schema.Date })
    tool("it", { input }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly n: number; readonly at: Date }>()
      return Effect.succeed("x")
    })
    const named = Effect.fn("it")(function* ({ n }: { readonly n: number }, call: Call) {
      yield* call.progress(n)
      return "x"
    })
    tool("it", { input }, named)
    // @ts-expect-error it has no argument n
    tool("it", { input: Schema.Struct({ m: Schema.Finite }) }, named)
  })

  it("succeeds with what its output says", () => {
    const output = Schema.Struct({ sum: Schema.Finite })
    tool("it", { output }, () => Effect.succeed({ sum: 1 }))
    tool("it", { output }, () => Effect.succeed(structured({ sum: 1 }, "one")))
    // @ts-expect-error the sum is a number
    tool("it", { output }, () => Effect.succeed({ sum: "1" }))
    tool("it", {}, () => Effect.succeed({ type: "text", text: "x" }))
    tool("it", {}, () => Effect.succeed({ content: [{ type: "text", text: "x" }], isError: true }))
    tool("it", {}, () => Effect.void)
    tool("it", {}, () =>
      Effect.gen(function* () {
        yield* Effect.void
        return { type: "text" as const, text: "x" }
      })
    )
    // @ts-expect-error a number is no reply
    tool("it", {}, () => Effect.succeed(1))
    // @ts-expect-error it is no Effect
    tool("it", {}, () => "x")
  })

  it("fails with what the client may be told, and nothing else", () => {
    tool("it", {}, () => Effect.fail(failed("no")))
    tool("it", {}, () => Effect.fail(refused(-32602, "no")))
    // @ts-expect-error who may know of it is to be decided
    tool("it", {}, () => Effect.fail(new Empty()))
    // @ts-expect-error the same
    tool("it", {}, () => Effect.fail("no"))
    tool("it", {}, () => Effect.fail(new Empty()).pipe(Effect.mapError(() => failed("empty"))))
  })

  it("asks what it declared, and may catch that there is no answer", () => {
    const guests = form(Schema.Struct({ guests: Schema.Int }))
    tool("it", { asks: { guests } }, (_, call) =>
      Effect.gen(function* () {
        const asking = call.ask("guests", { message: "How many?" })
        expectTypeOf<Effect.Error<typeof asking>>().toEqualTypeOf<AskDeclined | AskFailed>()
        // @ts-expect-error there is no such question
        void call.ask("day", { message: "Which?" })
        // @ts-expect-error a form needs its message
        void call.ask("guests")
        const { guests } = yield* Effect.catchTag(asking, "AskDeclined", () => Effect.succeed({ guests: 1 }))
        expectTypeOf(guests).toEqualTypeOf<number>()
        const clerk = call.once(
          "clerk",
          Effect.map(Clerk, ({ name }) => name)
        )
        expectTypeOf(clerk).toEqualTypeOf<Effect.Effect<string, never, Clerk>>()
        return yield* clerk
      })
    )
  })
})

describe("a server of such items", () => {
  const count = tool("count", {}, () => Effect.map(Stock, () => "1"))
  const sign = prompt("sign", {}, () => Effect.map(Clerk, ({ name }) => name))
  const motd = resource("note://motd", { name: "motd" }, () => Effect.succeed("x"))
  const note = resourceTemplate("note://{id}", { name: "note" }, ({ id }, call) => {
    expectTypeOf(id).toEqualTypeOf<string>()
    return Effect.succeed(call.uri)
  })
  const hello = plainTool("hello", {}, () => "Hello!")
  const server = defineServer(info, [count, sign, motd, note, hello])

  it("needs what they all need, and knows its tools", () => {
    expectTypeOf<Effect.Services<typeof server>>().toEqualTypeOf<Stock | Clerk | Scope>()
    type Tools = Extract<Effect.Success<typeof server>["items"][number], { readonly _tag: "Tool" }>
    expectTypeOf<Tools["name"]>().toEqualTypeOf<"count" | "hello">()
  })

  it("is served by a layer that needs the same, but no scope", () => {
    const served = layer(server, channel)
    expectTypeOf(served).toEqualTypeOf<Layer.Layer<Serving, never, Stock | Clerk>>()
    const failing = layer(server, Effect.fail(new Empty()))
    expectTypeOf(failing).toEqualTypeOf<Layer.Layer<Serving, Empty, Stock | Clerk>>()
  })

  it("is none of those that need nothing", () => {
    // @ts-expect-error it is still to be made
    plain(info, [count])
    // @ts-expect-error what it needs is missing
    void Effect.runPromise(Effect.scoped(server))
  })
})
