/** How long calls wait, and how they are withdrawn. */
import { setMaxListeners } from "node:events"
import { describe, expect, it } from "vitest"
import type { Progress } from "../src/index.js"
import { connect } from "../src/index.js"
import { discovered, hand } from "./hand.js"
import { waiting } from "./waiting.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("a request that is not answered", () => {
  it("is given up after 60 s, and the server is told", async () => {
    const { clock, server, ping } = await waiting()
    const { id, reply, settled } = await ping()
    clock.advance(59_999)
    await Promise.resolve()
    expect(settled()).toBeUndefined()
    clock.advance(1)
    expect(await reply).toBe("ping was not answered within 60000 ms")
    expect(await server.until(({ method }) => method === "notifications/cancelled")).toMatchObject({
      params: { requestId: id, reason: "timed out" }
    })
  })

  it("is given up after the client's timeoutMs, or its own", async () => {
    const { clock, ping } = await waiting(500)
    const first = await ping()
    const second = await ping({ timeoutMs: 100 })
    clock.advance(100)
    expect(await second.reply).toBe("ping was not answered within 100 ms")
    expect(first.settled()).toBeUndefined()
    clock.advance(400)
    expect(await first.reply).toBe("ping was not answered within 500 ms")
    clock.advance(1_000)
    expect(clock.pending()).toBe(0)
  })

  it("that is answered late changes nothing", async () => {
    const { clock, server, ping, heard } = await waiting(100)
    const { id, reply } = await ping()
    clock.advance(100)
    await reply
    server.send({ jsonrpc: "2.0", id, result: {} })
    server.send({ jsonrpc: "2.0", id, error: { code: 1, message: "late" } })
    await heard()
    expect(await reply).toBe("ping was not answered within 100 ms")
  })
})

describe("progress", () => {
  it("asks for itself when somebody wants it, and is handed out while it increases", async () => {
    const { server, ping, progress } = await waiting()
    const told: Array<Progress> = []
    const { id, message, reply } = await ping({ onProgress: (progress) => told.push(progress) })
    const token = message.params._meta.progressToken as unknown
    await progress(token, 1, { total: 3, message: "one" })
    await progress(token, 1)
    await progress(token, 0.5)
    await progress("other", 9)
    await progress(token, 2)
    server.send({ jsonrpc: "2.0", id, result: {} })
    await reply
    await progress(token, 3)
    expect(told).toEqual([
      { progress: 1, total: 3, message: "one" },
      { progress: 2, total: undefined, message: undefined }
    ])
  })

  it("is not asked for when nobody needs it", async () => {
    const { ping } = await waiting()
    expect((await ping()).message).not.toHaveProperty("params")
    expect((await ping({ totalMs: 10_000 })).message).not.toHaveProperty("params")
  })

  it("restarts the wait where that is wanted, also when nobody listens to it", async () => {
    const { clock, server, ping, progress } = await waiting(100)
    const { id, message, reply } = await ping({ resetOnProgress: true })
    const token = message.params._meta.progressToken as unknown
    for (let n = 1; n <= 5; n++) {
      clock.advance(90)
      await progress(token, n)
    }
    server.send({ jsonrpc: "2.0", id, result: {} })
    expect(await reply).toBe("answered")
  })

  it("does not restart the wait otherwise, whatever totalMs says", async () => {
    const { clock, ping, progress } = await waiting(100)
    const { message, reply } = await ping({ onProgress: () => {}, totalMs: 10_000 })
    clock.advance(90)
    await progress(message.params._meta.progressToken, 1)
    clock.advance(10)
    expect(await reply).toBe("ping was not answered within 100 ms")
  })

  it("that does not increase does not restart it", async () => {
    const { clock, ping, progress } = await waiting(100)
    const { message, reply } = await ping({ resetOnProgress: true })
    const token = message.params._meta.progressToken as unknown
    await progress(token, 1)
    clock.advance(90)
    await progress(token, 1)
    clock.advance(10)
    expect(await reply).toBe("ping was not answered within 100 ms")
  })

  it.each([
    [{ totalMs: 250 }, 100, 250],
    [{}, 10_000, 600_000]
  ])("restarts it up to a total: %j", async (total, timeoutMs, ms) => {
    const { clock, ping, progress } = await waiting(timeoutMs)
    const { message, reply, settled } = await ping({ resetOnProgress: true, ...total })
    const token = message.params._meta.progressToken as unknown
    for (let passed = 0; settled() === undefined; passed += timeoutMs / 2) {
      expect(passed).toBeLessThanOrEqual(ms)
      clock.advance(timeoutMs / 2)
      await progress(token, passed + 1)
    }
    expect(await reply).toBe(`ping was not answered within ${ms} ms in all`)
    expect(clock.now()).toBe(ms)
  })
})

describe("a signal", () => {
  it("withdraws the request: the server is told, and the call rejects", async () => {
    const { server, ping } = await waiting()
    const controller = new AbortController()
    const { id, reply } = await ping({ signal: controller.signal })
    controller.abort(new Error("enough"))
    expect(await reply).toBe("ping was abandoned: enough")
    expect(await server.until(({ method }) => method === "notifications/cancelled")).toMatchObject({
      params: { requestId: id, reason: "enough" }
    })
  })

  it("that is aborted already sends nothing", async () => {
    const { server, client, heard } = await waiting()
    await expect(client.ping({ signal: AbortSignal.abort("no") })).rejects.toThrow("ping was abandoned: no")
    await heard()
    expect(server.asked("ping")).toEqual([])
  })

  it("that is aborted after the reply does nothing, and is listened to no longer", async () => {
    const { server, ping, heard } = await waiting()
    const controller = new AbortController()
    let listening = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given: Parameters<typeof add>) => (listening++, add(...given))
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (listening--, remove(...given))
    const { id, reply } = await ping({ signal })
    server.send({ jsonrpc: "2.0", id, result: {} })
    await reply
    expect(listening).toBe(0)
    controller.abort()
    await heard()
    expect(server.asked("notifications/cancelled")).toEqual([])
  })

  it.each([
    ["an object without a prototype", Object.create(null)],
    [
      "a proxy",
      new Proxy(new Error("x"), {
        get: () => {
          throw new Error("no")
        }
      })
    ]
  ])("may be aborted for a reason that can not be shown: %s", async (_, reason) => {
    const { client, ping } = await waiting()
    const controller = new AbortController()
    const { reply } = await ping({ signal: controller.signal })
    controller.abort(reason)
    expect(await reply).toBe("ping was abandoned: it can not be shown")
    await expect(client.ping({ signal: controller.signal })).rejects.toThrow("ping was abandoned: it can not be shown")
  })

  it("withdraws a thousand requests at once", async () => {
    const { server, client, heard } = await waiting()
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const calls = Array.from({ length: 1_000 }, () => client.ping({ signal: controller.signal }))
    await heard()
    controller.abort()
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true)
    await heard()
    expect(server.asked("notifications/cancelled")).toHaveLength(1_000)
  })
})

describe("a channel where abandoning is closing an exchange", () => {
  it.each([
    ["2026-07-28", 0],
    ["2025-11-25", 1]
  ] as const)("is told to close it; at %s the server gets %i notifications", async (prefer, notifications) => {
    const server = hand({
      revision: prefer,
      answers: {
        "server/discover": (_, id) => (id === 1 ? discovered({ tools: {} }) : undefined),
        ping: () => undefined
      }
    })
    const aborted: Array<string | number> = []
    const channel = {
      ...server.channel,
      cancels: "exchange" as const,
      abort: (id: string | number) => void aborted.push(id)
    }
    const client = await connect(channel, { clientInfo, prefer })
    const controller = new AbortController()
    const reply = client.ping({ signal: controller.signal })
    const { id } = await server.until(({ method, id }) => id > 1 && (method === "ping" || method === "server/discover"))
    controller.abort("enough")
    await expect(reply).rejects.toThrow("enough")
    expect(aborted).toEqual([id])
    await new Promise(setImmediate)
    expect(server.asked("notifications/cancelled")).toHaveLength(notifications)
  })
})
