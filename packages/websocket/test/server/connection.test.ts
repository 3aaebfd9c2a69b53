/** A connection of which nothing is under way keeps its state alone, and goes on as if it had kept all. */
import type { Session } from "@parley/server"
import { defineServer, live, tool } from "@parley/server"
import { host } from "@parley/server/host"
import { afterEach, expect, it } from "vitest"
import { listen } from "../../src/node/listen.js"
import type { Listening } from "../../src/node/listen.js"
import { opened, text } from "../raw.js"
import { pulsing } from "../ways.js"

let release: () => void
const hold = tool("hold", {}, () => new Promise<string>((resolve) => (release = () => resolve("held"))))
const level = tool("say", {}, (_, call) => {
  call.log("info", "quietly")
  call.log("error", "loudly")
  return "said"
})
const subject = () =>
  live(
    defineServer({ name: "resting", version: "1.0.0" }, [hold, level], {
      declare: { tools: { listChanged: true }, logging: true }
    })
  )

let listening: Listening | undefined
afterEach(async () => {
  await listening?.close()
  listening = undefined
})

/** `sessions`: how many were begun or gone on with. */
async function staged(report?: (session: Session) => void) {
  const one = subject()
  const { clock, pulse } = pulsing()
  const reporting = report && { report: (_: unknown, session: Session) => report(session) }
  const hosting = host(one, { ...reporting })
  let sessions = 0
  const serve: typeof hosting.serve = (...given) => {
    sessions++
    return hosting.serve(...given)
  }
  listening = await listen({ ...hosting, serve }, { clock, closeMs: 1, ...reporting })
  const raw = await opened(listening.url)
  const ask = async (message: object): Promise<unknown> => {
    raw.write(text({ jsonrpc: "2.0", ...message }))
    return JSON.parse(await raw.next())
  }
  return { one, raw, ask, pulse, sessions: () => sessions }
}

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "demo", version: "1.0.0" } }
}
const initialized = text({ jsonrpc: "2.0", method: "notifications/initialized" })
const calling = (id: number, name: string) => ({ id, method: "tools/call", params: { name } })

it("goes on with what was agreed, and what was asked for", async () => {
  const { raw, ask, pulse, sessions } = await staged()
  await ask(initialize)
  pulse()
  raw.write(initialized)
  await ask({ id: 2, method: "logging/setLevel", params: { level: "error" } })
  pulse()
  expect(await ask(calling(3, "say"))).toMatchObject({ method: "notifications/message", params: { data: "loudly" } })
  expect(JSON.parse(await raw.next())).toMatchObject({ id: 3, result: { content: [{ text: "said" }] } })
  expect(sessions()).toBe(3)
  pulse()
  pulse()
  expect(await ask({ id: 4, method: "ping" })).toEqual({ jsonrpc: "2.0", id: 4, result: {} })
  expect(sessions()).toBe(4)
})

it("does not rest while something is under way", async () => {
  const { raw, ask, pulse, sessions } = await staged()
  await ask(initialize)
  raw.write(initialized)
  raw.write(text({ jsonrpc: "2.0", ...calling(2, "hold") }))
  await ask({ id: 3, method: "ping" })
  pulse()
  release()
  expect(JSON.parse(await raw.next())).toMatchObject({ id: 2, result: { content: [{ text: "held" }] } })
  expect(sessions()).toBe(1)
})

it.each([true, false])("hears of a change once (resting: %s)", async (rests) => {
  const { one, raw, ask, pulse } = await staged()
  await ask(initialize)
  raw.write(initialized)
  await ask({ id: 2, method: "ping" })
  if (rests) pulse()
  await one.set([level])
  expect(JSON.parse(await raw.next())).toMatchObject({ method: "notifications/tools/list_changed" })
  expect(await ask(calling(3, "hold"))).toMatchObject({ id: 3, error: { code: -32602 } })
  await one.set([hold, level])
  expect(JSON.parse(await raw.next())).toMatchObject({ method: "notifications/tools/list_changed" })
  expect(await ask({ id: 4, method: "ping" })).toMatchObject({ id: 4 })
})

it("is one conversation in reports", async () => {
  const heard: Array<Session> = []
  const { raw, ask, pulse, sessions } = await staged((session) => heard.push(session))
  await ask(initialize)
  pulse()
  raw.write(initialized)
  await ask({ id: 2, method: "nothing" })
  pulse()
  await ask(calling(3, "nothing"))
  expect(sessions()).toBe(3)
  expect(new Set(heard.map(({ number }) => number)).size).toBe(1)
  expect(heard.map(({ peer }) => peer?.info)).toEqual([1, 2, 3].map(() => initialize.params.clientInfo))
})

it("ends the streams that were asked for when the server stops", async () => {
  const { raw, ask, pulse } = await staged()
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  const params = { notifications: { toolsListChanged: true }, _meta }
  const acknowledged = await ask({ id: 1, method: "subscriptions/listen", params })
  expect(acknowledged).toMatchObject({ method: "notifications/subscriptions/acknowledged" })
  pulse()
  void listening!.close()
  expect(JSON.parse(await raw.next())).toMatchObject({ id: 1, result: {} })
  expect(await raw.closed).toBe(1001)
})

it("that is left while it rests is forgotten", async () => {
  const { raw, ask, pulse, one, sessions } = await staged()
  await ask(initialize)
  pulse()
  raw.socket.destroy()
  await expect.poll(() => listening!.count()).toBe(0)
  await one.set([level])
  expect(sessions()).toBe(1)
})
