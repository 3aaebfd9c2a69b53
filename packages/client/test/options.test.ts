/** Options as programs without types give them: what is none, or of another kind, is refused in words and with nothing sent. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import type { Client, ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import { hand, tool } from "./hand.js"
import { capabilities, tasked } from "./tasked.js"

const clientInfo = { name: "client", version: "1.0.0" }
const wait = "a number of milliseconds from 0 on (Infinity: no limit)"
const call = "timeoutMs, resetOnProgress, totalMs, onProgress, signal"

// oxlint-disable-next-line typescript/no-explicit-any -- what no compiler has looked at
type Untyped = any

describe("the options of connect", () => {
  it.each<[object, string]>([
    [
      { timeout: 5 },
      "connect has no option timeout; there are clientInfo, of, answer, revisions, extensions, prefer, probeMs, prior, openingMs, timeoutMs, maxPages, cache, authorization, meta, on, onNotification, report, clock"
    ],
    [{ constructor: 1 }, "connect has no option constructor"],
    [{ clientInfo: undefined }, 'connect needs clientInfo, such as { name: "demo", version: "1.0.0" }'],
    [{ clientInfo: { name: "a" } }, 'connect needs clientInfo, such as { name: "demo", version: "1.0.0" }'],
    [{ clientInfo: "demo" }, 'connect needs an object for clientInfo, not "demo"'],
    [{ timeoutMs: Number.NaN }, `connect needs ${wait} for timeoutMs, not NaN`],
    [{ timeoutMs: "1000" }, `connect needs ${wait} for timeoutMs, not "1000"`],
    [{ openingMs: -1 }, `connect needs ${wait} for openingMs, not -1`],
    [{ maxPages: 0 }, "connect needs a whole number from 1 on (Infinity: no limit) for maxPages, not 0"],
    [{ maxPages: 1.5 }, "connect needs a whole number from 1 on (Infinity: no limit) for maxPages, not 1.5"],
    [
      { revisions: ["2025-11-25"] },
      "connect needs an array of at least one revision, as @parley/core/revisions has them,"
    ],
    [{ revisions: [] }, "connect needs an array of at least one revision, as @parley/core/revisions has them,"],
    [{ report: "yes" }, 'connect needs a function for report, not "yes"'],
    [{ onNotification: {} }, "connect needs a function for onNotification, not an object"],
    [
      { on: { "notifications/tools/listChanged": () => {} } },
      "connect has no option on.notifications/tools/listChanged"
    ],
    [{ on: { "notifications/message": 1 } }, "connect needs a function for on.notifications/message, not 1"],
    [{ answer: () => {} }, "connect needs an object for answer"],
    [
      { answer: { elicitation: () => {} } },
      "connect has no option answer.elicitation; there are elicit, sample, roots, tasks, timeoutMs"
    ],
    [{ answer: { elicit: true } }, "connect needs a function or { form, url } for answer.elicit, not true"],
    [{ answer: { elicit: { forms: () => {} } } }, "connect has no option answer.elicit.forms; there are form, url"],
    [{ answer: { sample: 5 } }, "connect needs a function or { create, tools, context } for answer.sample, not 5"],
    [
      { answer: { sample: { tools: true } } },
      "connect needs a function or { create, tools, context } for answer.sample, not an object"
    ],
    [
      { answer: { roots: "file:///a" } },
      "connect needs an array, a function or { list, listChanged } for answer.roots"
    ],
    [{ answer: { roots: [null] } }, "A root's URI begins with file://, and undefined does not"],
    [
      { answer: { tasks: { ttl: 5 } } },
      "connect has no option answer.tasks.ttl; there are ttlMs, maxTtlMs, pollMs, most"
    ],
    [{ answer: { tasks: { most: 0 } } }, "connect needs a whole number from 1 on for answer.tasks.most, not 0"],
    [{ answer: { tasks: false } }, "connect needs true or an object for answer.tasks, not false"],
    [{ answer: { timeoutMs: Number.NaN } }, `connect needs ${wait} for answer.timeoutMs, not NaN`]
  ])("are not %j", async (options, message) => {
    const server = hand()
    const asking = connect(server.channel, { clientInfo, revisions, ...options } as ConnectOptions)
    await expect(asking).rejects.toThrow(TypeError)
    await expect(asking).rejects.toThrow(message)
    expect(server.heard).toEqual([])
  })

  it("have to be there", async () => {
    const server = hand()
    await expect(connect(server.channel, undefined as Untyped)).rejects.toThrow(
      "connect needs an object for its options, not undefined"
    )
  })

  it("may be undefined one by one, and without limit by Infinity", async () => {
    const options = { clientInfo, timeoutMs: Infinity, openingMs: Infinity, maxPages: Infinity, on: undefined }
    const { client, clock } = await tasked({}, options as Untyped)
    await client.listTools({ totalMs: Infinity })
    await client.callTool("silent", {}, { totalMs: Infinity, resetOnProgress: true })
    const call = client.callTool("must")
    let settled = false
    void call.catch(() => undefined).finally(() => (settled = true))
    await client.ping()
    clock.advance(2 ** 40)
    await client.ping()
    expect(settled).toBe(false)
    await client.close()
    await expect(call).rejects.toThrow()
  })
})

describe("the options of calls", () => {
  const wrong = { timeout: 5 } as Untyped
  it.each<[string, (client: Client) => unknown, string]>([
    ["callTool", (c) => c.callTool("may", {}, wrong), `callTool has no option timeout; there are ${call}`],
    ["startTool", (c) => c.startTool("may", {}, wrong), "startTool has no option timeout; there are timeoutMs,"],
    ["listTools", (c) => c.listTools(wrong), `tools/list has no option timeout; there are ${call}, fresh, maxPages`],
    ["tools", (c) => c.tools(wrong), "tools/list has no option timeout"],
    ["listTasks", (c) => c.listTasks(wrong), "tasks/list has no option timeout"],
    ["readResource", (c) => c.readResource("a:b", wrong), "resources/read has no option timeout"],
    ["subscribe", (c) => c.subscribe("a:b", wrong), "subscribe has no option timeout"],
    ["getPrompt", (c) => c.getPrompt("a", {}, wrong), "prompts/get has no option timeout"],
    ["complete", (c) => c.complete({ prompt: "a" }, { name: "a", value: "" }, wrong), "complete has no option timeout"],
    ["setLogLevel", (c) => c.setLogLevel("info", wrong), "logging/setLevel has no option timeout"],
    ["ping", (c) => c.ping(wrong), "ping has no option timeout"],
    ["request", (c) => c.request("ping", undefined, wrong), "ping has no option timeout"],
    ["elicitationComplete", (c) => c.elicitationComplete("a", wrong), "elicitationComplete has no option timeout"],
    ["on", (c) => c.on("notifications/tool" as Untyped, () => {}), "on has no option notifications/tool; there are"],
    ["on", (c) => c.on("notifications/message", undefined as Untyped), "on needs a function for notifications/message"],
    ["status of a task", (c) => c.task("t").status(wrong), "tasks/get has no option timeout"],
    ["cancel of a task", (c) => c.task("t").cancel(wrong), "tasks/cancel has no option timeout"],
    ["updates of a task", (c) => c.task("t").updates(wrong), "updates has no option timeout"],
    ["result of a task", (c) => c.task("t").result(wrong), "result has no option timeout; there are totalMs, signal"],
    [
      "callTool, null",
      (c) => c.callTool("may", {}, null as Untyped),
      "callTool needs an object for its options, not null"
    ],
    [
      "callTool, a negative wait",
      (c) => c.callTool("may", {}, { timeoutMs: -1 }),
      `callTool needs ${wait} for timeoutMs`
    ],
    ["callTool, NaN", (c) => c.callTool("may", {}, { totalMs: Number.NaN }), `callTool needs ${wait} for totalMs`],
    ["callTool, no signal", (c) => c.callTool("may", {}, { signal: 5 as Untyped }), "needs an AbortSignal for signal"],
    ["listTools, no page", (c) => c.listTools({ maxPages: -1 }), "tools/list needs a whole number from 1 on"],
    ["startTool, a negative ttl", (c) => c.startTool("may", {}, { ttl: -1 }), "from 0 on for ttl, not -1"],
    ["startTool, an endless ttl", (c) => c.startTool("may", {}, { ttl: Infinity }), "from 0 on for ttl, not Infinity"]
  ])("are looked at: %s", async (_, use, message) => {
    const { client, server } = await tasked()
    await server.until(({ method }) => method === "notifications/initialized")
    const before = server.heard.length
    const used = (async () => use(client))()
    await expect(used).rejects.toThrow(TypeError)
    await expect(used).rejects.toThrow(message)
    expect(server.heard.length).toBe(before)
  })
})

describe("arguments that are no object", () => {
  it.each([null, 5, "a", [1]])("are refused before they are sent, whatever the schema lets be: %j", async (args) => {
    const { client, server } = await tasked({
      answers: {
        "tools/list": () => ({
          tools: [
            tool("it", { inputSchema: { type: "object", $ref: "#/none" }, execution: { taskSupport: "optional" } })
          ]
        })
      }
    })
    const why = "The arguments for tool it do not fit its input schema: they are no object; nothing was sent"
    for (const use of [client.callTool, client.startTool]) {
      const used = use("it", args as Untyped)
      await expect(used).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
      await expect(used).rejects.toThrow(why)
    }
    expect(server.asked("tools/call")).toEqual([])
  })
})

describe("words that count", () => {
  it("are right for one task that may be open", async () => {
    const { server, reports } = await asking({ answer: { elicit: () => new Promise(() => {}), tasks: { most: 1 } } })
    for (const id of ["a", "b"])
      server.send({
        jsonrpc: "2.0",
        id,
        method: "elicitation/create",
        params: { message: "?", requestedSchema: { type: "object", properties: {} }, task: {} }
      })
    await server.until(({ id }) => id === "b")
    expect(reports).toContainEqual({
      _tag: "Unsendable",
      method: "elicitation/create",
      why: "no more than 1 may be open as tasks at once"
    })
  })

  it("are right for one page", async () => {
    const server = hand({ answers: { "tools/list": () => ({ tools: [], nextCursor: "more" }) } })
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.listTools({ maxPages: 1 })).rejects.toThrow("did not come to an end within 1 page")
    await expect(client.listTools({ maxPages: 1 })).rejects.not.toThrow("1 pages")
  })
})

async function asking(more: Partial<ConnectOptions>) {
  const server = hand({ capabilities })
  const reports: Array<unknown> = []
  await connect(server.channel, { clientInfo, revisions, report: (report) => reports.push(report), ...more })
  return { server, reports }
}
