/** Resources that are watched: one subscription for each URI, and updates for whoever reads. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { connect } from "../src/index.js"
import type { HandOptions } from "./hand.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const uri = "note://today"

async function watching(options: HandOptions = {}) {
  const server = hand({
    capabilities: { resources: { subscribe: true } },
    ...options,
    answers: { "resources/subscribe": () => ({}), "resources/unsubscribe": () => ({}), ...options.answers }
  })
  const client = await connect(server.channel, { clientInfo, revisions })
  const updated = (uri: string, more: object = {}) => server.tell("notifications/resources/updated", { uri, ...more })
  /** What the server was asked for, in order. */
  const asked = async () => {
    for (let i = 0; i < 3; i++) await client.ping()
    return server.heard.flatMap(({ method, params }) =>
      /^resources\/(un)?subscribe$/.test(method) ? [`${method.slice("resources/".length)} ${params.uri}`] : []
    )
  }
  return { server, client, updated, asked }
}

describe("a subscription", () => {
  it("gives the updates of its resource, and unsubscribes when its reader leaves", async () => {
    const { client, updated, asked } = await watching()
    const seen: Array<string> = []
    const subscription = client.subscribe(uri)
    await subscription.ready
    updated(uri)
    updated("note://other")
    for await (const update of subscription) {
      seen.push(update.uri)
      if (seen.length === 2) break
      updated(uri)
    }
    expect(seen).toEqual([uri, uri])
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`])
    expect(await subscription.next()).toEqual({ done: true, value: undefined })
  })

  it("gives an update that was not read once, the newest", async () => {
    const { client, updated, asked } = await watching()
    const subscription = client.subscribe(uri)
    for (const n of [1, 2, 3]) updated(uri, { _meta: { n } })
    await asked()
    expect(await subscription.next()).toEqual({ done: false, value: { uri, _meta: { n: 3 } } })
    const next = subscription.next()
    updated(uri, { _meta: { n: 4 } })
    expect((await next).value).toEqual({ uri, _meta: { n: 4 } })
  })

  it("gives the updates of what lies below its URI", async () => {
    const { client, updated, asked } = await watching()
    const [folder, file] = [client.subscribe("file:///a/"), client.subscribe("file:///a/b")]
    for (const below of ["file:///a/b", "file:///a/bc", "file:///a/b/c", "file:///a/b#x", "file:///"]) updated(below)
    await asked()
    const all = async (of: typeof file) => {
      const seen: Array<string> = []
      for await (const { uri } of of) if (seen.push(uri) === (of === folder ? 4 : 3)) break
      return seen
    }
    expect(await all(folder)).toEqual(["file:///a/b", "file:///a/bc", "file:///a/b/c", "file:///a/b#x"])
    expect(await all(file)).toEqual(["file:///a/b", "file:///a/b/c", "file:///a/b#x"])
  })

  it("is one at the server, however many read it, until the last one leaves", async () => {
    const { client, updated, asked } = await watching()
    const [first, second] = [client.subscribe(uri), client.subscribe(uri)]
    await Promise.all([first.ready, second.ready])
    const both = [first.next(), second.next()]
    updated(uri)
    expect((await Promise.all(both)).map(({ value }) => value)).toEqual([{ uri }, { uri }])
    first.close()
    first.close()
    expect(await asked()).toEqual([`subscribe ${uri}`])
    second.close()
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`])
    await client.subscribe(uri).ready
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`, `subscribe ${uri}`])
  })

  it("that is left before it is confirmed is given up once it is", async () => {
    const { client, server, asked } = await watching({ answers: { "resources/subscribe": () => undefined } })
    const subscription = client.subscribe(uri)
    subscription.close()
    expect(await asked()).toEqual([`subscribe ${uri}`])
    server.send({ jsonrpc: "2.0", id: server.asked("resources/subscribe")[0].id, result: {} })
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`])
  })

  it("that was left and is wanted again waits for its turn", async () => {
    const { client, server, asked } = await watching({ answers: { "resources/unsubscribe": () => undefined } })
    const first = client.subscribe(uri)
    await first.ready
    first.close()
    const second = client.subscribe(uri)
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`])
    server.send({ jsonrpc: "2.0", id: server.asked("resources/unsubscribe")[0].id, result: {} })
    await second.ready
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`, `subscribe ${uri}`])
  })

  it("that was left and is wanted again does not mind that the server did not let go", async () => {
    const { client, server, asked } = await watching({ answers: { "resources/unsubscribe": () => undefined } })
    const first = client.subscribe(uri)
    await first.ready
    first.close()
    const second = client.subscribe(uri)
    await asked()
    const { id } = server.asked("resources/unsubscribe")[0]
    server.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } })
    await second.ready
    expect(await asked()).toHaveLength(3)
  })

  it("that the server refuses throws to all who read it, and can be tried again", async () => {
    const { client, server } = await watching({
      answers: { "resources/subscribe": () => ({ error: { code: -32002, message: "Resource not found" } }) }
    })
    const both = [client.subscribe(uri), client.subscribe(uri)]
    for (const one of both) {
      await expect(one.ready).rejects.toMatchObject({ code: -32002 })
      await expect(one.next()).rejects.toMatchObject({ code: -32002 })
      expect(await one.next()).toEqual({ done: true, value: undefined })
    }
    server.answers["resources/subscribe"] = () => ({})
    await client.subscribe(uri).ready
  })

  it("is not asked for where the server did not declare it", async () => {
    const { client, asked } = await watching({ capabilities: { resources: {} } })
    const reading = (async () => {
      for await (const _ of client.subscribe(uri)) void _
    })()
    await expect(reading).rejects.toMatchObject({
      reason: { _tag: "MethodUndeclared", needs: "resources.subscribe" }
    })
    expect(await asked()).toEqual([])
  })

  it("that the server does not let go of ends all the same", async () => {
    const { client, asked } = await watching({
      answers: { "resources/unsubscribe": () => ({ error: { code: -32603, message: "no" } }) }
    })
    const subscription = client.subscribe(uri)
    await subscription.ready
    subscription.close()
    expect(await asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`])
    await client.subscribe(uri).ready
    expect(await asked()).toHaveLength(3)
  })

  it.each(["close", "leave"])("ends with the session: %s", async (end) => {
    const { client, server } = await watching()
    const subscription = client.subscribe(uri)
    await subscription.ready
    const next = subscription.next()
    await (end === "close" ? client.close() : server.leave())
    expect(await next).toEqual({ done: true, value: undefined })
    await expect(client.subscribe(uri).next()).rejects.toMatchObject({ reason: { _tag: "NotOpen" } })
    expect(server.asked("resources/unsubscribe")).toEqual([])
  })

  it("ends when its signal says so, and listens to it no longer", async () => {
    const { client, asked } = await watching()
    const controller = new AbortController()
    const [own, other] = [client.subscribe(uri, { signal: controller.signal }), client.subscribe(uri)]
    await Promise.all([own.ready, other.ready])
    const next = own.next()
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await asked()).toEqual([`subscribe ${uri}`])
    const never = client.subscribe("note://never", { signal: AbortSignal.abort() })
    await never.ready
    expect(await never.next()).toEqual({ done: true, value: undefined })
    expect(await asked()).toEqual([`subscribe ${uri}`])
  })

  it("keeps no more than a thousand updates for a reader who does not come", async () => {
    const { client, updated, asked } = await watching()
    const subscription = client.subscribe("a:b")
    for (let n = 0; n < 1_100; n++) updated(`a:b/${n}`)
    await asked()
    expect((await subscription.next()).value).toEqual({ uri: "a:b/100" })
  })
})
