/** What is sealed of a call: refused where it is not what it was, or comes too late or from elsewhere; and how sealing can fail. */
import { serverMachine } from "@parley/core/server"
import { sealer } from "@parley/driver"
import { afterEach, describe, expect, it, vi } from "vitest"
import { serve } from "../src/index.js"
import { able, booking, guests, keys, monday } from "./booking.js"
import { accept, answering, envelope, modern } from "./modern.js"

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe("a state", () => {
  /** Of a first request under that key, with what is done to it. */
  const refused = async (retry: (state: string) => object, options: object = {}, args: object = monday) => {
    const { server, done } = booking()
    const { tool } = modern(server, able, { seal: { keys, ...options } })
    const first = await tool("book", monday)
    const error = await tool("book", args, retry(first.requestState))
    return { error, done }
  }
  const answered = { guests: accept({ guests: 4 }) }

  it.each<[string, (state: string) => string]>([
    ["was changed", (state) => `${state.slice(0, 20)}${state[20] === "A" ? "B" : "A"}${state.slice(21)}`],
    ["lacks its end", (state) => state.slice(0, -4)],
    ["is no seal at all", () => "state"],
    ["is empty", () => ""]
  ])("that %s is refused, and no handler runs", async (_, change) => {
    const { error, done } = await refused((state) => ({ requestState: change(state), inputResponses: answered }))
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("requestState") })
    expect(done).toEqual(["run"])
  })

  it("that is too old is refused, and no handler runs", async () => {
    const { error, done } = await refused((requestState) => ({ requestState, inputResponses: answered }), { ttlMs: 0 })
    expect(error).toMatchObject({ code: -32602 })
    expect(done).toEqual(["run"])
  })

  it("that came with other arguments is refused, and no handler runs", async () => {
    const { error, done } = await refused(
      (requestState) => ({ requestState, inputResponses: answered }),
      {},
      { day: "friday" }
    )
    expect(error).toMatchObject({ code: -32602 })
    expect(done).toEqual(["run"])
  })

  it("is good for as long as a client may take to answer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { tool } = modern(booking().server, able, { askMs: 5_000 })
    const first = await tool("book", monday)
    vi.setSystemTime(Date.now() + 4_999)
    expect(await tool("book", monday, answering(first, answered))).toMatchObject({ resultType: "input_required" })
    vi.setSystemTime(Date.now() + 1)
    expect(await tool("book", monday, answering(first, answered))).toMatchObject({ code: -32602 })
  })

  it.each([
    ["a server of another name", "hotel", keys],
    ["one without the key", "booking", undefined],
    ["one with another key", "booking", [new Uint8Array(32)]]
  ])("is refused by %s", async (_, name, theirs) => {
    const first = await modern(booking().server, able, { seal: { keys } }).tool("book", monday)
    const { server, done } = booking(name)
    const other = modern(server, able, theirs === undefined ? {} : { seal: { keys: theirs } })
    expect(await other.tool("book", monday, answering(first, answered))).toMatchObject({ code: -32602 })
    expect(done).toEqual([])
  })

  it("is refused when another user brings it", async () => {
    const machine = serverMachine(booking().server.definition)
    const { seal, unseal } = sealer({ name: "booking", keys })
    const request = (id: number, more: object = {}) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "book", arguments: monday, ...more, _meta: envelope(able) }
    })
    const receive = (json: unknown, principal?: string) =>
      machine.step(machine.initial, { _tag: "Received", json, via: "a", principal })
    const [invoked, [invoke]] = receive(request(1), "ann")
    if (invoke?._tag !== "Invoke") throw new Error("no handler")
    const questions = [{ key: "guests", method: "elicitation/create", params: guests.params({ message: "?" }) }]
    const { call, id } = invoke
    const [, [sealing]] = machine.step(invoked, { _tag: "NeedsInput", call, id, questions, once: {} })
    if (sealing?._tag !== "Seal") throw new Error("no seal")
    const requestState = await seal(sealing.payload, sealing.bound)
    for (const [principal, opened] of [
      ["ann", true],
      ["bob", false],
      [undefined, false]
    ] as const) {
      const [, [unsealing]] = receive(request(2, { requestState }), principal)
      if (unsealing?._tag !== "Unseal") throw new Error("nothing is opened")
      expect((await unseal(unsealing.token, unsealing.bound)) !== undefined).toBe(opened)
    }
  })
})

describe("a server that stops while something is being sealed", () => {
  /** Sealing takes until it is told to go on. */
  const stopping = async (drainMs?: number) => {
    let go!: () => void
    const gate = new Promise<void>((resolve) => (go = resolve))
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
    const sealing = new Promise<void>((begun) => {
      vi.spyOn(crypto.subtle, "encrypt").mockImplementation(async (...given) => {
        begun()
        await gate
        return encrypt(...given)
      })
    })
    const { ask, serving, heard } = modern(booking().server, able, drainMs === undefined ? {} : { drainMs })
    void ask("tools/call", { name: "book", arguments: monday }, "last").catch(() => undefined)
    await sealing
    return { closed: serving.close(), go, last: () => heard.filter(({ id }) => id === "last") }
  }

  it("still sends what it asks, and is done", async () => {
    const { closed, go, last } = await stopping()
    go()
    await closed
    expect(last()).toEqual([
      expect.objectContaining({ result: expect.objectContaining({ resultType: "input_required" }) })
    ])
  })

  it("answers with an error when that takes too long, and is done", async () => {
    const { closed, last } = await stopping(0)
    await closed
    expect(last()).toEqual([expect.objectContaining({ error: expect.objectContaining({ code: -32603 }) })])
  })
})

it("fails the call, and is told to crashed, when the platform can not seal", async () => {
  vi.spyOn(crypto.subtle, "encrypt").mockRejectedValue(new Error("no crypto"))
  const { tool, crashes } = modern(booking().server, able, { report: () => undefined })
  expect(await tool("book", monday)).toMatchObject({
    isError: true,
    content: [{ text: "The tool book failed: what it remembers between its questions could not be sealed." }]
  })
  expect(crashes).toEqual([["the sealing of a question", new Error("no crypto")]])
})

it.each([
  ["no key", { keys: [] }, "a list of keys, at least one, each a Uint8Array of 32 random bytes"],
  ["a text for a list", { keys: "x".repeat(64) }, "a list of keys"],
  ["null for a list", { keys: null }, "a list of keys"],
  ["a key for a list", { keys: new Uint8Array(32) }, "a list of keys"],
  ["a text as key", { keys: ["secret"] }, "a list of keys, at least one, each a Uint8Array of 32 random bytes"],
  ["a negative time", { ttlMs: -1 }, "seal.ttlMs"],
  ["an option that is none", { key: 1 }, "seal.key"]
])("is refused at once with %s", (_, seal, why) => {
  const channel = { cancels: "message", open() {}, send() {}, abort() {}, close: async () => undefined } as const
  expect(() => serve(booking().server, channel, { seal: seal as never })).toThrow(why)
})
