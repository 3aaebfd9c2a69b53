/** Functions among the options that fail, at once or later, end nothing. */
import { createServer } from "node:http"
import { defineServer, tool } from "@parley/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { nodeHandler } from "../../src/node/index.js"
import { stage } from "../node/sockets.js"
import { fetchHandler } from "../../src/server/index.js"
import { reporter } from "../../src/server/reporter.js"
import { body, modern, turns } from "./asking.js"

const server = defineServer({ name: "failing", version: "1.0.0" }, [
  tool("context", {}, async (_, call) => String(await call.context))
])

const boom = (): never => {
  throw new Error("boom")
}
const rejects = (): never => Promise.reject(new Error("boom")) as never
/** No promise of the platform's, but of some library. */
const strange = (): never => {
  const no = (_: unknown, rejected: (error: Error) => void): void => rejected(new Error("boom"))
  // oxlint-disable-next-line unicorn/no-thenable -- what users' functions may return is what is tested
  return { then: no } as never
}

/** Rejections that nobody heeded: each of them ends a process. */
const unhandled: Array<unknown> = []
const note = (error: unknown): void => void unhandled.push(error)
let told: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  unhandled.length = 0
  process.on("unhandledRejection", note)
  told = vi.spyOn(console, "error").mockReturnValue()
})
afterEach(() => {
  process.off("unhandledRejection", note)
  vi.restoreAllMocks()
})

interface Functions {
  readonly context?: () => unknown
  readonly from?: () => string | undefined
  readonly crashed?: () => void
  readonly authenticate?: () => never
}

const json = body("tools/call", { name: "context", arguments: {} })

/** What is answered, by each adapter. */
const adapters = {
  async fetchHandler(options: Functions, headers: object) {
    const mcp = fetchHandler(server, options)
    const init = { method: "POST", headers: modern(json, { ...headers }), body: JSON.stringify(json) }
    const { status } = await mcp(new Request("http://localhost/mcp", init))
    await turns()
    await mcp.close()
    return status
  },
  async nodeHandler(options: Functions, headers: object) {
    const mcp = nodeHandler(server, options)
    const { raw, stop } = await stage(mcp, createServer())
    const one = raw()
    const text = JSON.stringify(json)
    const all = { ...modern(json, { ...headers }), "content-length": String(text.length) }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    one.write(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${text}`)
    const came = await one.until(/\}$/)
    await turns()
    await mcp.close()
    await stop()
    return Number(came.slice(9, 12))
  }
}

describe.each(["fetchHandler", "nodeHandler"] as const)("%s", (name) => {
  const refused = { host: "evil.example.com" }
  it.each<readonly [string, Functions, headers: object, status: number]>([
    ["a context that rejects is the handler's affair", { context: rejects, crashed: () => undefined }, {}, 200],
    ["nobody's where the request is refused", { context: rejects }, refused, 403],
    ["so is one that only behaves like a promise", { context: strange }, refused, 403],
    ["a context that throws is answered", { context: boom, crashed: () => undefined }, {}, 500],
    ["so is a promise from `from`", { from: rejects, crashed: () => undefined }, {}, 500],
    ["also one that settles", { from: (async () => "me") as never, crashed: () => undefined }, {}, 500],
    ["a `crashed` that rejects is told on the console", { context: boom, crashed: rejects }, {}, 500],
    ["so is one that throws", { context: boom, crashed: boom }, {}, 500],
    ["an authenticate that rejects is answered", { authenticate: rejects, crashed: rejects }, {}, 500]
  ])("%s", async (_, options, headers, status) => {
    expect(await adapters[name](options, headers)).toBe(status)
    expect(unhandled).toEqual([])
  })
})

it("tells the console what the teller itself comes to", async () => {
  for (const crashed of [boom, rejects, strange]) reporter(crashed)("a test", new Error("first"))
  await turns()
  expect(told.mock.calls).toEqual(Array.from({ length: 3 }, () => [new Error("boom")]))
  reporter(undefined)("a test", new Error("first"))
  expect(told).toHaveBeenLastCalledWith("The handler of a test failed:", new Error("first"))
})
