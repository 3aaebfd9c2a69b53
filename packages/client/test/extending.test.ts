/** An extension from end to end: announced by both sides it works, and where one side is without it nothing of it is seen. */
import { handshakeRevisions } from "@parley/core/revisions"
import { link, tap } from "@parley/driver"
import { defineServer, serve, tool } from "@parley/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { diggers, parleyTest } from "../../testing/test/parley-test.js"
import { connect } from "../src/index.js"

const clientInfo = { name: "client", version: "1.0.0" }
const extensions = [parleyTest] as const
const { id } = parleyTest

let close: () => Promise<void> = async () => undefined
afterEach(async () => close())

type Sent = { readonly method?: string; readonly id?: number; readonly params?: unknown; readonly result?: unknown }

/** The messages of one side, as they go by. */
function meeting(server: Parameters<typeof serve>[0]) {
  const [near, far] = link()
  const [said, heard]: [Array<Sent>, Array<Sent>] = [[], []]
  serve(server, far, { report: () => undefined, crashed: () => undefined })
  const channel = tap(near, {
    sent: (message) => void said.push(message as Sent),
    received: (frame) => void (frame._tag === "Text" && heard.push(JSON.parse(frame.text) as Sent))
  })
  return { channel, said, heard }
}

async function digging(more: Partial<Parameters<typeof connect>[1]> = {}) {
  const { server, jobs, find } = diggers()
  const { channel, said, heard } = meeting(server)
  const client = await connect(channel, { clientInfo, ...more, extensions })
  close = client.close
  return { client, jobs, find, said, heard }
}

describe("an extension that both sides have", () => {
  it("is announced by both, with the settings of each", async () => {
    const { client, said } = await digging()
    expect(client.peer.capabilities["extensions"]).toEqual({ [id]: { most: 3 } })
    expect(said[0]).toMatchObject({
      params: { _meta: { "io.modelcontextprotocol/clientCapabilities": { extensions: { [id]: {} } } } }
    })
    await client.close()
    const { server } = diggers()
    const again = meeting(server)
    const other = await connect(again.channel, {
      clientInfo,
      extensions: [{ ...parleyTest, settings: { shows: true } }]
    })
    close = other.close
    expect(again.said[0]).toMatchObject({
      params: { _meta: { "io.modelcontextprotocol/clientCapabilities": { extensions: { [id]: { shows: true } } } } }
    })
  })

  it("makes a job of long work, which is asked for, waited for, and told of to who named it", async () => {
    const { client, find } = await digging()
    const [first, second] = [await client.callTool("dig"), await client.callTool("dig")]
    if (first.resultType !== "job" || second.resultType !== "job") throw new Error("no job")
    expect([first.jobId, second.jobId]).toEqual(["job-1", "job-2"])
    expect(await client.request("jobs/get", { jobId: "job-1" })).toMatchObject({ jobId: "job-1", status: "working" })
    const [one, both, idle] = [
      vi.fn<(params: unknown) => void>(),
      vi.fn<(params: unknown) => void>(),
      vi.fn<() => void>()
    ]
    client.on("notifications/jobs/changed", one, [first.jobId])
    client.on("notifications/jobs/changed", both, [first.jobId, second.jobId])
    client.on("notifications/jobs/idle", idle)
    const progress = vi.fn<() => void>(() => find())
    const waited = client.request("jobs/wait", { jobId: "job-2" }, { onProgress: progress })
    expect(await waited).toMatchObject({ jobId: "job-2", status: "completed" })
    expect(progress).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(idle).toHaveBeenCalledTimes(2))
    const of = (heard: typeof one): ReadonlyArray<unknown> => heard.mock.calls.map(([params]) => params)
    expect(of(one)).toMatchObject([{ jobId: "job-1", status: "completed" }])
    expect(of(both)).toMatchObject([{ jobId: "job-1" }, { jobId: "job-2" }])
  })

  it("asks by one stream for what is listened to, as long as it is", async () => {
    const { client, said } = await digging()
    const listens = (): ReadonlyArray<unknown> =>
      said
        .filter(({ method }) => method === "subscriptions/listen")
        .map(({ params }) => (params as { readonly notifications: unknown }).notifications)
    const stop = client.on("notifications/jobs/changed", () => undefined, ["b", "a", "b"])
    client.on("notifications/jobs/idle", () => undefined)
    await vi.waitFor(() => expect(listens()).toEqual([{ jobs: ["b", "a"], jobsIdle: true }]))
    stop()
    await vi.waitFor(() => expect(listens().slice(1)).toEqual([{ jobsIdle: true }]))
  })

  it("needs names where its filter is a list, and takes none elsewhere", async () => {
    const { client } = await digging()
    const untyped = client.on as (method: string, listener: () => void, of?: unknown) => void
    const listener = () => undefined
    expect(() => untyped("notifications/jobs/changed", listener)).toThrow("on(method, listener, [jobId, ...])")
    expect(() => untyped("notifications/jobs/changed", listener, [1])).toThrow(TypeError)
    expect(() => untyped("notifications/jobs/idle", listener, ["a"])).toThrow("nothing to name")
    expect(() => untyped("notifications/jobs/other", listener)).toThrow("notifications/jobs/other")
  })

  it("has its params checked before they are sent, and schemas of any kind", async () => {
    const { client, said } = await digging()
    await expect(client.request("jobs/get", { jobId: 7 })).rejects.toThrow(
      "The params for jobs/get are not valid: jobId: expected a string; nothing was sent"
    )
    expect(said.map(({ method }) => method)).toEqual(["server/discover"])
    await client.callTool("dig")
    expect(await client.request("jobs/count", { from: "41" })).toMatchObject({ count: "42" })
  })

  it("says in its own error what is wrong", async () => {
    const { client } = await digging()
    await expect(client.request("jobs/get", { jobId: "none" })).rejects.toMatchObject({
      code: -32602,
      data: { jobId: "none" },
      message: expect.stringContaining("There is no such job") as string
    })
  })
})

describe("without the extension", () => {
  it("a client gets the complete result, is refused the methods, and hears nothing", async () => {
    const { server, jobs, find } = diggers()
    const { channel, heard } = meeting(server)
    const client = await connect(channel, { clientInfo })
    close = client.close
    find()
    expect(await client.callTool("dig")).toMatchObject({ content: [{ text: "found it" }] })
    await expect(client.request("jobs/get", { jobId: "a" })).rejects.toThrow(
      "jobs/get is not a request that a client may send in 2026-07-28; nothing was sent"
    )
    client.on("notifications/tools/list_changed", () => undefined)
    jobs.tell("notifications/jobs/idle", {})
    await client.ping()
    expect(heard.filter(({ method }) => method?.startsWith("notifications/jobs"))).toEqual([])
    const [near, far] = link()
    serve(server, far)
    const replies: Array<unknown> = []
    near.open({
      frame: (frame) => void (frame._tag === "Text" && replies.push(JSON.parse(frame.text))),
      closed: () => {}
    })
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {}
    }
    await near.send({
      message: { jsonrpc: "2.0", id: 1, method: "jobs/get", params: { jobId: "a", _meta } },
      via: undefined,
      last: false
    })
    await vi.waitFor(() =>
      expect(replies).toMatchObject([
        { id: 1, error: { code: -32021, data: { requiredCapabilities: { extensions: { [id]: {} } } } } }
      ])
    )
    await near.close()
  })

  it("a server is asked for nothing of it", async () => {
    const hello = tool("hello", {}, () => "Hello!")
    const { channel, said } = meeting(defineServer({ name: "plain", version: "1.0.0" }, [hello]))
    const client = await connect(channel, { clientInfo, extensions })
    close = client.close
    const asking = client.request("jobs/get", { jobId: "a" })
    await expect(asking).rejects.toMatchObject({
      reason: { _tag: "MethodUndeclared", method: "jobs/get", needs: `extensions.${id}`, declared: ["tools"] }
    })
    await expect(asking).rejects.toThrow(`jobs/get needs the capability extensions.${id}, and the server declared`)
    client.on("notifications/jobs/idle", () => undefined)
    client.on("notifications/jobs/changed", () => undefined, ["a"])
    expect(await client.callTool("hello")).toMatchObject({ content: [{ text: "Hello!" }] })
    expect(said.map(({ method }) => method)).toEqual(["server/discover", "tools/list", "tools/call"])
  })

  it.each(["the server", "the client"])("it is off where %s speaks older revisions only", async (side) => {
    const { server, jobs, find } = diggers()
    const old = defineServer(server.info, server.items, { ...server.options, revisions: handshakeRevisions })
    const { channel, said, heard } = meeting(side === "the server" ? old : server)
    const client = await connect(channel, {
      clientInfo,
      extensions,
      ...(side === "the client" && { revisions: handshakeRevisions })
    })
    close = client.close
    find()
    expect(client.peer).toMatchObject({ revision: "2025-11-25", capabilities: { tools: {} } })
    expect(client.peer.capabilities).not.toHaveProperty("extensions")
    expect(said.find(({ method }) => method === "initialize")?.params).toMatchObject({ capabilities: {} })
    expect(JSON.stringify(said.find(({ method }) => method === "initialize"))).not.toContain(id)
    expect(await client.callTool("dig")).toMatchObject({ content: [{ text: "found it" }] })
    await expect(client.request("jobs/get", { jobId: "a" })).rejects.toMatchObject({
      reason: { _tag: "MethodUnknown", method: "jobs/get", revision: "2025-11-25" }
    })
    client.on("notifications/jobs/idle", () => undefined)
    jobs.tell("notifications/jobs/idle", {})
    await client.ping()
    expect(heard.some(({ method }) => method?.includes("jobs"))).toBe(false)
  })
})

describe("what can not be an extension", () => {
  it.each<[string, unknown]>([
    ["none at all", ["com.example/jobs"]],
    ["one without a prefix", [{ id: "jobs" }]],
    ["one that is there twice", [parleyTest, parleyTest]]
  ])("is %s", async (_, odd) => {
    const { channel, said } = meeting(diggers().server)
    await expect(connect(channel, { clientInfo, extensions: odd as [] })).rejects.toThrow(TypeError)
    expect(said).toEqual([])
  })
})
