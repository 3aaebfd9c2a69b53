/** The server asks: what reaches the handlers, what is sent back, and what is not. */
import { errorOf } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import { describe, expect, it, vi } from "vitest"
import type { AnswerForm, AnswerSample } from "../src/index.js"
import { Rejected } from "../src/index.js"
import { answering, form } from "./asked.js"

describe("a handler that fails", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("secret")
      }
    ],
    ["rejects", () => Promise.reject(new Error("secret"))],
    [
      "throws what is no error",
      () => {
        throw "secret" as never
      }
    ]
  ])("because it %s tells the server nothing but that, and the log why", async (_, elicit) => {
    const { ask, unsendable, server, client } = await answering({ elicit })
    expect((await ask("elicitation/create", form({}))).error).toEqual({
      code: -32603,
      message: "Internal error: elicitation/create could not be answered"
    })
    expect(unsendable()).toEqual(["the handler failed: secret"])
    expect(JSON.stringify(server.heard)).not.toContain("secret")
    await client.ping()
  })
})

describe("a question that was not declared", () => {
  it.each([
    [
      "elicitation/create",
      form({}),
      "Method not found: elicitation/create needs the capability elicitation, which was not declared"
    ],
    [
      "sampling/createMessage",
      { messages: [], maxTokens: 1, tools: [] },
      "Invalid params for sampling/createMessage: tools: expected nothing: the client did not declare sampling.tools"
    ]
  ])("is refused, and the log says so in words: %s", async (method, params, words) => {
    const { ask, reports } = await answering({ sample: () => Promise.reject(new Error("not asked")) })
    expect((await ask(method, params)).error.message).toBe(words)
    const refused = reports.flatMap((report) => (report._tag === "Refused" ? [report] : []))
    expect(refused).toMatchObject([{ method, id: "q1" }])
    expect(errorOf(refused[0]!.failure).message).toBe(words)
  })
})

describe("a question that nobody waits for any more", () => {
  const held = () => {
    const signals: Array<AbortSignal> = []
    let answer: (content: object) => void = () => undefined
    const elicit: AnswerForm = (_, { signal }) => {
      signals.push(signal)
      return new Promise((resolve) => (answer = () => resolve({ action: "accept" })))
    }
    return { signals, elicit, answer: () => answer({}) }
  }
  it("because the server withdrew it aborts its handler, and is not answered", async () => {
    const { signals, elicit, answer } = held()
    const { server, client, unsendable } = await answering({ elicit })
    server.send({ jsonrpc: "2.0", id: "w", method: "elicitation/create", params: form({}) })
    await client.ping()
    server.tell("notifications/cancelled", { requestId: "w", reason: "too late" })
    await client.ping()
    expect(signals[0]).toMatchObject({ aborted: true, reason: new Error("too late") })
    answer()
    await client.ping()
    expect(server.heard.filter(({ id }) => id === "w")).toEqual([])
    expect(unsendable()).toEqual([])
  })

  it("for no reason that the server gave is said to be withdrawn", async () => {
    const { signals, elicit } = held()
    const { server, client } = await answering({ elicit })
    server.send({ jsonrpc: "2.0", id: "w", method: "elicitation/create", params: form({}) })
    await client.ping()
    server.tell("notifications/cancelled", { requestId: "w" })
    await client.ping()
    expect(signals[0]?.reason).toEqual(new Error("the server withdrew the question"))
  })

  it("because the session is over aborts its handler", async () => {
    const { signals, elicit } = held()
    const { server, client } = await answering({ elicit })
    server.send({ jsonrpc: "2.0", id: "w", method: "elicitation/create", params: form({}) })
    await client.ping()
    await client.close()
    expect(signals[0]?.aborted).toBe(true)
  })

  it("because it took too long aborts its handler, and the server is told", async () => {
    const { signals, elicit } = held()
    const { server, client, clock } = await answering({ elicit, timeoutMs: 50 })
    server.send({ jsonrpc: "2.0", id: "w", method: "elicitation/create", params: form({}) })
    await client.ping()
    clock.advance(49)
    expect(signals[0]?.aborted).toBe(false)
    clock.advance(1)
    expect(signals[0]).toMatchObject({ aborted: true, reason: new Error("not answered within 50 ms") })
    expect(await server.until(({ id }) => id === "w")).toMatchObject({ error: { code: -32603 } })
    expect(clock.pending()).toBe(0)
  })
})

describe("progress of an answer", () => {
  it("is told when the server asked for it, and only before the answer", async () => {
    let late: () => void = () => undefined
    const { ask, server, client } = await answering({
      elicit: (_, { progress }) => {
        progress(1, 2, "typing")
        progress(1)
        progress(2)
        late = () => progress(3)
        return { action: "cancel" }
      }
    })
    await ask("elicitation/create", form({}))
    expect(server.asked("notifications/progress")).toEqual([])
    await ask("elicitation/create", { ...form({}), _meta: { progressToken: "t" } })
    late()
    await client.ping()
    expect(server.asked("notifications/progress").map(({ params }) => params)).toEqual([
      { progressToken: "t", progress: 1, total: 2, message: "typing" },
      { progressToken: "t", progress: 2 }
    ])
  })
})

describe("the model", () => {
  const asked = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 9 }
  const text = { type: "text", text: "hello" } as const
  const reply = { role: "assistant", model: "m", stopReason: "endTurn" } as const

  it.each(handshakeRevisions.map(({ name }) => name))("answers what it was asked on %s", async (revision) => {
    const { ask } = await answering({ sample: () => ({ ...reply, content: [text] }) }, revision)
    expect((await ask("sampling/createMessage", asked)).result).toEqual({ ...reply, content: text })
  })

  it("may use tools where that is declared, several at once", async () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} }) as const
    const content = [use("a"), use("b")]
    const { ask } = await answering({ sample: { create: () => ({ ...reply, content }), tools: true } })
    const tools = [{ name: "t", inputSchema: { type: "object" } }]
    expect((await ask("sampling/createMessage", { ...asked, tools })).result).toEqual({ ...reply, content })
  })

  it.each([
    ["is not asked for tools that were not declared", { ...asked, tools: [] }],
    [
      "is not asked with tool results that answer nothing",
      { ...asked, messages: [{ role: "user", content: { type: "tool_result", toolUseId: "x", content: [] } }] }
    ]
  ])("%s", async (_, params) => {
    const sample = vi.fn<AnswerSample>()
    const { ask } = await answering({ sample })
    expect(await ask("sampling/createMessage", params)).toMatchObject({ error: { code: -32602 } })
    expect(sample).not.toHaveBeenCalled()
  })

  it("is not asked when its user rejects it", async () => {
    const { ask, unsendable } = await answering({
      sample: () => {
        throw new Rejected("User rejected sampling request")
      }
    })
    expect((await ask("sampling/createMessage", asked)).error).toEqual({
      code: -1,
      message: "User rejected sampling request"
    })
    expect(unsendable()).toEqual([])
  })

  it("that answers something else is not passed on", async () => {
    const { ask, unsendable } = await answering({ sample: () => ({ content: text }) as never })
    expect(await ask("sampling/createMessage", asked)).toMatchObject({ error: { code: -32603 } })
    expect(unsendable()).toHaveLength(1)
  })
})
