/** Questions that a row takes and the client does not: undeclared modes and parts, and tool uses without results. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import type { RevisionName } from "../../src/revision.js"
import { handshakeRevisions } from "../../src/revisions/index.js"
import { ask, define, offered, opened, revisionNames, session } from "./by-hand.js"

const form = { message: "m", requestedSchema: { type: "object", properties: {} } }
const page = { mode: "url", message: "m", url: "https://example.com/", elicitationId: "e" }

const asking = (capabilities: JsonObject, method: string, params: object, revision: RevisionName = "2025-11-25") => {
  const [first] = opened(revision, offered, define(capabilities)).hear(ask(1, method, params))
  return first?._tag === "Ask" ? "asked" : (first as { message: { error: unknown } }).message.error
}

const refused = (method: string, what: string) => ({
  code: -32602,
  message: `Invalid params for ${method}: ${what}`
})

describe("elicitation", () => {
  it.each([{ elicitation: {} }, { elicitation: { form: {} } }])(
    "by pages is refused where forms are declared: %j",
    (declared) => {
      expect(asking(declared, "elicitation/create", form)).toBe("asked")
      expect(asking(declared, "elicitation/create", { ...form, mode: "form" })).toBe("asked")
      expect(asking(declared, "elicitation/create", page)).toEqual(
        refused("elicitation/create", "mode: expected form: the client did not declare url")
      )
    }
  )

  it("by forms is refused where only pages are declared, on every revision", () => {
    const declared = { elicitation: { url: {} } }
    expect(asking(declared, "elicitation/create", page)).toBe("asked")
    for (const revision of ["2025-06-18", "2025-11-25"] as const)
      expect(asking(declared, "elicitation/create", form, revision)).toEqual(
        refused("elicitation/create", "mode: expected url: the client did not declare form")
      )
  })

  it("takes both where both are declared", () => {
    for (const params of [form, page])
      expect(asking({ elicitation: { form: {}, url: {} } }, "elicitation/create", params)).toBe("asked")
  })
})

describe("sampling", () => {
  const messages = [{ role: "user", content: { type: "text", text: "hi" } }]
  const tools = [{ name: "t", inputSchema: { type: "object" } }]

  it.each([
    ["tools", { tools }],
    ["toolChoice", { toolChoice: { mode: "none" } }]
  ])("with %s is refused where it is not declared", (key, more) => {
    const params = { messages, maxTokens: 1, ...more }
    expect(asking({ sampling: {} }, "sampling/createMessage", params)).toEqual(
      refused("sampling/createMessage", `${key}: expected nothing: the client did not declare sampling.tools`)
    )
    expect(asking({ sampling: { tools: {} } }, "sampling/createMessage", params)).toBe("asked")
  })

  it.each(revisionNames.filter((name) => name !== "2025-11-25"))(
    "has no tools on %s, where they mean nothing",
    (revision) => {
      expect(asking({ sampling: {} }, "sampling/createMessage", { messages, maxTokens: 1, tools }, revision)).toBe(
        "asked"
      )
    }
  )

  const text = { type: "text", text: "x" }
  const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} })
  const done = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [] })
  const user = (...content: ReadonlyArray<object>) => ({ role: "user", content })
  const assistant = (...content: ReadonlyArray<object>) => ({ role: "assistant", content })
  const sampling = (...messages: ReadonlyArray<object>) =>
    asking({ sampling: { tools: {} } }, "sampling/createMessage", { messages, maxTokens: 1 })

  it("takes tool uses that are all answered by the next message, in any order", () => {
    expect(sampling(user(text), assistant(text, use("a"), use("b")), user(done("b"), done("a")), assistant(text))).toBe(
      "asked"
    )
    expect(sampling({ role: "assistant", content: use("a") }, { role: "user", content: done("a") })).toBe("asked")
  })

  it.each([
    [
      "a result beside a text",
      [assistant(use("a")), user(done("a"), text)],
      "messages[1].content: expected tool results and nothing else, or no tool results"
    ],
    [
      "a use without result",
      [assistant(use("a"), use("b")), user(done("a"))],
      "messages[1].content: expected a tool result for each tool use"
    ],
    [
      "a use answered twice and another not at all",
      [assistant(use("a"), use("b")), user(done("a"), done("a"))],
      "messages[1].content: expected a tool result for each tool use"
    ],
    [
      "a use that is passed over",
      [assistant(use("a")), user(text)],
      "messages[1].content: expected a tool result for each tool use"
    ],
    [
      "a use at the end",
      [user(text), assistant(use("a"))],
      "messages: expected tool results for the tool uses of the last message"
    ],
    ["a result for no use", [user(done("a"))], "messages[0].content: expected no tool results: no tool was used"]
  ])("is refused with %s", (_, messages, what) => {
    expect(sampling(...messages)).toEqual(refused("sampling/createMessage", what))
  })
})

describe("a client that takes pages only", () => {
  const proposed = (elicitation: JsonObject, revision: RevisionName) => {
    const spoken = handshakeRevisions.filter(({ name }) => name === revision)
    const [, sent] = session(define({ elicitation, roots: {} }, { revisions: spoken })).tell({ _tag: "Open" })
    return (sent as unknown as { message: { params: { capabilities: object } } }).message.params.capabilities
  }

  it("announces no elicitation where that means forms", () => {
    expect(proposed({ url: {} }, "2025-11-25")).toEqual({ elicitation: { url: {} }, roots: {} })
    expect(proposed({ url: {} }, "2025-06-18")).toEqual({ roots: {} })
    expect(proposed({ url: {}, form: {} }, "2025-06-18")).toEqual({ elicitation: {}, roots: {} })
    expect(proposed({}, "2025-06-18")).toEqual({ elicitation: {}, roots: {} })
    expect(proposed({}, "2025-03-26")).toEqual({ roots: {} })
  })
})
