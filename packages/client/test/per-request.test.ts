/** A session of 2026-07-28 seen from its client: what goes with each request, and what comes in the place of old requests. */
import { describe, expect, it, vi } from "vitest"
import type { Report } from "@parley/core"
import { simulated } from "../../driver/test/simulated.js"
import type { Answers, ConnectOptions } from "../src/index.js"
import { CallError, connect, Rejected } from "../src/index.js"
import { form } from "./asked.js"
import type { HandOptions } from "./hand.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const capabilities = { tools: {}, logging: {}, resources: {}, prompts: {} }
const level = "io.modelcontextprotocol/logLevel"

async function session(options: HandOptions = {}, more: Partial<ConnectOptions> = {}) {
  const server = hand({ revision: "2026-07-28", capabilities, ...options })
  const reports: Array<Report> = []
  const client = await connect(server.channel, { clientInfo, report: (report) => reports.push(report), ...more })
  return { server, client, reports }
}

const elicit = (properties: object) => ({ method: "elicitation/create", params: form(properties) })
const pageTo = (url: string) => ({ method: "elicitation/create", params: { mode: "url", message: "Pay", url } })
const sampling = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5 }
}

/** A server that asks these before it answers, and a call to it. */
async function asking(inputRequests: object, answer: Answers, more: Partial<ConnectOptions> = {}) {
  const { server, client, reports } = await session(
    {
      answers: {
        "tools/call": ({ inputResponses }) =>
          inputResponses === undefined
            ? { resultType: "input_required", inputRequests, requestState: "sealed" }
            : { content: [{ type: "text", text: JSON.stringify(inputResponses) }] }
      }
    },
    { answer, ...more }
  )
  return { server, client, reports, call: client.callTool("it", { a: 1 }) }
}

describe("a question inside a result", () => {
  it("is answered by the same handlers as one that is a request", async () => {
    const { server, call } = await asking(
      { f: elicit({ n: { type: "integer" } }), m: sampling, r: { method: "roots/list" } },
      {
        elicit: (asked) => (expect(asked.message).toBe("Please"), { action: "accept", content: { n: 3 } }),
        sample: () => ({ role: "assistant", model: "m", content: { type: "text", text: "!" } }),
        roots: [{ uri: "file:///here" }]
      }
    )
    const { content } = await call
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
      f: { action: "accept", content: { n: 3 } },
      m: { role: "assistant", model: "m", content: { type: "text", text: "!" } },
      r: { roots: [{ uri: "file:///here" }] }
    })
    const [first, second] = server.asked("tools/call")
    expect(second.id).not.toBe(first.id)
    expect(second.params).toMatchObject({ name: "it", arguments: { a: 1 }, requestState: "sealed" })
  })

  it("is told the same of its server, and gets defaults, checks and an end like any other", async () => {
    const clock = simulated()
    let aborted: unknown
    const { call } = await asking(
      { f: elicit({ n: { type: "integer", default: 7 } }) },
      {
        timeoutMs: 50,
        elicit: (_, { server, defaults, check, signal, progress }) => {
          expect([server.revision, defaults, check({ n: "no" }) !== undefined]).toEqual(["2026-07-28", { n: 7 }, true])
          progress(1)
          signal.addEventListener("abort", () => (aborted = signal.reason))
          queueMicrotask(() => clock.advance(50))
          return new Promise(() => undefined)
        }
      },
      { clock }
    )
    await expect(call).rejects.toMatchObject({ reason: { _tag: "AskRefused", key: "f", error: { code: -32603 } } })
    expect(aborted).toEqual(new Error("not answered within 50 ms"))
  })

  it("leads to a page by a URL that needs no id", async () => {
    const { call } = await asking(
      { till: pageTo("https://pay.example/now") },
      {
        elicit: {
          url: async (page, { host, completed }) => {
            expect([page, host]).toEqual([
              { mode: "url", message: "Pay", url: "https://pay.example/now" },
              "pay.example"
            ])
            // Nobody says that it is complete: nothing to wait for.
            await completed()
            return { action: "accept" }
          }
        }
      }
    )
    expect((await call).content).toEqual([{ type: "text", text: '{"till":{"action":"accept"}}' }])
  })

  it.each<[string, object, Answers, object]>([
    ["that was rejected", { m: sampling }, { sample: () => Promise.reject(new Rejected()) }, { code: -1 }],
    [
      "whose handler crashed",
      { m: sampling },
      { sample: () => Promise.reject(new Error("a secret")) },
      { code: -32603, message: "Internal error: sampling/createMessage could not be answered" }
    ],
    [
      "whose answer does not fit",
      { f: elicit({ n: { type: "integer" } }) },
      { elicit: () => ({ action: "accept", content: { n: "three" } }) },
      { code: -32603 }
    ],
    [
      "that leads to no page",
      { till: pageTo("file:///etc/passwd") },
      { elicit: { url: () => ({ action: "accept" }) } },
      { code: -32602 }
    ]
  ])("%s ends the call, and the server hears nothing", async (_, questions, answer, error) => {
    const { call, server } = await asking(questions, answer)
    const failure = await call.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CallError)
    expect(failure).toMatchObject({ reason: { _tag: "AskRefused", method: "tools/call", error } })
    expect(server.asked("tools/call")).toHaveLength(1)
  })

  it("that was declined is told to the server, which goes on", async () => {
    const { call } = await asking({ f: elicit({}) }, { elicit: () => Promise.reject(new Rejected()) })
    expect((await call).content).toEqual([{ type: "text", text: '{"f":{"action":"decline"}}' }])
  })

  it("that we did not declare is not put to anybody", async () => {
    const { call } = await asking({ m: sampling }, { elicit: () => ({ action: "cancel" }) })
    await expect(call).rejects.toMatchObject({ reason: { _tag: "ResultInvalid" } })
  })

  it("is taken back when its call is given up, and the server, which waits for nothing, is not told", async () => {
    const controller = new AbortController()
    let reason: unknown
    const elicits: Answers["elicit"] = (_, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason))
      controller.abort(new Error("enough"))
      return new Promise(() => undefined)
    }
    const { client, server } = await session(
      { answers: { "tools/call": () => ({ resultType: "input_required", inputRequests: { f: elicit({}) } }) } },
      { answer: { elicit: elicits } }
    )
    await expect(client.callTool("it", {}, { signal: controller.signal })).rejects.toThrow("enough")
    expect(reason).toBeInstanceOf(Error)
    await client.ping()
    expect(server.asked("notifications/cancelled")).toEqual([])
  })

  it.each([{}, { resetOnProgress: false }, { resetOnProgress: true }])(
    "is not waited for longer than in all by %j, though nothing is asked",
    async (wishes) => {
      const clock = simulated()
      const later = { resultType: "input_required", requestState: "later" }
      const { client, server } = await session({ answers: { "tools/call": () => later } }, { clock })
      const call = client.callTool("it", {}, { ...wishes, totalMs: 3_000 })
      let over: unknown
      call.catch((error: unknown) => (over = error))
      await server.until(({ method }) => method === "tools/call")
      while (clock.now() < 3_000) {
        await client.ping()
        expect(over).toBeUndefined()
        clock.advance(100)
      }
      await client.ping()
      expect(over).toMatchObject({ message: "tools/call was not answered within 3000 ms in all" })
      expect(server.asked("tools/call")).toHaveLength(5)
    }
  )

  it("is asked sixteen times at most", async () => {
    const { client, server } = await session(
      { answers: { "tools/call": () => ({ resultType: "input_required", inputRequests: { f: elicit({}) } }) } },
      { answer: { elicit: () => ({ action: "accept" }) } }
    )
    await expect(client.callTool("it")).rejects.toMatchObject({ reason: { _tag: "TooManyRounds", rounds: 16 } })
    expect(server.asked("tools/call")).toHaveLength(16)
  })
})

describe("what goes with each request", () => {
  it("is what `meta` says at that moment, retries included, but never instead of what is ours or the caller's", async () => {
    let traces = 0
    const { server, client, call } = await asking(
      { f: elicit({}) },
      { elicit: () => ({ action: "accept" }) },
      { meta: () => ({ traceparent: `00-${++traces}`, "io.modelcontextprotocol/protocolVersion": "1999-01-01" }) }
    )
    await call
    await client.request("tools/call", { name: "it", _meta: { traceparent: "own" }, inputResponses: {} })
    const sent = server.heard.slice(1).map(({ params: { _meta } }) => _meta)
    expect(sent.map(({ traceparent }) => traceparent)).toEqual(["00-1", "00-2", "00-2", "own"])
    for (const meta of sent) expect(meta["io.modelcontextprotocol/protocolVersion"]).toBe("2026-07-28")
  })

  it("is nothing when `meta` throws or says nothing", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const says = [
      () => undefined,
      () => {
        throw new Error("no trace")
      },
      () => "text" as unknown as {}
    ]
    const { server, client } = await session({}, { meta: () => says[server.asked("tools/list").length]!() })
    for (let i = 0; i < 3; i++) await client.request("tools/list")
    for (const { params } of server.asked("tools/list"))
      expect(Object.keys(params._meta).every((key) => key.startsWith("io.modelcontextprotocol/"))).toBe(true)
    expect(told).toHaveBeenCalledExactlyOnceWith("A listener failed:", new Error("no trace"))
    told.mockRestore()
  })

  it("is the level of the log from when it was set, which sends nothing by itself", async () => {
    const { server, client } = await session()
    await client.listTools()
    await client.setLogLevel("warning")
    await client.listTools({ fresh: true })
    await client.setLogLevel("debug")
    await client.callTool("it")
    expect(server.heard.slice(1).map(({ method, params }) => [method, params._meta[level]])).toEqual([
      ["tools/list", undefined],
      ["tools/list", "warning"],
      ["tools/call", "debug"]
    ])
  })

  it("is no level that there is not, or that the server did not declare", async () => {
    const { client } = await session()
    await expect(client.setLogLevel("loud" as "debug")).rejects.toMatchObject({
      reason: { _tag: "ParamsInvalid", method: "logging/setLevel", problem: { at: "level" } }
    })
    const { client: other } = await session({ capabilities: { tools: {} } })
    await expect(other.setLogLevel("debug")).rejects.toMatchObject({
      reason: { _tag: "MethodUndeclared", method: "logging/setLevel", needs: "logging", declared: ["tools"] }
    })
  })
})

describe("what there is no longer", () => {
  it("is a ping: the round trip is a question what the server speaks", async () => {
    const { server, client } = await session()
    await client.ping()
    expect(server.heard.map(({ method }) => method)).toEqual(["server/discover", "server/discover"])
  })

  it("is the completion of a visit, and waiting for it is refused", async () => {
    const { client } = await session()
    await expect(client.elicitationComplete("e")).rejects.toMatchObject({
      message: "There is no notifications/elicitation/complete in 2026-07-28: it will not come",
      reason: { _tag: "NotificationUnknown", revision: "2026-07-28" }
    })
  })

  it("is a notification that the roots changed", async () => {
    const server = hand({ revision: "2026-07-28" })
    const client = await connect(server.channel, {
      clientInfo,
      answer: { roots: { list: [{ uri: "file:///a" }], listChanged: true } }
    })
    client.rootsChanged()
    await client.ping()
    expect(server.heard.map(({ method }) => method)).toEqual(["server/discover", "server/discover"])
    expect(server.heard[0].params._meta["io.modelcontextprotocol/clientCapabilities"]).toEqual({ roots: {} })
  })

  it("are tasks: what insists on being one is called, and nothing is started", async () => {
    const tools = [tool("it", { execution: { taskSupport: "required" } })]
    const { client, server } = await session({ answers: { "tools/list": () => ({ tools }) } })
    expect((await client.callTool("it")).content).toEqual([])
    expect(server.asked("tools/call")[0].params.task).toBeUndefined()
    await expect(client.startTool("it")).rejects.toThrow("2026-07-28 has no tasks")
    await expect(client.listTasks()).rejects.toMatchObject({ reason: { _tag: "MethodUnknown" } })
  })
})

it.each([[[1, 2]], [null], ["text"], [0], [false]])("structured content may be %j", async (structuredContent) => {
  const { client } = await session({
    answers: {
      "tools/list": () => ({
        tools: [tool("it", { outputSchema: { type: ["array", "null", "string", "number", "boolean"] } })]
      }),
      "tools/call": () => ({ content: [], structuredContent })
    }
  })
  expect((await client.callTool("it")).structuredContent).toEqual(structuredContent)
})
