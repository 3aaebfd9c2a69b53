/** Streams of notifications: one for all that is wanted, replaced without a gap, and what becomes of what is not told. */
import { describe, expect, it, vi } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { listened } from "./listened.js"

const uri = "note://today"
const other = "note://other"
const toolsChanged = "notifications/tools/list_changed"
const ignore = () => {}

describe("what is wanted", () => {
  it("is asked for in one request, and given up when nobody wants it any more", async () => {
    const { client, told, streams } = await listened()
    const stop = [client.on(toolsChanged, ignore), client.on(toolsChanged, ignore)]
    const [first, second] = [client.subscribe(uri), client.subscribe(other)]
    await Promise.all([first.ready, second.ready])
    const [id] = streams()
    expect(await told()).toEqual([[id, { toolsListChanged: true, resourceSubscriptions: [uri, other] }]])
    stop[0]!()
    stop[0]!()
    expect(await told()).toHaveLength(1)
    stop[1]!()
    first.close()
    second.close()
    expect((await told()).slice(1)).toEqual([[id, "over"]])
  })

  it("is asked for anew when it changes, and the stream before goes when the new one has begun", async () => {
    const { client, server, told, streams, acknowledge, updated } = await listened()
    const first = client.subscribe(uri)
    await first.ready
    server.answers["subscriptions/listen"] = () => undefined
    const second = client.subscribe(other)
    const [a] = streams()
    expect(await told()).toHaveLength(2)
    const [, b] = streams()
    updated(a!, uri)
    expect((await first.next()).value).toMatchObject({ uri })
    acknowledge(b!)
    await second.ready
    expect(await told()).toEqual([
      [a, { resourceSubscriptions: [uri] }],
      [b, { resourceSubscriptions: [uri, other] }],
      [a, "over"]
    ])
    updated(b!, uri)
    updated(b!, other)
    expect([(await first.next()).value, (await second.next()).value]).toMatchObject([{ uri }, { uri: other }])
  })

  it("is heard by its listeners, once for each time that it is told", async () => {
    const { client, tell, streams, settled } = await listened()
    const heard = vi.fn<() => void>()
    const stop = client.on(toolsChanged, heard)
    await settled()
    tell(streams()[0]!, "tools/list_changed")
    await settled()
    expect(heard).toHaveBeenCalledTimes(1)
    stop()
    await settled()
    tell(streams()[0]!, "tools/list_changed")
    await settled()
    expect(heard).toHaveBeenCalledTimes(1)
  })

  it("is asked for once when it is wanted and not, and wanted again, in one moment", async () => {
    const { client, told, streams } = await listened()
    client.subscribe(uri).close()
    client.on(toolsChanged, ignore)()
    const again = client.subscribe(uri)
    await again.ready
    expect(await told()).toEqual([[streams()[0], { resourceSubscriptions: [uri] }]])
  })

  it("from the opening on is asked for at once: by listeners, and all of it by who hears everything", async () => {
    const some = await listened({}, { on: { [toolsChanged]: ignore, "notifications/message": ignore } })
    expect(await some.told()).toEqual([[some.streams()[0], { toolsListChanged: true }]])
    const heard = vi.fn<(method: string) => void>()
    const all = await listened(
      { capabilities: { tools: { listChanged: true }, prompts: {} } },
      { onNotification: heard }
    )
    expect(await all.told()).toEqual([[all.streams()[0], { toolsListChanged: true }]])
    all.tell(all.streams()[0]!, "tools/list_changed")
    await all.settled()
    expect(heard.mock.calls.map(([method]) => method)).toEqual([toolsChanged])
  })

  it("that is left and wanted again while a stream is about to begin is told by that one", async () => {
    const { client, server, streams, settled, acknowledge, updated, told } = await listened()
    const first = client.subscribe(uri)
    await first.ready
    server.answers["subscriptions/listen"] = () => undefined
    client.on(toolsChanged, ignore)
    await settled()
    first.close()
    const again = client.subscribe(uri)
    await settled()
    const [, b] = streams()
    acknowledge(b!)
    await again.ready
    updated(b!, uri)
    expect((await again.next()).value).toMatchObject({ uri })
    expect(await told()).toHaveLength(3)
  })

  it("is not asked for where the server did not declare it", async () => {
    const { client, told } = await listened({ capabilities: { tools: {}, resources: {} } })
    client.on(toolsChanged, ignore)
    await expect(client.subscribe(uri).ready).rejects.toMatchObject({
      reason: { _tag: "MethodUndeclared", needs: "resources.subscribe", declared: ["tools", "resources"] }
    })
    expect(await told()).toEqual([])
  })

  it("is not asked for by listening to what comes without", async () => {
    const { client, told } = await listened()
    client.on("notifications/message", ignore)
    client.on("notifications/resources/updated", ignore)
    expect(await told()).toEqual([])
  })
})

describe("what the server does not tell", () => {
  it("of a resource is an error of its subscription, and the others go on", async () => {
    const { client, server, acknowledge, updated, streams, told } = await listened()
    server.answers["subscriptions/listen"] = (_, id) => acknowledge(id, { resourceSubscriptions: [uri] })
    const [own, lost] = [client.subscribe(uri), client.subscribe(other)]
    await own.ready
    await expect(lost.ready).rejects.toMatchObject({
      message: "The server does not tell of changes to note://other",
      reason: { _tag: "Unwatchable", uri: other }
    })
    await expect(lost.next()).rejects.toMatchObject({ reason: { _tag: "Unwatchable" } })
    expect(await told()).toHaveLength(1)
    updated(streams()[0]!, uri)
    expect((await own.next()).value).toMatchObject({ uri })
    server.answers["subscriptions/listen"] = (_, id) => acknowledge(id)
    await client.subscribe(other).ready
  })

  it("of a list is reported, once", async () => {
    const { client, server, acknowledge, ignored, settled } = await listened()
    server.answers["subscriptions/listen"] = (_, id) => acknowledge(id, {})
    client.on(toolsChanged, ignore)
    await settled()
    client.on("notifications/prompts/list_changed", ignore)
    await settled()
    expect(ignored()).toEqual([
      "the server does not tell of toolsListChanged",
      "the server does not tell of promptsListChanged"
    ])
  })

  it("because it refuses the stream is an error of who waits, and the stream before goes on", async () => {
    const { client, server, updated, streams, told, ignored } = await listened()
    const first = client.subscribe(uri)
    await first.ready
    const refusal = { error: { code: -32603, message: "Too many subscriptions" } }
    server.answers["subscriptions/listen"] = () => refusal
    const second = client.subscribe(other)
    await expect(second.ready).rejects.toMatchObject({ code: -32603 })
    client.on(toolsChanged, ignore)
    await told()
    const [a] = streams()
    updated(a!, uri)
    expect((await first.next()).value).toMatchObject({ uri })
    expect((await told()).filter(([, what]) => what === "over")).toEqual([])
    expect(ignored()).toContainEqual(
      "the server does not tell of toolsListChanged: subscriptions/listen was answered with error -32603: Too many subscriptions"
    )
    const before = streams().length
    await expect(client.subscribe(other).ready).rejects.toMatchObject({ code: -32603 })
    expect(streams().length).toBeGreaterThan(before)
  })

  it("because it ends the stream before it began is an error of who waits, and can be asked for again", async () => {
    const { client, server } = await listened()
    server.answers["subscriptions/listen"] = (_, id) => ({ _meta: { "io.modelcontextprotocol/subscriptionId": id } })
    client.on(toolsChanged, ignore)
    await expect(client.subscribe(uri).ready).rejects.toThrow("before it acknowledged it")
    await expect(client.subscribe(other).ready).rejects.toThrow("before it acknowledged it")
    await client.close()
  })

  it("because it refused the stream can be asked for again", async () => {
    const refusal = { error: { code: -32603, message: "not now" } }
    const { client, server, acknowledge } = await listened({ answers: { "subscriptions/listen": () => refusal } })
    await expect(client.subscribe(uri).ready).rejects.toMatchObject({ code: -32603 })
    server.answers["subscriptions/listen"] = (_, id) => acknowledge(id)
    await client.subscribe(uri).ready
  })

  it("in time is an error too, and is given up", async () => {
    const clock = simulated()
    const { client, server, told, streams } = await listened(
      { answers: { "subscriptions/listen": () => undefined } },
      { clock }
    )
    const subscription = client.subscribe(uri, { timeoutMs: 50 })
    await server.until(({ method }) => method === "subscriptions/listen")
    clock.advance(50)
    await expect(subscription.ready).rejects.toMatchObject({ reason: { _tag: "TimedOut", ms: 50 } })
    expect((await told()).at(-1)).toEqual([streams()[0], "over"])
  })
})

describe("a stream that the server ends", () => {
  it("ends the subscriptions, and is asked for again after a while, or when something is wanted", async () => {
    const { client, end, streams, told, ignored } = await listened()
    client.on(toolsChanged, ignore)
    const subscription = client.subscribe(uri)
    await subscription.ready
    const next = subscription.next()
    end(streams()[0]!)
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await told()).toHaveLength(1)
    expect(ignored()).toEqual([expect.stringMatching(/^the server ended the stream; it is asked for again in \d+ ms$/)])
    const again = client.subscribe(other)
    await again.ready
    expect((await told()).at(-1)).toEqual([streams()[1], { toolsListChanged: true, resourceSubscriptions: [other] }])
  })

  it("with an error throws it to who reads", async () => {
    const { client, server, streams } = await listened()
    const subscription = client.subscribe(uri)
    await subscription.ready
    server.send({ jsonrpc: "2.0", id: streams()[0], error: { code: -32603, message: "broken" } })
    await expect(subscription.next()).rejects.toMatchObject({ code: -32603 })
  })

  it("while another one is about to begin loses nothing that the new one tells", async () => {
    const { client, server, end, streams, acknowledge, settled, updated } = await listened()
    const [first, dropped] = [client.subscribe(uri), client.subscribe("note://dropped")]
    await Promise.all([first.ready, dropped.ready])
    server.answers["subscriptions/listen"] = () => undefined
    const second = client.subscribe(other)
    await settled()
    const [a, b] = streams()
    end(a!)
    await settled()
    acknowledge(b!, { resourceSubscriptions: [uri, other] })
    await second.ready
    updated(b!, uri)
    expect((await first.next()).value).toMatchObject({ uri })
    await expect(dropped.next()).rejects.toMatchObject({ reason: { _tag: "Unwatchable", uri: "note://dropped" } })
  })

  it("while another one is about to be refused ends what it told", async () => {
    const { client, server, end, streams, settled } = await listened()
    const first = client.subscribe(uri)
    await first.ready
    server.answers["subscriptions/listen"] = () => undefined
    const second = client.subscribe(other)
    await settled()
    const [a, b] = streams()
    end(a!)
    server.send({ jsonrpc: "2.0", id: b, error: { code: -32603, message: "no" } })
    await expect(second.ready).rejects.toMatchObject({ code: -32603 })
    await expect(first.next()).rejects.toMatchObject({ code: -32603 })
  })

  it.each(["close", "leave"])("with the session ends the subscriptions, and says nothing: %s", async (how) => {
    const { client, server, ignored } = await listened()
    client.on(toolsChanged, ignore)
    const subscription = client.subscribe(uri)
    await subscription.ready
    const next = subscription.next()
    await (how === "close" ? client.close() : server.leave())
    expect(await next).toEqual({ done: true, value: undefined })
    await client.closed
    expect(ignored()).toEqual([])
    await expect(client.subscribe(uri).next()).rejects.toMatchObject({ reason: { _tag: "NotOpen" } })
  })
})
