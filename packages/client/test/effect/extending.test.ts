/** An extension for Effects: what it brings is called, awaited and listened to as everything else. */
import { link } from "@parley/driver"
import { defineServer, serve, tool as plainTool } from "@parley/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { expect, it, vi } from "vitest"
import { diggers, parleyTest } from "../../../testing/test/parley-test.js"
import { connect } from "../../src/effect/index.js"
import type { CallError } from "../../src/effect/index.js"
import { clientInfo, run } from "./serving.js"

const extensions = [parleyTest] as const

const digging = Effect.gen(function* () {
  const [near, far] = link()
  const { server, find } = diggers()
  serve(server, far)
  return { client: yield* connect(near, { clientInfo, extensions }), find }
})

it("makes a job of long work, which is asked for and told of to who named it", async () => {
  const program = Effect.gen(function* () {
    const { client, find } = yield* digging
    const began = yield* client.callTool("dig")
    if (began.resultType !== "job") throw new Error("no job")
    const { jobId } = began
    const told = yield* Effect.forkChild(Stream.runHead(client.notifications("notifications/jobs/changed", [jobId])), {
      startImmediately: true
    })
    const idle = yield* Effect.forkChild(Stream.runHead(client.notifications("notifications/jobs/idle")), {
      startImmediately: true
    })
    const progress = vi.fn<() => void>(() => find())
    const waited = yield* client.request("jobs/wait", { jobId }, { onProgress: progress })
    expect(progress).toHaveBeenCalledOnce()
    return { waited, told: yield* Fiber.join(told), idle: yield* Fiber.join(idle) }
  })
  const completed = { jobId: "job-1", status: "completed" }
  expect(await run(program)).toMatchObject({ waited: completed, told: { value: completed }, idle: { _tag: "Some" } })
})

it("needs names where its filter is a list, and takes none elsewhere, or it is a defect", async () => {
  const program = Effect.gen(function* () {
    const { client } = yield* digging
    return [
      yield* Effect.exit(Stream.runDrain(client.notifications("notifications/jobs/changed"))),
      yield* Effect.exit(Stream.runDrain(client.notifications("notifications/jobs/idle", ["a"])))
    ].map((exit) => Exit.isFailure(exit) && String(exit.cause))
  })
  const [unnamed, named] = await run(program)
  expect(unnamed).toContain("on(method, listener, [jobId, ...])")
  expect(named).toContain("nothing to name")
})

it("fails to listen to what the server did not declare, or its revision has not, as it fails to ask for it", async () => {
  const reasons = async (prefer: "2025-11-25" | "2026-07-28") => {
    const program = Effect.gen(function* () {
      const [near, far] = link()
      serve(defineServer({ name: "plain", version: "1.0.0" }, [plainTool("hello", {}, () => "")]), far)
      const client = yield* connect(near, { clientInfo, extensions, prefer })
      const listens = [
        client.notifications("notifications/tools/list_changed"),
        client.notifications("notifications/jobs/changed", ["a"]),
        client.notifications("notifications/jobs/idle"),
        client.notifications("notifications/tasks/status")
      ]
      const asks = [client.request("resources/list"), client.request("jobs/get", { jobId: "a" })]
      const failed = [...listens.map((one) => Stream.runDrain(one)), ...asks]
      return yield* Effect.all(failed.map((one) => Effect.map(Effect.flip<unknown, CallError, never>(one), told)))
    })
    return run(program)
  }
  const told = ({ _tag, reason }: CallError) => [_tag, reason._tag, "needs" in reason ? reason.needs : undefined]
  const undeclared = (needs: string) => ["CallError", "MethodUndeclared", needs]
  const unknown = (what: string) => ["CallError", `${what}Unknown`, undefined]
  const job = undeclared(`extensions.${parleyTest.id}`)
  expect(await reasons("2026-07-28")).toEqual([
    undeclared("tools.listChanged"),
    job,
    job,
    unknown("Notification"),
    undeclared("resources"),
    job
  ])
  expect(await reasons("2025-11-25")).toEqual([
    undeclared("tools.listChanged"),
    unknown("Notification"),
    unknown("Notification"),
    undeclared("tasks"),
    undeclared("resources"),
    unknown("Method")
  ])
})

it("that can not be one is a defect, with nothing sent", async () => {
  const [near, far] = link()
  const opened = vi.fn<() => void>()
  far.open({ frame: opened, closed: () => undefined })
  const exit = await run(Effect.exit(connect(near, { clientInfo, extensions: [{ id: "odd" }] })))
  expect(Exit.isFailure(exit) && String(exit.cause)).toContain("The extension odd needs an identifier")
  expect(opened).not.toHaveBeenCalled()
})
