/** Tools whose handlers are Effects: what they are given, and what they come to. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { refused, tool } from "../../src/effect/index.js"
import { failed, structured, tool as plain } from "../../src/index.js"
import { said, isError, Stock, conversing } from "./conversing.js"

describe("the handler of a tool", () => {
  it("has the services that were there when the tool was made, and those of its own call", async () => {
    const count = tool("count", {}, () => Effect.map(Stock, ({ left }) => `${left} left`))
    const { call } = await conversing([count, plain("hello", {}, () => "Hello!")])
    expect(await call("count")).toEqual(said("3 left"))
    expect(await call("hello")).toEqual(said("Hello!"))
  })

  it("is given what its schema decodes to, and succeeds with what its output encodes", async () => {
    const input = Schema.Struct({ n: Schema.FiniteFromString })
    const output = Schema.Struct({ doubled: Schema.FiniteFromString })
    const double = tool("double", { input, output }, ({ n }) => Effect.succeed({ doubled: n * 2 }))
    const told = tool("told", { input, output }, ({ n }) => Effect.succeed(structured({ doubled: n * 2 }, "doubled")))
    const { call } = await conversing([double, told])
    expect(await call("double", { n: "4" })).toMatchObject({ structuredContent: { doubled: "8" } })
    expect(await call("told", { n: "4" })).toEqual({ ...said("doubled"), structuredContent: { doubled: "8" } })
    expect(await call("double", { n: 4 })).toMatchObject({ isError: true })
  })

  it("has a scope of its own call, closed before the answer goes out", async () => {
    const log: Array<string> = []
    const opened = Effect.acquireRelease(Effect.succeed("open"), () => Effect.sync(() => log.push("closed")))
    const { call } = await conversing([tool("it", {}, () => opened)])
    expect(await call("it")).toEqual(said("open"))
    expect(log).toEqual(["closed"])
  })

  it.each([
    ["fails with failed", Effect.fail(failed("try another")), isError("try another"), 0],
    [
      "fails with refused",
      Effect.fail(refused(7, "no", { gift: 1 })),
      { code: 7, message: "no", data: { gift: 1 } },
      0
    ],
    ["fails with refused and no data", Effect.fail(refused(7, "no")), { code: 7, message: "no" }, 0],
    ["dies", Effect.die(new Error("secret")), isError("The tool it failed."), 1],
    ["fails with what no type allows", Effect.fail("secret") as never, isError("The tool it failed."), 1],
    [
      "is interrupted from within",
      Effect.interrupt,
      isError("The tool it was interrupted before it came to an end."),
      0
    ]
  ] as const)("is answered when it %s", async (_, effect, answer, crashed) => {
    for (const late of [effect, Effect.andThen(Effect.yieldNow, effect)]) {
      const { call, crashes } = await conversing([tool("it", {}, () => late as Effect.Effect<never>)])
      expect(await call("it")).toEqual(answer)
      expect(crashes).toHaveLength(crashed)
    }
  })

  it("is answered like one that throws when it throws before there is an Effect", async () => {
    const error = new Error("secret")
    const it = tool("it", {}, (): Effect.Effect<string> => {
      throw error
    })
    const { call, crashes } = await conversing([it])
    expect(await call("it")).toEqual(isError("The tool it failed."))
    expect(crashes).toEqual([["it", error]])
  })

  it("tells of progress and logs", async () => {
    const it = tool("it", {}, (_, call) =>
      Effect.gen(function* () {
        yield* call.log("info", { at: "start" }, "it")
        yield* call.progress(1, 2, "half")
        return call.wantsProgress ? "told" : "silent"
      })
    )
    const { call, heard } = await conversing([it])
    expect(await call("it", {}, { progressToken: "p" })).toEqual(said("told"))
    expect(heard.filter(({ method }) => method !== undefined)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "info", data: { at: "start" }, logger: "it" }
      },
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "p", progress: 1, total: 2, message: "half" }
      }
    ])
  })

  it("runs a thousand times at once", async () => {
    let running = 0
    let most = 0
    const wait = tool("wait", { input: { type: "object", properties: { n: { type: "integer" } } } as const }, ({ n }) =>
      Effect.gen(function* () {
        most = Math.max(most, ++running)
        yield* Effect.yieldNow
        running--
        return String(n)
      })
    )
    const { call } = await conversing([wait])
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => call("wait", { n })))
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, n) => said(String(n))))
    expect(running).toBe(0)
    expect(most).toBeGreaterThan(100)
  })
})
