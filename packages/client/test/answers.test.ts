/** What a client is given to answer with is what it declares, and no more. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it, vi } from "vitest"
import type { Answers } from "../src/index.js"
import { connect } from "../src/index.js"
import { answering, clientInfo, form } from "./asked.js"
import { hand } from "./hand.js"

describe("what is answered", () => {
  const never = () => Promise.reject(new Error("not asked"))

  it.each<[Answers | undefined, object]>([
    [undefined, {}],
    [{}, {}],
    [{ elicit: never }, { elicitation: { form: {} } }],
    [{ elicit: { form: never } }, { elicitation: { form: {} } }],
    [{ elicit: { url: never } }, { elicitation: { url: {} } }],
    [{ elicit: { form: never, url: never } }, { elicitation: { form: {}, url: {} } }],
    [{ elicit: {} }, {}],
    [{ sample: never }, { sampling: {} }],
    [{ sample: { create: never } }, { sampling: {} }],
    [{ sample: { create: never, tools: true, context: false } }, { sampling: { tools: {} } }],
    [{ sample: { create: never, tools: false, context: true } }, { sampling: { context: {} } }],
    [{ sample: { create: never, tools: true, context: true } }, { sampling: { tools: {}, context: {} } }],
    [{ roots: [] }, { roots: {} }],
    [{ roots: never }, { roots: {} }],
    [{ roots: { list: never } }, { roots: {} }],
    [{ roots: { list: [], listChanged: false } }, { roots: {} }],
    [{ roots: { list: [], listChanged: true } }, { roots: { listChanged: true } }],
    [{ tasks: true, roots: [] }, { roots: {} }],
    [
      { tasks: true, elicit: never },
      { elicitation: { form: {} }, tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } } }
    ],
    [
      { tasks: { most: 5 }, sample: never, elicit: { url: never } },
      {
        sampling: {},
        elicitation: { url: {} },
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } }
      }
    ]
  ])("is what is declared: %o", async (answer, capabilities) => {
    const server = hand()
    await connect(server.channel, answer === undefined ? { clientInfo, revisions } : { clientInfo, revisions, answer })
    expect(server.asked("initialize")[0].params.capabilities).toEqual(capabilities)
  })

  it("is all that is: anything else is refused before a handler is bothered", async () => {
    const roots = vi.fn<() => []>(() => [])
    const { ask } = await answering({ roots })
    expect(await ask("elicitation/create", form({}))).toMatchObject({ error: { code: -32601 } })
    expect(await ask("sampling/createMessage", { messages: [], maxTokens: 1 })).toMatchObject({
      error: { code: -32601 }
    })
    expect(await ask("roots/list", { _meta: 7 })).toMatchObject({ error: { code: -32602 } })
    expect(roots).not.toHaveBeenCalled()
  })
})

describe("roots", () => {
  const here = { uri: "file:///home/me", name: "home" }

  it("are a list or a function, asked each time", async () => {
    const fixed = await answering({ roots: [here] })
    expect((await fixed.ask("roots/list")).result).toEqual({ roots: [here] })
    let roots = [here]
    const asked = await answering({ roots: async () => roots })
    expect((await asked.ask("roots/list")).result).toEqual({ roots: [here] })
    roots = []
    expect((await asked.ask("roots/list")).result).toEqual({ roots: [] })
  })

  it("are told to change only where that was promised", async () => {
    const server = hand()
    const client = await connect(server.channel, {
      clientInfo,
      revisions,
      answer: { roots: { list: [here], listChanged: true } }
    })
    client.rootsChanged()
    await client.ping()
    expect(server.asked("notifications/roots/list_changed")).toHaveLength(1)
    for (const roots of [[here], { list: [here] }, { list: [here], listChanged: false }]) {
      const other = await connect(hand().channel, { clientInfo, revisions, answer: { roots } })
      expect(other).not.toHaveProperty("rootsChanged")
    }
  })

  it("have file URIs, or there is no session", async () => {
    const roots = [{ uri: "https://example.com/" }]
    const server = hand()
    await expect(connect(server.channel, { clientInfo, revisions, answer: { roots } })).rejects.toThrow(
      new TypeError("A root's URI begins with file://, and https://example.com/ does not")
    )
    const { ask, unsendable } = await answering({ roots: () => roots })
    expect(await ask("roots/list")).toMatchObject({ error: { code: -32603 } })
    expect(unsendable()).toEqual([expect.stringContaining("file://")])
  })
})
