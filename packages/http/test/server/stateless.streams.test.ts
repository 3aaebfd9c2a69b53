/** 2026-07-28 over HTTP: when an answer is a stream, and what becomes of it when either side ends. */
import { defineServer, live, resource, tool } from "@parley/server"
import { describe, expect, it, vi } from "vitest"
import { simulated } from "../../../driver/test/simulated.js"
import { asking, body, meta, turns } from "./asking.js"
import { call, held, info, server } from "./served.js"

describe("an answer", () => {
  it("is a stream as soon as something comes before the reply", async () => {
    const { slow, calls } = held()
    const { post } = await asking(defineServer(info, [slow]))
    const asked = body("tools/call", { name: "slow", _meta: { ...meta, progressToken: "t" } })
    const answer = await post(asked)
    expect(answer.status()).toBeUndefined()
    calls[0]!.call.progress(1)
    expect(answer.headers()).toMatchObject({
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
      "cache-control": "no-store"
    })
    expect(answer.messages()).toMatchObject([{ method: "notifications/progress", params: { progress: 1 } }])
    calls[0]!.end("done")
    await turns()
    expect(answer.messages()[1]).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } })
    expect(answer.ended()).toBe(true)
  })

  it("is a stream when it takes long, and shows from time to time that it is alive", async () => {
    const clock = simulated()
    const { slow, calls } = held()
    const { post } = await asking(defineServer(info, [slow]), { clock, streamAfterMs: 2_000, keepAliveMs: 15_000 })
    const answer = await post(call("slow"))
    clock.advance(1_900)
    expect(answer.status()).toBeUndefined()
    clock.advance(700)
    expect(answer.written()).toBe(":\n\n")
    clock.advance(14_000)
    expect(answer.written()).toBe(":\n\n")
    clock.advance(3_000)
    expect(answer.written()).toBe(":\n\n:\n\n")
    calls[0]!.end("done")
    await turns()
    expect(answer.messages()).toMatchObject([{ id: 1 }])
    expect(answer.ended()).toBe(true)
  })

  it("is one JSON text for who takes no stream, however long it takes and whatever comes before", async () => {
    const clock = simulated()
    const { slow, calls } = held()
    const { post } = await asking(defineServer(info, [slow]), { clock })
    const asked = body("tools/call", { name: "slow", _meta: { ...meta, progressToken: "t" } })
    const answer = await post(asked, { accept: "application/json" })
    calls[0]!.call.progress(1)
    clock.advance(100_000)
    expect(answer.status()).toBeUndefined()
    calls[0]!.end("done")
    await turns()
    expect([answer.status(), answer.json().result.content[0].text]).toEqual([200, "done"])
  })

  it("is a stream for who takes nothing else, but an error is not", async () => {
    const { post } = await asking(server)
    const answer = await post(call("plain"), { accept: "text/event-stream" })
    expect(answer.messages()).toMatchObject([{ id: 1, result: {} }])
    expect(answer.ended()).toBe(true)
    const error = await post(body("none"), { accept: "text/event-stream" })
    expect([error.status(), error.streams()]).toEqual([404, false])
  })

  it("that JSON can not say is an error", async () => {
    const crashed = vi.fn<() => void>()
    const odd = tool("odd", {}, () => ({ content: [], structuredContent: { big: 1n } }) as never)
    const { post } = await asking(defineServer(info, [odd]), { crashed })
    const answer = await post(call("odd"))
    expect(answer.status()).toBe(200)
    expect(answer.json()).toMatchObject({ id: 1 })
    expect(crashed).toHaveBeenCalledOnce()
  })

  it("waits while the client does not read: progress is left out then, and the reply is not", async () => {
    const { slow, calls } = held()
    const { post } = await asking(defineServer(info, [slow]))
    const answer = await post(body("tools/call", { name: "slow", _meta: { ...meta, progressToken: "t" } }))
    answer.clog()
    for (let at = 1; at <= 100; at++) calls[0]!.call.progress(at)
    expect(answer.messages()).toHaveLength(1)
    calls[0]!.end("done")
    await turns()
    expect(answer.messages()).toHaveLength(2)
  })
})

describe("a client that goes", () => {
  it.each([["before its answer began"], ["in the middle of its stream"]])("cancels its request, %s", async (when) => {
    const { slow, calls } = held()
    const report = vi.fn<(report: { readonly _tag: string }) => void>()
    const { post, endpoint } = await asking(defineServer(info, [slow]), { report: (said) => report(said) })
    const answer = await post(body("tools/call", { name: "slow", _meta: { ...meta, progressToken: "t" } }))
    if (when !== "before its answer began") calls[0]!.call.progress(1)
    const { signal } = calls[0]!.call
    const { length } = answer.written()
    answer.leave()
    expect(signal.aborted).toBe(true)
    calls[0]!.end("too late")
    await turns()
    expect(answer.written()).toHaveLength(length)
    expect(endpoint.count().answers).toBe(0)
    expect(report).toHaveBeenCalledWith(expect.objectContaining({ _tag: "Cancelled" }))
  })
})

describe("subscriptions/listen", () => {
  const changing = () => {
    const one = tool("one", {}, () => "1")
    const declare = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } as const
    return live(defineServer(info, [one, resource("test://one", { name: "one" }, () => "one")], { declare }))
  }
  const listen = body("subscriptions/listen", {
    notifications: { toolsListChanged: true, resourceSubscriptions: ["test://one"] }
  })
  const two = [tool("two", {}, () => "2"), resource("test://one", { name: "one" }, () => "one")]

  it("is a stream that begins at once and tells of what changes", async () => {
    const subject = changing()
    const { post } = await asking(subject)
    const answer = await post(listen)
    expect(answer.messages()).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }])
    await subject.set(two)
    subject.updated("test://one")
    expect(answer.messages().slice(1)).toMatchObject([
      { method: "notifications/tools/list_changed" },
      { method: "notifications/resources/updated", params: { uri: "test://one" } }
    ])
    expect((await post(call("two"))).json().result.content[0].text).toBe("2")
  })

  it("keeps nothing of a client that has gone", async () => {
    const subject = changing()
    const watched = { listeners: 0 }
    const { onChange } = subject
    const counting: typeof onChange = (changed) => {
      watched.listeners++
      const forget = onChange(changed)
      return () => {
        watched.listeners--
        return forget()
      }
    }
    const { post, endpoint } = await asking(Object.defineProperties(subject, { onChange: { value: counting } }))
    const before = watched.listeners
    const answers = [await post(listen), await post(listen)]
    expect(watched.listeners).toBe(before + 2)
    for (const answer of answers) answer.leave()
    await turns()
    expect([watched.listeners, endpoint.count().answers]).toEqual([before, 0])
    expect((await post(call("one"))).status()).toBe(200)
    expect(watched.listeners).toBe(before)
  })

  it("is answered when the server ends it, and then the stream ends", async () => {
    const { post, endpoint } = await asking(changing())
    const answer = await post(listen)
    await endpoint.close()
    expect(answer.messages().at(-1)).toMatchObject({ id: 1, result: { resultType: "complete" } })
    expect(answer.ended()).toBe(true)
    expect((await post(call("one"))).status()).toBe(503)
  })

  it("needs a client that takes streams, and there are so many of them for one client", async () => {
    const { post } = await asking(changing(), { maxStreamsPerClient: 1 })
    expect((await post(listen, { accept: "application/json" })).status()).toBe(406)
    const one = await post(listen, {}, { from: "a" })
    const more = await post(listen, {}, { from: "a" })
    expect([more.status(), more.json().id]).toEqual([429, 1])
    expect((await post(listen, {}, { from: "b" })).streams()).toBe(true)
    expect((await post(call("one"), {}, { from: "a" })).status()).toBe(200)
    one.leave()
    expect((await post(listen, {}, { from: "a" })).streams()).toBe(true)
  })

  it("tells a reader that was stopped of each change once, when it reads again", async () => {
    const subject = changing()
    const { post } = await asking(subject)
    const answer = await post(listen)
    answer.clog()
    for (let n = 0; n < 50; n++) subject.updated("test://one")
    const { length } = answer.messages()
    expect(length).toBeLessThan(4)
    answer.ease()
    await turns()
    expect(answer.messages()).toHaveLength(length + 1)
  })
})

describe("close", () => {
  it("answers what was accepted, and what outlasts drainMs with an error", async () => {
    const clock = simulated()
    const { slow, calls } = held()
    const { post, endpoint } = await asking(defineServer(info, [slow]), { clock, drainMs: 1_000 })
    const [one, two] = [await post(call("slow")), await post(call("slow"))]
    let closed = false
    void endpoint.close().then(() => (closed = true))
    calls[0]!.end("one")
    await turns()
    expect(one.json().result.content[0].text).toBe("one")
    expect(closed).toBe(false)
    clock.advance(1_100)
    await turns()
    expect([two.status(), two.json().error.message]).toEqual([503, "The server is stopping"])
    expect(closed).toBe(true)
  })

  it("does not wait for a client that goes meanwhile", async () => {
    const { slow } = held()
    const { post, endpoint } = await asking(defineServer(info, [slow]))
    const answer = await post(call("slow"))
    const closed = endpoint.close()
    answer.leave()
    await closed
    expect(answer.status()).toBeUndefined()
  })
})
