/** On some platforms a timer ends with the request that made it: what belongs to one request does not go by another's. */
import type { Clock } from "@parley/driver"
import { defineServer, tool } from "@parley/server"
import { afterEach, expect, it, vi } from "vitest"
import type { FetchHandler } from "../../src/server/fetch.js"
import { fetchHandler } from "../../src/server/fetch.js"
import { simulated } from "../../../driver/test/simulated.js"
import { headers as usual, modern, turns } from "./asking.js"
import { call, initialize } from "./serving.js"
import { sharedStores } from "./shared-stores.js"

/** Handlers that run, by what they were called with. */
const running = new Map<string, () => void>()
const server = defineServer({ name: "timed", version: "1.0.0" }, [
  tool("wait", { input: { type: "object", properties: { who: { type: "string" } }, required: ["who"] } }, ({ who }) => {
    return new Promise<string>((resolve) => running.set(who, () => resolve(`${who} is done`)))
  })
])

/** A clock whose alarms go with the request by which they were set. */
function mortal() {
  const clock = simulated()
  const gone = new Set<string>()
  let by = ""
  const given: Clock = {
    now: clock.now,
    after: (ms, callback) => {
      const owner = by
      return clock.after(ms, () => {
        if (gone.has(owner)) return
        by = owner
        callback()
      })
    }
  }
  return {
    given,
    advance: clock.advance,
    begins: (who: string) => void (by = who),
    ends: (who: string) => gone.add(who)
  }
}

const open: Array<FetchHandler> = []
afterEach(() => Promise.all(open.splice(0).map(({ close }) => close())))

const requestOf = (message: object, headers: Readonly<Record<string, string>>): Request =>
  new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(message) })

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

async function stateless() {
  return (who: string): Request => {
    const message = call(who, "wait", { who }, { _meta: meta })
    return requestOf(message, modern(message))
  }
}

async function inSession(mcp: FetchHandler) {
  const opened = await mcp(requestOf(initialize(), usual))
  const session = { ...usual, "mcp-session-id": opened.headers.get("mcp-session-id")! }
  await mcp(requestOf({ jsonrpc: "2.0", method: "notifications/initialized" }, session))
  return (who: string): Request => requestOf(call(who, "wait", { who }), session)
}

it.each([
  ["a request of 2026-07-28", stateless],
  ["a request in a session", inSession]
])("%s becomes a stream in time, and says that it is alive, when those before it have gone", async (_, make) => {
  const { given, advance, begins, ends } = mortal()
  const mcp = fetchHandler(server, { clock: given, streamAfterMs: 2_000, keepAliveMs: 15_000 })
  open.push(mcp)
  begins("opening")
  const request = await make(mcp)
  ends("opening")
  const ask = async (who: string): Promise<{ readonly answer: Promise<Response> }> => {
    begins(who)
    const answer = mcp(request(who))
    await turns()
    return { answer }
  }
  const first = await ask("first")
  const second = await ask("second")
  advance(1_000)
  running.get("first")!()
  expect((await first.answer).headers.get("content-type")).toBe("application/json")
  ends("first")
  advance(2_000)
  await turns()
  const answer = await second.answer
  expect(answer.headers.get("content-type")).toBe("text/event-stream")
  const text = answer.text()
  await turns()
  for (let n = 0; n < 4; n++) {
    advance(15_000)
    await turns()
  }
  running.get("second")!()
  expect((await text).split(":\n\n").length).toBeGreaterThan(3)
  expect(await text).toContain("second is done")
})

it("events of a session that was ended are forgotten, though the request that ended it has gone", async () => {
  const { given, advance, begins, ends } = mortal()
  const forget = vi.fn<(session: string) => void>()
  const { sessions, events } = sharedStores()
  const mcp = fetchHandler(server, { clock: given, sessions, events: { ...events, forget } })
  open.push(mcp)
  const session = async (): Promise<string> => {
    const opened = await mcp(requestOf(initialize(), usual))
    return opened.headers.get("mcp-session-id")!
  }
  begins("opening")
  const ended = await session()
  const other = await session()
  ends("opening")
  begins("ending")
  const headers = { ...usual, "mcp-session-id": ended }
  await mcp(new Request("http://localhost/mcp", { method: "DELETE", headers }))
  ends("ending")
  advance(2_000)
  expect(forget).not.toHaveBeenCalled()
  begins("another")
  await mcp(requestOf({ jsonrpc: "2.0", method: "notifications/initialized" }, { ...usual, "mcp-session-id": other }))
  expect(forget.mock.calls).toEqual([[ended]])
})
