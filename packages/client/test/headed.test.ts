/** A channel with headers: what it is given to say in them, and which tools can not be had by it. */
import type { Report } from "@parley/core"
import type { Channel, Outgoing } from "@parley/driver"
import { afterEach, describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { Client, ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import type { Answer, Hand, HandOptions } from "./hand.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const listed = (...tools: ReadonlyArray<object>) => ({ tools, ttlMs: 0, cacheScope: "private" })
const region = { type: "string", "x-mcp-header": "Region" }
const place = tool("place", { inputSchema: { type: "object", properties: { region, size: { type: "integer" } } } })

let client: Client | undefined
afterEach(() => client?.close())

interface Talk {
  readonly server: Hand
  readonly sent: ReadonlyArray<Outgoing>
  readonly reports: ReadonlyArray<Report>
  readonly refuse: (id: number, status: number) => void
  readonly lose: () => void
}

async function talk(options: HandOptions, wishes: Partial<ConnectOptions> = {}, headers = true): Promise<Talk> {
  const server = hand(options)
  const sent: Array<Outgoing> = []
  const reports: Array<Report> = []
  let frame!: Parameters<Channel["open"]>[0]["frame"]
  const channel: Channel = {
    ...server.channel,
    cancels: "exchange",
    headers,
    open: (on) => {
      frame = (one) => on.frame(one)
      server.channel.open(on)
    },
    send: (out) => {
      sent.push(out)
      return server.channel.send(out)
    }
  }
  client = await connect(channel, { clientInfo, report: (report) => reports.push(report), ...wishes })
  return {
    server,
    sent,
    reports,
    refuse: (id, status) => void frame({ _tag: "Refused", id, status, body: "broke" }),
    lose: () => void frame({ _tag: "SessionLost", id: undefined })
  }
}

const modern = (answers: Readonly<Record<string, Answer>> = {}, capabilities: object = { tools: {} }): HandOptions => ({
  revision: "2026-07-28",
  capabilities,
  answers: { "tools/list": () => listed(place), ...answers }
})
const said = ({ sent }: Talk) => sent.map(({ revision, mirror }) => [revision, mirror])

describe("where each request stands for itself", () => {
  it("its method, what it names and what its tool wants go along", async () => {
    const contents = { contents: [], ttlMs: 0, cacheScope: "private" }
    const one = await talk(
      modern(
        { "resources/read": () => contents, "prompts/get": () => ({ messages: [] }) },
        { tools: {}, resources: {}, prompts: {} }
      )
    )
    await client!.callTool("place", { region: "Zürich", size: 7 })
    await client!.callTool("place", { size: 7 })
    await client!.readResource("file:///a%20b")
    await client!.getPrompt("greet")
    expect(said(one)).toEqual([
      ["2026-07-28", [["Mcp-Method", "server/discover"]]],
      ["2026-07-28", [["Mcp-Method", "tools/list"]]],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "tools/call"],
          ["Mcp-Name", "place"],
          ["Mcp-Param-Region", "Zürich"]
        ]
      ],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "tools/call"],
          ["Mcp-Name", "place"]
        ]
      ],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "resources/read"],
          ["Mcp-Name", "file:///a%20b"]
        ]
      ],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "prompts/get"],
          ["Mcp-Name", "greet"]
        ]
      ]
    ])
  })

  it("what an extension names goes along", async () => {
    const anything = () => undefined
    const { request } = await import("@parley/core")
    const row = request("client", anything, anything, { header: "jobId" })
    const extensions = [{ id: "com.example/jobs", client: { "jobs/get": row } }] as never
    const capabilities = { extensions: { "com.example/jobs": {} } }
    const one = await talk(modern({ "jobs/get": () => ({}) }, capabilities), { extensions })
    await client!.request("jobs/get", { jobId: "j1" })
    expect(said(one).at(-1)).toEqual([
      "2026-07-28",
      [
        ["Mcp-Method", "jobs/get"],
        ["Mcp-Name", "j1"]
      ]
    ])
  })

  it("a tool whose headers can not be said is left out, with a word why, and the others stay", async () => {
    const wrong = tool("wrong", {
      inputSchema: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } }
    })
    const { reports } = await talk(modern({ "tools/list": () => listed(wrong, place) }))
    expect((await client!.listTools()).map(({ name }) => name)).toEqual(["place"])
    const whys = reports.flatMap((report) => (report._tag === "Ignored" ? [report.why] : []))
    expect(whys).toHaveLength(1)
    expect(whys[0]).toContain("x-mcp-header at a is only for a string, an integer or a boolean")
    expect(whys[0]).toContain('"name":"wrong"')
    await expect(client!.callTool("wrong")).rejects.toThrow("The server lists no tool wrong")
  })

  it("it stays where the channel has no headers", async () => {
    const wrong = tool("wrong", { inputSchema: { type: "object", "x-mcp-header": 7 } })
    await talk(modern({ "tools/list": () => listed(wrong) }), {}, false)
    expect((await client!.listTools()).map(({ name }) => name)).toEqual(["wrong"])
  })

  it("a call that is refused for its headers is made once more, with those of the tool as it is by then", async () => {
    const mismatch = { error: { code: -32020, message: "Header mismatch" } }
    let header = "Old"
    const one = await talk(
      modern({
        "tools/list": () =>
          listed(
            tool("it", {
              inputSchema: { type: "object", properties: { a: { type: "string", "x-mcp-header": header } } }
            })
          ),
        "tools/call": () => (header === "Old" ? ((header = "New"), mismatch) : { content: [] })
      })
    )
    await client!.callTool("it", { a: "b" })
    expect(said(one).map(([, mirror]) => (mirror as ReadonlyArray<unknown>)[2])).toEqual([
      undefined,
      undefined,
      ["Mcp-Param-Old", "b"],
      undefined,
      ["Mcp-Param-New", "b"]
    ])
    one.server.answers["tools/call"] = () => mismatch
    await expect(client!.callTool("it", { a: "b" })).rejects.toMatchObject({ code: -32020 })
    expect(one.server.asked("tools/call")).toHaveLength(4)
  })

  it("a stream of notifications that breaks is asked for anew, later and later, and not for ever", async () => {
    const clock = simulated()
    const capabilities = { tools: { listChanged: true } }
    const one = await talk(modern({}, capabilities), {
      clock,
      on: { "notifications/tools/list_changed": () => undefined }
    })
    const asked = () => one.server.asked("subscriptions/listen")
    const last = () => asked().at(-1)!.id as number
    const settle = () => new Promise(setImmediate)
    await settle()
    expect(asked()).toHaveLength(1)
    const meta = { "io.modelcontextprotocol/subscriptionId": last() }
    one.server.tell("notifications/subscriptions/acknowledged", {
      notifications: { toolsListChanged: true },
      _meta: meta
    })
    await settle()
    for (let tries = 1; tries <= 10; tries++) {
      one.refuse(last(), 0)
      await settle()
      clock.advance(999)
      await settle()
      expect(asked()).toHaveLength(tries)
      clock.advance(60_000)
      await settle()
      expect(asked()).toHaveLength(tries + 1)
    }
    one.refuse(last(), 0)
    await settle()
    clock.advance(600_000)
    await settle()
    expect(asked()).toHaveLength(11)
    expect(clock.holding()).toBe(0)
  })
})

describe("after a handshake", () => {
  it("the revision goes along from the word that the session is open on, and nothing more", async () => {
    const one = await talk({}, { prefer: "2025-06-18" })
    await client!.ping()
    expect(said(one)).toEqual([
      [undefined, undefined],
      ["2025-06-18", undefined],
      ["2025-06-18", undefined]
    ])
  })

  it("what was watched and set is asked for again when the session is another", async () => {
    const one = await talk(
      {
        capabilities: { resources: { subscribe: true }, logging: {} },
        answers: { "resources/subscribe": () => ({}), "logging/setLevel": () => ({}) }
      },
      { prefer: "2025-11-25" }
    )
    await client!.setLogLevel("error")
    const subscription = client!.subscribe("note://one")
    await subscription.ready
    one.lose()
    await one.server.until(() => one.server.asked("logging/setLevel").length === 2)
    await one.server.until(() => one.server.asked("resources/subscribe").length === 2)
    expect(one.server.asked("initialize")).toHaveLength(2)
    expect(
      said(one)
        .slice(-4)
        .map(([revision]) => revision)
    ).toEqual([undefined, "2025-11-25", "2025-11-25", "2025-11-25"])
  })
})

it("what the transport refuses rejects with its status and its words", async () => {
  const one = await talk(modern({ "tools/call": () => undefined }))
  const call = client!.callTool("place")
  const { id } = await one.server.until(({ method }) => method === "tools/call")
  one.refuse(id as number, 502)
  await expect(call).rejects.toMatchObject({
    message: "tools/call was not answered: broke",
    reason: { _tag: "Refused", method: "tools/call", status: 502, why: "broke" }
  })
})
