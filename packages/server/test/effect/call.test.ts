/** What is asked, and done once, from within an Effect. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { tool } from "../../src/effect/index.js"
import { said, isError, Stock, conversing, guests, elicits, accepts } from "./conversing.js"

describe("a question", () => {
  it("interrupts the run, whose finalisers run, and is answered in the next one", async () => {
    const log: Array<string> = []
    const book = tool("book", { asks: { guests } }, (_, call) =>
      Effect.gen(function* () {
        log.push("run")
        const answer = yield* call.ask("guests", { message: "How many?" })
        return `for ${answer.guests}`
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => log.push("interrupted"))))
    )
    const { ask, answer, crashes } = await conversing([book], elicits)
    const reply = ask("tools/call", { name: "book" })
    await answer("elicitation/create", accepts(4))
    expect((await reply).result).toEqual(said("for 4"))
    expect(log).toEqual(["run", "interrupted", "run"])
    expect(crashes).toEqual([])
  })

  it("that is declined can be caught by its tag, and is told when it is not", async () => {
    const asks = { guests }
    const caught = tool("caught", { asks }, (_, call) =>
      call.ask("guests", { message: "How many?" }).pipe(
        Effect.map(() => "answered"),
        Effect.catchTag("AskDeclined", ({ action }) => Effect.succeed(`caught ${action}`))
      )
    )
    const uncaught = tool("uncaught", { asks }, (_, call) =>
      Effect.as(call.ask("guests", { message: "How many?" }), "x")
    )
    const { ask, answer } = await conversing([caught, uncaught], elicits)
    for (const [name, result] of [
      ["caught", said("caught cancel")],
      ["uncaught", isError("The user did not answer: guests")]
    ] as const) {
      const reply = ask("tools/call", { name })
      await answer("elicitation/create", { action: "cancel" })
      expect((await reply).result).toEqual(result)
    }
  })

  it("that can not be put fails with AskFailed", async () => {
    const it = tool("it", { asks: { guests } }, (_, call) =>
      Effect.catchTag(call.ask("guests", { message: "?" }), "AskFailed", ({ answer }) =>
        Effect.succeed({ guests: call.can("guests") ? 1 : answer._tag === "Unaskable" ? 2 : 3 })
      ).pipe(Effect.map(({ guests }) => String(guests)))
    )
    const { call } = await conversing([it])
    expect(await call("it")).toEqual(said("2"))
  })

  it("may be asked with others at once", async () => {
    const it = tool("it", { asks: { one: guests, two: guests } }, (_, call) =>
      Effect.map(
        call.askAll({ one: { message: "1?" }, two: { message: "2?" } }),
        ({ one, two }) => `${one.guests} ${two.guests}`
      )
    )
    const { ask, answer } = await conversing([it], elicits)
    const reply = ask("tools/call", { name: "it" })
    await answer("elicitation/create", accepts(1))
    await answer("elicitation/create", accepts(2))
    expect((await reply).result).toEqual(said("1 2"))
  })

  it("may be asked by fibers side by side", async () => {
    const it = tool("it", { asks: { one: guests, two: guests } }, (_, call) =>
      Effect.map(
        Effect.all([call.ask("one", { message: "1?" }), call.ask("two", { message: "2?" })], { concurrency: 2 }),
        ([one, two]) => `${one.guests} ${two.guests}`
      )
    )
    const { ask, answer } = await conversing([it], elicits)
    const reply = ask("tools/call", { name: "it" })
    await answer("elicitation/create", accepts(1))
    await answer("elicitation/create", accepts(2))
    expect((await reply).result).toEqual(said("1 2"))
  })
})

describe("what is done once", () => {
  it("has the services of the place where it stands", async () => {
    const it = tool("it", { asks: { guests } }, (_, call) =>
      Effect.provideService(
        call.once(
          "count",
          Effect.map(Stock, ({ left }) => String(left))
        ),
        Stock,
        { left: 9 }
      )
    )
    const { call } = await conversing([it], elicits)
    expect(await call("it")).toEqual(said("9"))
  })

  it("is done once, with the services at hand, however often the handler runs", async () => {
    let done = 0
    const it = tool("it", { asks: { guests } }, (_, call) =>
      Effect.gen(function* () {
        const held = yield* call.once(
          "hold",
          Effect.map(Stock, ({ left }) => ({ left, done: ++done }))
        )
        const { guests } = yield* call.ask("guests", { message: "How many?" })
        return `${held.left - guests} ${held.done}`
      })
    )
    const { ask, answer } = await conversing([it], elicits)
    const reply = ask("tools/call", { name: "it" })
    await answer("elicitation/create", accepts(1))
    expect((await reply).result).toEqual(said("2 1"))
  })

  it("fails with its own error, and is then done again", async () => {
    class Full extends Schema.TaggedError<Full>()("Full", {}) {}
    let tried = 0
    const hold = Effect.suspend(() => (++tried === 1 ? Effect.fail(new Full()) : Effect.succeed("held")))
    const it = tool("it", { asks: { guests } }, (_, call) =>
      call.once("hold", hold).pipe(
        Effect.catchTag("Full", () => call.once("hold", hold)),
        Effect.orDie
      )
    )
    const { call } = await conversing([it], elicits)
    expect(await call("it")).toEqual(said("held"))
    expect(tried).toBe(2)
  })

  it("dies of its own defect", async () => {
    const error = new Error("secret")
    const it = tool("it", {}, (_, call) => call.once("hold", Effect.as(Effect.die(error), "x")))
    const { call, crashes } = await conversing([it])
    expect(await call("it")).toEqual(isError("The tool it failed."))
    expect(crashes).toEqual([["it", error]])
  })

  it("may not ask", async () => {
    const it = tool("it", { asks: { guests } }, (_, call) =>
      Effect.as(
        call.once("hold", Effect.andThen(Effect.yieldNow, call.ask("guests", { message: "?" })).pipe(Effect.orDie)),
        "x"
      )
    )
    const { call, crashes } = await conversing([it], elicits)
    expect(await call("it")).toEqual(isError("The tool it failed."))
    expect(crashes).toHaveLength(1)
    expect(String(crashes[0]![1])).toContain("may not ask")
  })

  it("is waited for by a question that is asked beside it", async () => {
    const log: Array<string> = []
    const hold = Effect.gen(function* () {
      log.push("begun")
      for (let i = 0; i < 50; i++) yield* Effect.yieldNow
      log.push("done")
      return "held"
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => log.push("interrupted"))))
    const it = tool("it", { asks: { guests } }, (_, call) =>
      Effect.gen(function* () {
        const [held, { guests }] = yield* Effect.all(
          [call.once("hold", hold), call.ask("guests", { message: "How many?" })],
          { concurrency: 2 }
        )
        return `${held} for ${guests}`
      })
    )
    const { ask, answer } = await conversing([it], elicits)
    const reply = ask("tools/call", { name: "it" })
    await answer("elicitation/create", accepts(2))
    expect((await reply).result).toEqual(said("held for 2"))
    expect(log).toEqual(["begun", "done"])
  })
})
