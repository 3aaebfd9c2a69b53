/** The host behind the bridge, with servers that are the other ends of links: nothing is started. */
import type { Input } from "@parley/core/server"
import type { Channel, Outgoing } from "@parley/driver"
import { link } from "@parley/driver"
import type { Hosting, Performed } from "@parley/server/host"
import { expect, it, vi } from "vitest"
import type { RelayHost } from "../../src/bridge/host.js"
import { relayHost } from "../../src/bridge/host.js"

interface Server {
  readonly channel: Channel
  readonly got: Array<Record<string, unknown>>
  readonly say: (message: object) => void | Promise<void>
  closed: boolean
}

/** `supportedVersions` undefined: it does not know `server/discover`. */
function stage(supportedVersions: ReadonlyArray<string> | undefined, maxChildren = 10) {
  const servers: Array<Server> = []
  const complaints: Array<string> = []
  const start = (): Channel => {
    const [near, far] = link()
    const server: Server = {
      channel: near,
      got: [],
      say: (message) => far.send({ message: { jsonrpc: "2.0", ...message } as never, via: undefined, last: false }),
      closed: false
    }
    servers.push(server)
    far.open({
      frame: (frame) => {
        const message = JSON.parse((frame as { readonly text: string }).text) as Record<string, unknown>
        server.got.push(message)
        if (message["method"] !== "server/discover") return
        const { id } = message
        void server.say(
          supportedVersions === undefined
            ? { id, error: { code: -32601, message: "no" } }
            : { id, result: { supportedVersions, capabilities: {} } }
        )
      },
      closed: () => (server.closed = true)
    })
    return near
  }
  const host = relayHost({ start, say: (text) => complaints.push(text), version: "1.0.0", maxChildren })
  return { host, servers, complaints }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const revisionsOf = (host: RelayHost) => host.server().definition.revisions.map(({ name }) => name)

/** One POST, as an adapter serves it. */
function posted(host: RelayHost, request: object, hosting: Hosting = {}) {
  const sent: Array<Outgoing> = []
  let room: Promise<void> | undefined
  const channel: Channel = {
    cancels: "exchange",
    open: () => undefined,
    send: (out) => {
      sent.push(out)
      return room
    },
    abort: () => undefined,
    close: async () => undefined
  }
  const hosted = host.serve(channel, hosting)
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", progressToken: 1 }
  const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta }, ...request }
  hosted.feed({ _tag: "Received", json, via: "" })
  return { sent, hosted, fill: (full: Promise<void>) => void (room = full) }
}

const performed = (host: RelayHost, more: Partial<Performed> = {}) => {
  const fed: Array<Input> = []
  const performer = host.performer({
    feed: (input) => fed.push(input),
    peer: () => undefined,
    congested: () => false,
    ...more
  })
  const pass = (json: object) =>
    performer.perform({ _tag: "Notice", method: "", params: json as never }, { _tag: "Stopping" })
  return { fed, performer, pass }
}

it("speaks what the server behind it does", async () => {
  const newer = stage(["2026-07-28"])
  await newer.host.ready
  expect(revisionsOf(newer.host)).toContain("2026-07-28")
  await newer.host.close()
  const older = stage(undefined)
  await older.host.ready
  await turn()
  expect(revisionsOf(older.host)).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
  expect(older.servers.map(({ closed }) => closed)).toEqual([true])
})

it("tells no progress to who does not read, and the reply all the same", async () => {
  const { host, servers } = stage(["2026-07-28"])
  await host.ready
  const { sent, hosted, fill } = posted(host, {})
  await turn()
  const { id } = servers[0]!.got.at(-1)!
  let ease!: () => void
  fill(new Promise((resolve) => (ease = resolve)))
  const progress = { method: "notifications/progress", params: { progressToken: id, progress: 1 } }
  for (let times = 0; times < 3; times++) void servers[0]!.say(progress)
  await turn()
  expect(sent).toHaveLength(1)
  ease()
  await turn()
  void servers[0]!.say(progress)
  void servers[0]!.say({ id, result: {} })
  await hosted.closed
  expect(sent.map(({ message }) => message)).toMatchObject([
    { params: { progressToken: 1 } },
    { params: { progressToken: 1 } },
    { id: 1, result: {} }
  ])
  await host.close()
})

it("answers what outlives its end, and withdraws it", async () => {
  const { host, servers } = stage(["2026-07-28"])
  await host.ready
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const stepped = vi.fn<NonNullable<Hosting["stepped"]>>()
    const { sent, hosted } = posted(host, {}, { stepped })
    await turn()
    const { id } = servers[0]!.got.at(-1)!
    hosted.feed({ _tag: "Stopping" })
    await turn()
    expect(sent).toEqual([])
    vi.advanceTimersByTime(5_000)
    await hosted.closed
    expect(sent).toMatchObject([
      { last: true, message: { id: 1, error: { code: -32603, message: "The server is stopping" } } }
    ])
    expect(stepped.mock.calls[0]).toMatchObject([[{ report: { _tag: "Refused", failure: { _tag: "Stopping" } } }]])
    await turn()
    expect(servers[0]!.got.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } })
  } finally {
    vi.useRealTimers()
  }
  await host.close()
})

it("reads no more of a server whose client does not read", async () => {
  const { host, servers } = stage(undefined)
  await host.ready
  let congested = true
  const { fed, pass, performer } = performed(host, { congested: () => congested })
  pass({ jsonrpc: "2.0", id: 0, method: "initialize" })
  await turn()
  const server = servers.at(-1)!
  void server.say({ method: "one" })
  void server.say({ method: "two" })
  await turn()
  expect(fed).toMatchObject([{ _tag: "Said", json: { method: "one" } }])
  congested = false
  await expect.poll(() => fed.length).toBe(2)
  await performer.end()
  expect(server.closed).toBe(true)
})

it("starts no more servers than it may, and says so", async () => {
  const { host, servers } = stage(undefined, 1)
  await host.ready
  const one = performed(host)
  const two = performed(host)
  for (const { pass } of [one, two]) pass({ jsonrpc: "2.0", id: 0, method: "initialize" })
  expect(servers).toHaveLength(2)
  expect(two.fed).toMatchObject([
    { _tag: "Lost", why: expect.stringContaining("there are 1 servers already") as string }
  ])
  await one.performer.end()
  performed(host).pass({ jsonrpc: "2.0", id: 0, method: "initialize" })
  expect(servers).toHaveLength(3)
  await host.close()
})

it("answers by an error what is nested too deep to be written", async () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as never
  const { host } = stage(["2026-07-28"])
  await host.ready
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
  const { sent } = posted(host, { params: { _meta, deep } })
  expect(sent).toMatchObject([{ message: { id: 1, error: { message: "it is nested too deep to be passed on" } } }])
  const { fed, pass } = performed(host)
  pass({ jsonrpc: "2.0", id: 5, method: "x", params: { deep } })
  expect(fed).toMatchObject([{ _tag: "Said", json: { id: 5, error: {} } }])
  await host.close()
})
