/** Tasks, followed by Effects. */
import { link } from "@parley/driver"
import { serve as plain, defineServer as define, tool as plainTool } from "@parley/server"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { hand } from "../hand.js"
import { info, said, run, opened } from "./serving.js"

describe("a task", () => {
  it("is started, followed and fetched", () =>
    run(
      Effect.gen(function* () {
        const [near, far] = link()
        plain(define(info, [plainTool("dig", { task: "optional" }, () => "found it")]), far)
        const client = yield* opened(near)
        const task = yield* client.startTool("dig", {}, { ttl: 60_000 })
        expect(yield* Stream.runCollect(Stream.map(task.updates(), ({ status }) => status))).toEqual([
          "working",
          "completed"
        ])
        expect(yield* task.result()).toMatchObject(said("found it"))
        expect(yield* client.task(task.taskId).status()).toMatchObject({ status: "completed" })
        expect(yield* Effect.flip(task.cancel())).toMatchObject({ _tag: "CallError" })
        expect(yield* client.listTasks()).toHaveLength(1)
      })
    ))

  it("is asked about no longer when nobody follows it any more", () =>
    run(
      Effect.gen(function* () {
        const { channel, until } = hand({ capabilities: { tasks: {} }, answers: { "tasks/get": () => undefined } })
        const client = yield* opened(channel)
        const fiber = yield* Effect.forkChild(Stream.runDrain(client.task("t").updates()))
        const { id } = yield* Effect.promise(() => until(({ method }) => method === "tasks/get"))
        yield* Fiber.interrupt(fiber)
        const { params } = yield* Effect.promise(() => until(({ method }) => method === "notifications/cancelled"))
        expect(params.requestId).toBe(id)
      })
    ))
})
