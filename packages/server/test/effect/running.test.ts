/** The fibers of handlers: who interrupts them, and who waits for them. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { tool } from "../../src/effect/index.js"
import type { Talk } from "../talk.js"
import { said, isError, conversing } from "./conversing.js"

/** A tool that says when it runs, waits for ever, and says when it was interrupted; its finaliser takes a moment. */
function waits() {
  const log: Array<string> = []
  let interrupted!: () => void
  const end = new Promise<void>((resolve) => (interrupted = resolve))
  const ended = Effect.yieldNow.pipe(
    Effect.andThen(
      Effect.sync(() => {
        log.push("interrupted")
        interrupted()
      })
    )
  )
  const wait = tool("wait", {}, (_, call) =>
    Effect.andThen(
      call.progress(1),
      Effect.onInterrupt(Effect.never, () => ended)
    )
  )
  return { wait, log, end }
}

async function begun({ send, until }: Talk): Promise<void> {
  send({ jsonrpc: "2.0", id: "w", method: "tools/call", params: { name: "wait", _meta: { progressToken: "w" } } })
  await until(({ method }) => method === "notifications/progress")
}

describe("the fiber of a handler", () => {
  it("is interrupted when the client withdraws the request, which is not answered", async () => {
    const { wait, end } = waits()
    const talk = await conversing([wait])
    await begun(talk)
    talk.tell("notifications/cancelled", { requestId: "w" })
    await end
    await talk.ask("ping")
    expect(talk.heard.some(({ id }) => id === "w")).toBe(false)
    expect(talk.crashes).toEqual([])
  })

  it("is interrupted when the client goes", async () => {
    const { wait, end } = waits()
    const talk = await conversing([wait])
    await begun(talk)
    await talk.leave()
    await end
  })

  it("is interrupted when the scope closes in which the tool was made, which waits for its finalisers", async () => {
    const { wait, log } = waits()
    const talk = await conversing([wait])
    await begun(talk)
    await talk.close()
    expect(log).toEqual(["interrupted"])
    const { result } = await talk.until(({ id }) => id === "w")
    expect(result).toEqual(isError("The tool wait was interrupted before it came to an end."))
    expect(await talk.call("wait")).toEqual(result)
  })

  it("may be forked from, and joined", async () => {
    const forks = tool("forks", {}, () => Effect.flatMap(Effect.forkChild(Effect.succeed("child")), Fiber.join))
    const { call } = await conversing([forks])
    expect(await call("forks")).toEqual(said("child"))
  })
})
