/** What a user's listeners throw ends nothing, whatever it is, and is told on the console. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { format } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { connect } from "../src/index.js"
import { form, page } from "./asked.js"
import { hand, tool } from "./hand.js"
import { tasked, working } from "./tasked.js"

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
      revisions,
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
    const client = await connect(server.channel, { clientInfo, revisions })
    const onProgress = () => {
      throw odd
    }
    expect(await client.callTool("it", {}, { onProgress })).toEqual({ content: [] })
    expect(told).toContain("A listener failed:")
  })

  it("does not keep a task from its end: onProgress", async () => {
    const { client, server } = await tasked()
    const onProgress = () => {
      throw odd
    }
    const task = await client.startTool("may", {}, { onProgress })
    const { progressToken } = server.asked("tools/call")[0].params._meta
    server.tell("notifications/progress", { progressToken, progress: 1 })
    expect(await task.status()).toEqual(working)
    expect(told).toContain("A listener failed:")
  })

  it("does not end the session: on", async () => {
    const server = hand({ capabilities: { tools: { listChanged: true } } })
    const throws = () => {
      throw odd
    }
    const on = { "notifications/tools/list_changed": throws }
    const client = await connect(server.channel, { clientInfo, revisions, on })
    client.on("notifications/tools/list_changed", throws)
    server.tell("notifications/tools/list_changed")
    await client.ping()
    expect(told.filter((words) => words === "A listener failed:")).toHaveLength(2)
  })

  it("does not end the session: report, of what was left out of a list", async () => {
    const server = hand({ answers: { "tools/list": () => ({ tools: [tool("it"), {}] }) } })
    const report = () => {
      throw odd
    }
    const client = await connect(server.channel, { clientInfo, revisions, report })
    expect(await client.listTools()).toEqual([tool("it")])
    expect(told).toContain("A listener failed:")
  })

  it("does not end the session when it throws later: onNotification", async () => {
    const server = hand({ capabilities: { tools: { listChanged: true } } })
    const onNotification = async () => {
      await Promise.resolve()
      throw odd
    }
    // oxlint-disable-next-line typescript/no-misused-promises -- a listener may be asynchronous all the same
    const client = await connect(server.channel, { clientInfo, revisions, onNotification })
    server.tell("notifications/tools/list_changed")
    await client.ping()
    expect(told).toContain("A listener failed:")
  })

  it.each([
    ["elicitation/create", form({})],
    ["elicitation/create", page],
    ["sampling/createMessage", { messages: [], maxTokens: 1 }],
    ["roots/list", {}]
  ])("leaves the server with an error, and nothing worse: %s", async (method, params) => {
    const server = hand()
    const throws = () => {
      throw odd
    }
    const answer = { elicit: { form: throws, url: throws }, sample: throws, roots: throws }
    const client = await connect(server.channel, { clientInfo, revisions, answer, report: throws })
    server.send({ jsonrpc: "2.0", id: "q", method, params })
    expect(await server.until(({ id }) => id === "q")).toMatchObject({ error: { code: -32603 } })
    await client.ping()
  })
})
