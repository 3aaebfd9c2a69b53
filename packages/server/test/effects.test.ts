/** Handlers that return Effects are run, and interrupted. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { defineServer, failed, tool } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "effects", version: "1.0.0" }
const isError = (said: string) => ({ content: [{ type: "text", text: said }], isError: true })

describe("a handler that returns an Effect", () => {
  it("is answered with its value, however long it takes and whatever fibers it forks", async () => {
    const it = tool("it", {}, () =>
      Effect.gen(function* () {
        yield* Effect.yieldNow
        const fiber = yield* Effect.forkChild(Effect.succeed("from a fiber"))
        return yield* Fiber.join(fiber)
      })
    )
    const { call } = await talking(defineServer(info, [it]))
    expect(await call("it")).toEqual({ content: [{ type: "text", text: "from a fiber" }] })
  })

  it.each([
    ["fails with failed", Effect.fail(failed("try another")), "try another", 0],
    ["dies of failed", Effect.die(failed("try another")), "try another", 0],
    ["fails with an Error", Effect.fail(new Error("secret")), "The tool it failed.", 1],
    ["fails with a string", Effect.fail("secret"), "The tool it failed.", 1],
    ["dies", Effect.die("secret"), "The tool it failed.", 1],
    ["interrupts itself", Effect.interrupt, "The tool it failed.", 1]
  ] as const)("is an isError result when it %s", async (_, effect, said, crashed) => {
    const { call, crashes } = await talking(defineServer(info, [tool("it", {}, () => effect)]))
    expect(await call("it")).toEqual(isError(said))
    expect(crashes).toHaveLength(crashed)
  })

  it("hands what it failed with to whoever is told of crashes", async () => {
    const error = new Error("secret")
    const { call, crashes } = await talking(defineServer(info, [tool("it", {}, () => Effect.fail(error))]))
    await call("it")
    expect(crashes).toEqual([["it", error]])
  })

  it("is interrupted, finalisers and all, when the client withdraws the request", async () => {
    let interrupted!: () => void
    const end = new Promise<void>((resolve) => (interrupted = resolve))
    const it = tool("it", {}, (_, call) => {
      const begun = Effect.sync(() => call.progress(1))
      return Effect.andThen(
        begun,
        Effect.onInterrupt(Effect.never, () => Effect.sync(interrupted))
      )
    })
    const { send, tell, until, ask, heard, crashes } = await talking(defineServer(info, [it]))
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "it", _meta: { progressToken: 7 } } })
    await until(({ method }) => method === "notifications/progress")
    tell("notifications/cancelled", { requestId: 7 })
    await end
    await ask("ping")
    expect(heard.some(({ id }) => id === 7)).toBe(false)
    expect(crashes).toEqual([])
  })

  it("is interrupted when the client goes", async () => {
    let interrupted!: () => void
    const end = new Promise<void>((resolve) => (interrupted = resolve))
    const it = tool("it", {}, (_, call) => {
      const begun = Effect.sync(() => call.progress(1))
      return Effect.andThen(
        begun,
        Effect.onInterrupt(Effect.never, () => Effect.sync(interrupted))
      )
    })
    const { send, until, leave, serving } = await talking(defineServer(info, [it]))
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "it", _meta: { progressToken: 7 } } })
    await until(({ method }) => method === "notifications/progress")
    await leave()
    await end
    await serving.closed
  })

  it("never begins when it was withdrawn while effect was loading", async () => {
    let ran = false
    const it = tool("it", {}, () => Effect.sync(() => void (ran = true)))
    const { send, tell, ask, heard } = await talking(defineServer(info, [it]))
    send({ jsonrpc: "2.0", id: "s", method: "tools/call", params: { name: "it" } })
    tell("notifications/cancelled", { requestId: "s" })
    for (let i = 0; i < 10; i++) await ask("ping")
    expect(ran).toBe(false)
    expect(heard.some(({ id }) => id === "s")).toBe(false)
  })
})
