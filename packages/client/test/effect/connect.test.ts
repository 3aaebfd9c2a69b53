/** A session lasts as long as its scope, however it comes to its end. */
import { handshakeRevisions } from "@parley/core/revisions"
import { link } from "@parley/driver"
import { serve as plain, defineServer as define, tool as plainTool } from "@parley/server"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { Client, connect, layer } from "../../src/effect/index.js"
import { hand } from "../hand.js"
import { info, clientInfo, said, run, serving, opened } from "./serving.js"

describe("a session", () => {
  it("lasts as long as its scope", async () => {
    const { channel, gone } = hand()
    const closed = await run(
      Effect.gen(function* () {
        const client = yield* opened(channel)
        yield* client.ping()
        return client.closed
      })
    )
    await gone
    expect(await Effect.runPromise(closed)).toEqual({ _tag: "Closed" })
  })

  it("that can not be opened fails, with the channel closed", async () => {
    const { channel, gone } = hand({ answers: { initialize: () => ({ error: { code: 7, message: "no" } }) } })
    const error = await run(Effect.flip(opened(channel)))
    expect(error).toMatchObject({ _tag: "CallError" })
    await gone
  })

  it("that is still being opened is given up when it is interrupted, with the channel closed", async () => {
    const { channel, gone, until } = hand({ answers: { initialize: () => undefined } })
    await run(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(opened(channel))
        yield* Effect.promise(() => until(({ method }) => method !== undefined))
        yield* Fiber.interrupt(fiber)
      })
    )
    await gone
  })

  it("makes no further channel when nobody waits for it any more", async () => {
    const { channel, gone, until } = hand({ answers: { "server/discover": () => undefined } })
    let made = 0
    await run(
      Effect.gen(function* () {
        const make = () => (made++ === 0 ? channel : hand().channel)
        const fiber = yield* Effect.forkChild(connect(make, { clientInfo }))
        yield* Effect.promise(() => until(({ method }) => method === "server/discover"))
        yield* Fiber.interrupt(fiber)
      })
    )
    await gone
    await Promise.resolve()
    expect(made).toBe(1)
  })

  it("is a layer, over a channel that may need making", async () => {
    const [near, far] = link()
    const server = plain(define(info, [plainTool("hello", {}, () => "Hello!")]), far)
    const program = Effect.gen(function* () {
      const client = yield* Client
      return yield* client.callTool("hello")
    })
    const made = Effect.acquireRelease(Effect.succeed(near), () => Effect.void)
    const result = await Effect.runPromise(Effect.provide(program, layer(made, { clientInfo })))
    expect(result).toMatchObject(said("Hello!"))
    expect(await server.closed).toMatchObject({ _tag: "Gone" })
    const over = layer(hand().channel, { clientInfo, revisions: handshakeRevisions })
    expect(
      await Effect.runPromise(
        Effect.provide(
          Effect.flatMap(Client, ({ ping }) => ping()),
          over
        )
      )
    ).toBeUndefined()
    const none = layer(Effect.fail("none" as const), { clientInfo })
    expect(await run(Effect.flip(Layer.build(none)))).toBe("none")
  })

  it("offers everything under the names it has elsewhere", () =>
    run(
      Effect.gen(function* () {
        const client = yield* serving([plainTool("hello", {}, () => "Hello!")])
        const other = ["close", "on"]
        const named = Object.keys(client.plain).filter((name) => !other.includes(name))
        expect(Object.keys(client)).toEqual(expect.arrayContaining(named))
        expect(client.peer.info).toEqual(info)
        expect(client.instructions).toBeUndefined()
        expect(client.asked).toBe(client.peer.revision)
      })
    ))
})
