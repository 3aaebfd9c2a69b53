/** What a user's listeners throw ends nothing, whatever it is, and is told on the console. */
import { format } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { connect } from "../src/index.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

const no = (): never => {
  throw new Error("no")
}
const thrown: ReadonlyArray<readonly [string, unknown]> = [
  ["an error", new Error("a bug in the client")],
  ["something that throws when it is shown", { [Symbol.for("nodejs.util.inspect.custom")]: no }],
  ["an error whose stack throws", Object.defineProperty(new Error("x"), "stack", { get: no })],
  ["a proxy", new Proxy(new Error("x"), { get: no, getPrototypeOf: no })]
]

describe.each(thrown)("a listener that throws %s", (_, odd) => {
  /** Only the words: looking at the rest could throw. */
  const told: Array<unknown> = []
  beforeEach(() => {
    told.length = 0
    vi.spyOn(console, "error").mockImplementation((...words: ReadonlyArray<unknown>) => {
      told.push(words[0])
      format(...words)
    })
  })
  afterEach(() => void vi.restoreAllMocks())

  it.each(["onNotification", "report"] as const)("does not end the session: %s", async (name) => {
    const server = hand({ capabilities: { tools: { listChanged: true } } })
    const client = await connect(server.channel, {
      clientInfo,
      [name]: () => {
        throw odd
      }
    })
    server.tell("notifications/tools/list_changed")
    server.tell("notifications/unheard_of")
    await client.ping()
    expect(await client.listTools()).toEqual([tool("it")])
    expect(told).toContain("A listener failed:")
  })

  it("does not keep a call from its reply: onProgress", async () => {
    const server = hand()
    server.answers["tools/call"] = (params: { _meta: { progressToken: number } }) => {
      server.tell("notifications/progress", { progressToken: params._meta.progressToken, progress: 1 })
      return { content: [] }
    }
    const client = await connect(server.channel, { clientInfo })
    const onProgress = () => {
      throw odd
    }
    expect(await client.callTool("it", {}, { onProgress })).toEqual({ content: [] })
    expect(told).toContain("A listener failed:")
  })
})
