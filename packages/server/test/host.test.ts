/** One server over many channels, and sessions whose machine somebody else steps. */
import { link } from "@parley/driver"
import * as Schema from "effect/Schema"
import type { Channel, Frame } from "@parley/driver"
import type { Input, Output, ServerState } from "@parley/core/server"
import { describe, expect, it, vi } from "vitest"
import { byHand } from "../../driver/test/by-hand.js"
import { host } from "../src/host/index.js"
import type { Performable } from "../src/host/index.js"
import type { Call } from "../src/index.js"
import { defineServer, form, live, tool } from "../src/index.js"

const info = { name: "hosted", version: "1.0.0" }
const opening = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {} },
  clientInfo: { name: "c", version: "1" }
}
const ask = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params })
const parsed = (json: unknown, more: Partial<Extract<Frame, { _tag: "Parsed" }>> = {}): Frame => ({
  _tag: "Parsed",
  json,
  via: "a",
  ...more
})

function opened(channel: ReturnType<typeof byHand>): void {
  void channel.on.frame(parsed(ask(1, "initialize", opening)))
  void channel.on.frame(parsed({ jsonrpc: "2.0", method: "notifications/initialized" }))
  channel.sent.length = 0
}

/** A tool that remembers what its calls knew. */
function knowing() {
  const seen: Array<Pick<Call, "principal" | "context">> = []
  const knows = tool("knows", {}, (_, { principal, context }) => {
    seen.push({ principal, context })
    return "known"
  })
  return { seen, knows }
}

describe("a host", () => {
  it("serves nothing before it is ready, and says what to wait for", async () => {
    const hosting = host(defineServer(info, []))
    expect(() => hosting.serve(link()[0])).toThrow("await host.ready first")
    await hosting.ready
    const { closed, feed } = hosting.serve(link()[0])
    feed({ _tag: "Stopping" })
    expect(await closed).toEqual({ _tag: "Closed" })
  })

  it("lets go of a session that is nothing but its state, which another channel goes on with", async () => {
    const one = live(defineServer(info, [tool("a", {}, () => "a")], { declare: { tools: { listChanged: true } } }))
    const hosting = host(one)
    await hosting.ready
    const [first, second] = [byHand(), byHand()] as const
    const before = hosting.serve(first)
    opened(first)
    expect(before.rest()).toBe(true)
    hosting.serve(second, { state: before.state() })
    await one.set([tool("b", {}, () => "b")])
    const heard = [first, second].map(({ sent }) => sent.map(({ message }) => (message as { method?: string }).method))
    expect(heard).toEqual([[], ["notifications/tools/list_changed"]])
    await second.on.frame(parsed(ask(2, "tools/call", { name: "b" })))
    expect(second.sent.at(-1)!.message).toMatchObject({ id: 2, result: { content: [{ text: "b" }] } })
  })

  it("keeps a session that is more than its state", async () => {
    const [reporting, going] = [host(defineServer(info, []), { report: () => undefined }), host(defineServer(info, []))]
    await Promise.all([reporting.ready, going.ready])
    expect(reporting.serve(byHand()).rest()).toBe(false)
    expect(reporting.serve(byHand(), { voice: reporting.voice() }).rest()).toBe(true)
    expect(going.serve(byHand()).rest()).toBe(true)
  })

  it("rejects ready for a schema that was refused, and leaves no rejection that nobody handles", async () => {
    vi.resetModules()
    const { defineServer, tool } = await import("../src/index.js")
    const { host } = await import("../src/host/index.js")
    const union = tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    const unheard = vi.fn<() => void>()
    process.on("unhandledRejection", unheard)
    await expect(host(defineServer(info, [union])).ready).rejects.toThrow("union")
    host(defineServer(info, [union]))
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", unheard)
    expect(unheard).not.toHaveBeenCalled()
  })

  it("has one machine for all its channels", async () => {
    const hosting = host(defineServer(info, []))
    expect(hosting.machine("exchange")).toBe(hosting.machine("exchange"))
    expect(hosting.machine("exchange")).not.toBe(hosting.machine("message"))
  })

  it("keeps its channels apart, and numbers them apart in reports unless they are one conversation", async () => {
    const report = vi.fn<(report: unknown, session: { readonly number: number }) => void>()
    const hosting = host(defineServer(info, []), { report })
    await hosting.ready
    const voice = hosting.voice()
    const numbers = [{}, {}, { voice }, { voice }].map((how) => {
      const channel = byHand()
      hosting.serve(channel, how)
      void channel.on.frame(parsed(ask(1, "none")))
      return report.mock.calls.at(-1)![1].number
    })
    expect(new Set(numbers.slice(0, 3)).size).toBe(3)
    expect(numbers[3]).toBe(numbers[2])
    voice.say({ _tag: "Ignored", method: undefined, id: undefined, why: "of the transport's own" })
    expect(report.mock.calls.at(-1)![1].number).toBe(numbers[2])
  })

  it("tells the channels that follow of a live server's changes, and no other", async () => {
    const declare = { tools: { listChanged: true } } as const
    const subject = live(defineServer(info, [tool("a", {}, () => "")], { declare }))
    const hosting = host(subject)
    await hosting.ready
    const channels = [{}, { follow: false }].map((how) => {
      const channel = byHand()
      hosting.serve(channel, how)
      opened(channel)
      return channel
    })
    await subject.set([tool("b", {}, () => "")])
    expect(channels.map(({ sent }) => sent.length)).toEqual([1, 0])
  })
})

describe("what a channel knows of an exchange", () => {
  it("reaches the handlers of its messages, and of no others", async () => {
    const { seen, knows } = knowing()
    const hosting = host(defineServer(info, [knows]))
    await hosting.ready
    const channel = byHand()
    hosting.serve(channel)
    opened(channel)
    const call = ask(2, "tools/call", { name: "knows" })
    void channel.on.frame(parsed(call, { principal: "ann", context: { a: 1 } }))
    void channel.on.frame({ _tag: "Text", text: JSON.stringify(call), via: "b", principal: "bob", context: 2 })
    void channel.on.frame(parsed(call))
    expect(seen).toEqual([
      { principal: "ann", context: { a: 1 } },
      { principal: "bob", context: 2 },
      { principal: undefined, context: undefined }
    ])
  })

  it("is of the message that led to this run, after a question of the one that brought the answer", async () => {
    const seen: Array<unknown> = []
    const who = form({ type: "object", properties: { name: { type: "string" } }, required: ["name"] })
    const asks = tool("asks", { asks: { who } }, async (_, call) => {
      seen.push([call.principal, call.context])
      return `Hello, ${(await call.ask("who", { message: "Who?" })).name}`
    })
    const hosting = host(defineServer(info, [asks]))
    await hosting.ready
    const channel = byHand()
    hosting.serve(channel)
    opened(channel)
    void channel.on.frame(parsed(ask(2, "tools/call", { name: "asks" }), { principal: "ann", context: 1 }))
    await vi.waitFor(() => expect(channel.sent).toHaveLength(1))
    const { id } = channel.sent[0]!.message as { readonly id: number }
    const result = { action: "accept", content: { name: "Bo" } }
    void channel.on.frame(parsed({ jsonrpc: "2.0", id, result }, { principal: "ann", context: 2 }))
    await vi.waitFor(() => expect(channel.sent).toHaveLength(2))
    expect(seen).toEqual([
      ["ann", 1],
      ["ann", 2]
    ])
  })

  it("ends what runs for it where its revision says so", async () => {
    const signals: Array<AbortSignal> = []
    const slow = tool("slow", {}, (_, { signal }) => {
      signals.push(signal)
      return new Promise<string>(() => undefined)
    })
    const hosting = host(defineServer(info, [slow]))
    await hosting.ready
    const channel: Channel & ReturnType<typeof byHand> = byHand()
    hosting.serve(channel)
    opened(channel)
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {}
    }
    void channel.on.frame(parsed(ask(2, "tools/call", { name: "slow" }), { via: "old" }))
    void channel.on.frame(parsed(ask(3, "tools/call", { name: "slow", _meta }), { via: "new" }))
    void channel.on.frame({ _tag: "ExchangeClosed", via: "old" })
    void channel.on.frame({ _tag: "ExchangeClosed", via: "new" })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
  })
})

describe("release", () => {
  it("names the request and when to come back, while the call runs, and does nothing elsewhere", async () => {
    const calls: Array<Call> = []
    const holds = tool("holds", {}, (_, call) => {
      calls.push(call)
      call.release({ retryMs: 100 })
      return "held"
    })
    const hosting = host(defineServer(info, [holds]))
    await hosting.ready
    const release = vi.fn<() => void>()
    for (const how of [{ release }, {}]) {
      const channel = byHand()
      hosting.serve(channel, how)
      opened(channel)
      void channel.on.frame(parsed(ask(7, "tools/call", { name: "holds" })))
      expect(channel.sent).toHaveLength(1)
    }
    for (const call of calls) call.release()
    expect(release.mock.calls).toEqual([[7, 100]])
  })
})

describe("a performer", () => {
  it("does the work of a machine that somebody else steps", async () => {
    const { seen, knows } = knowing()
    const hosting = host(defineServer(info, [knows]))
    await hosting.ready
    const machine = hosting.machine("message")
    let state: ServerState = machine.initial
    const sent: Array<unknown> = []
    const feed = (input: Input): void => {
      const [next, outputs] = machine.step(state, input)
      state = next
      for (const output of outputs) put(output, input)
    }
    const performer = hosting.performer({ feed, peer: () => undefined, congested: () => false })
    const put = (output: Output, because: Input): void => {
      if (output._tag === "Send") sent.push(output.message)
      else performer.perform(output as Performable, because)
    }
    feed({ _tag: "Received", json: ask(1, "initialize", opening), via: "a" })
    const call: Input & { readonly context: unknown } = {
      _tag: "Received",
      json: ask(2, "tools/call", { name: "knows" }),
      via: "a",
      principal: "ann",
      context: 3
    }
    feed(call)
    expect(seen).toEqual([{ principal: "ann", context: 3 }])
    expect(sent).toMatchObject([{ id: 1 }, { id: 2, result: { content: [{ text: "known" }] } }])
    await performer.end()
  })
})
