/** What a handler's result, failure or refusal comes to on the wire, in each revision. */
import { describe, expect, it } from "vitest"
import type { RevisionName } from "../../src/revision.js"
import { ask, call, define, everything, messages, ready, revisionNames, send, tool } from "./by-hand.js"
import type { CallFailure } from "../../src/server/index.js"

const running = (revision: RevisionName = "2025-11-25", method?: string, params: object = {}) => {
  const by = ready(revision, define(everything, { prompts: [{ name: "p" }] }))
  by.hear(method === undefined ? call("c") : ask("c", method, params), "here")
  return by
}
const succeeded = (result: unknown) => ({ _tag: "Succeeded", call: 1, id: "c", result }) as const
const failed = (failure: CallFailure) => ({ _tag: "Failed", call: 1, id: "c", failure }) as const
const toolError = (text: string) => [
  { jsonrpc: "2.0", id: "c", result: { content: [{ type: "text", text }], isError: true } }
]
const text = { type: "text", text: "hi" }

describe("a result", () => {
  it.each(revisionNames)("is sent once by the way its request came on %s", (revision) => {
    const by = running(revision)
    expect(by.tell(succeeded({ content: [text] }))).toEqual([
      send({ jsonrpc: "2.0", id: "c", result: { content: [text] } }, "here")
    ])
    expect(by.tell(succeeded({ content: [text] }))).toEqual([
      {
        _tag: "Report",
        report: {
          _tag: "Ignored",
          method: undefined,
          id: "c",
          why: "a handler's result came after its request had ended"
        }
      }
    ])
  })

  it("under another number or id finds nothing", () => {
    const by = running()
    expect(messages(by.tell({ ...succeeded({ content: [] }), call: 2 }))).toEqual([])
    expect(messages(by.tell({ ...succeeded({ content: [] }), id: "d" }))).toEqual([])
    expect(messages(by.tell({ ...failed({ _tag: "Crashed" }), call: 2 }))).toEqual([])
    expect(messages(by.tell({ _tag: "ArgumentsRefused", call: 2, id: "c", why: "" }))).toEqual([])
    expect(messages(by.tell(succeeded({ content: [] })))).toHaveLength(1)
  })

  it.each([[{}], [undefined], [null], ["text"], [[]], [{ content: [{ type: "text" }] }]])(
    "of a wrong shape (%j) is never sent",
    (result) => {
      expect(running().tell(succeeded(result))).toMatchObject([
        {
          _tag: "Send",
          message: {
            id: "c",
            error: { code: -32603, message: "Internal error: the result of tools/call was not valid and was not sent" }
          },
          via: "here"
        },
        { _tag: "Report", report: { _tag: "Refused", failure: { _tag: "ResultInvalid", method: "tools/call" } } },
        { _tag: "Report", report: { _tag: "Unsendable", method: "tools/call" } }
      ])
    }
  )

  it("of another method is checked by its own row", () => {
    expect(messages(running("2025-11-25", "resources/read", { uri: "u" }).tell(succeeded({ contents: [] })))).toEqual([
      { jsonrpc: "2.0", id: "c", result: { contents: [] } }
    ])
    expect(
      messages(running("2025-11-25", "resources/read", { uri: "u" }).tell(succeeded({ content: [] })))[0]
    ).toMatchObject({
      error: { code: -32603, message: "Internal error: the result of resources/read was not valid and was not sent" }
    })
  })
})

describe("a handler that fails", () => {
  it("of a tool is a result that says so, and never why", () => {
    expect(messages(running().tell(failed({ _tag: "Crashed" })))).toEqual(toolError("The tool slow failed."))
  })

  it("of another method is an internal error", () => {
    expect(messages(running("2025-11-25", "prompts/get", { name: "p" }).tell(failed({ _tag: "Crashed" })))).toEqual([
      { jsonrpc: "2.0", id: "c", error: { code: -32603, message: "Internal error: the handler of prompts/get failed" } }
    ])
  })

  it("with something to say is heard", () => {
    expect(messages(running().tell(failed({ _tag: "Told", text: "no such day" })))).toEqual(toolError("no such day"))
    expect(
      messages(running("2025-11-25", "prompts/get", { name: "p" }).tell(failed({ _tag: "Told", text: "no such day" })))
    ).toEqual([{ jsonrpc: "2.0", id: "c", error: { code: -32603, message: "no such day" } }])
  })

  it("with an error of its choice sends that", () => {
    const chosen = { _tag: "Chosen", code: -32002, message: "Resource not found", data: { uri: "u" } } as const
    const error = { code: -32002, message: "Resource not found", data: { uri: "u" } }
    expect(messages(running().tell(failed(chosen)))).toEqual([{ jsonrpc: "2.0", id: "c", error }])
    expect(messages(running("2025-11-25", "resources/read", { uri: "u" }).tell(failed(chosen)))).toEqual([
      { jsonrpc: "2.0", id: "c", error }
    ])
    expect(messages(running().tell(failed({ _tag: "Chosen", code: 1, message: "m" })))).toEqual([
      { jsonrpc: "2.0", id: "c", error: { code: 1, message: "m" } }
    ])
  })
})

describe("arguments that do not fit", () => {
  const refused = { _tag: "ArgumentsRefused", call: 1, id: "c", why: "a: expected a number" } as const

  it("are for the model to read from 2025-11-25 on", () => {
    expect(messages(running().tell(refused))).toEqual(
      toolError("Invalid arguments for tool slow: a: expected a number")
    )
  })

  it.each(["2025-06-18", "2025-03-26", "2024-11-05"] as const)("are a protocol error on %s", (revision) => {
    expect(messages(running(revision).tell(refused))).toEqual([
      {
        jsonrpc: "2.0",
        id: "c",
        error: { code: -32602, message: "Invalid arguments for tool slow: a: expected a number" }
      }
    ])
  })
})

describe("what is no call of a tool", () => {
  it("has errors where a tool has results", () => {
    const refused = { _tag: "ArgumentsRefused", call: 1, id: "c", why: "w" } as const
    expect(messages(running("2025-11-25", "prompts/get", { name: "p" }).tell(refused))).toMatchObject([
      { error: { code: -32602, message: "Invalid arguments for tool prompts/get: w" } }
    ])
  })

  it("is not sent a page with an item that is broken", () => {
    const page = { tasks: [{ taskId: 7 }] }
    expect(messages(running("2025-11-25", "tasks/list").tell(succeeded(page)))).toMatchObject([
      { error: { code: -32603 } }
    ])
  })

  it("neither is what was to be a task: its result is the task, or an error", () => {
    const task = { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null }
    const begun = () => {
      const by = ready(
        "2025-11-25",
        define(everything, { tools: [tool("slow", { execution: { taskSupport: "optional" } })] })
      )
      expect(by.hear(call("c", "slow", { task: { ttl: 5 } }))).toMatchObject([{ target: { task: { ttl: 5 } } }])
      return by
    }
    expect(messages(begun().tell(succeeded({ task })))).toEqual([{ jsonrpc: "2.0", id: "c", result: { task } }])
    for (const input of [
      succeeded({ content: [] }),
      failed({ _tag: "Crashed" }),
      failed({ _tag: "Told", text: "no" }),
      { _tag: "ArgumentsRefused", call: 1, id: "c", why: "w" }
    ] as const)
      expect(messages(begun().tell(input))[0]).toHaveProperty("error")
  })
})

describe("a result that an older revision has no words for", () => {
  const link = { type: "resource_link", uri: "file:///a", name: "a", title: "A" }
  const audio = { type: "audio", data: "", mimeType: "audio/wav" }
  const sent = (revision: RevisionName, result: object) =>
    (messages(running(revision).tell(succeeded(result)))[0] as { result: object }).result

  it("keeps structured content where it exists", () => {
    const both = { content: [text], structuredContent: { a: 1 }, isError: false }
    for (const revision of ["2025-11-25", "2025-06-18"] as const) expect(sent(revision, both)).toEqual(both)
    for (const revision of ["2025-03-26", "2024-11-05"] as const)
      expect(sent(revision, both)).toEqual({ content: [text], isError: false })
  })

  it("never has structured content that is not an object", () => {
    for (const revision of revisionNames)
      expect(sent(revision, { content: [text], structuredContent: [1] })).toEqual({ content: [text] })
  })

  it("has links and sounds in words", () => {
    expect(sent("2025-11-25", { content: [link, audio] })).toEqual({ content: [link, audio] })
    expect(sent("2025-03-26", { content: [link, audio] })).toEqual({
      content: [{ type: "text", text: "A: file:///a" }, audio]
    })
    expect(sent("2024-11-05", { content: [link, audio] })).toEqual({
      content: [
        { type: "text", text: "A: file:///a" },
        { type: "text", text: "[audio, audio/wav: this protocol version has no audio content]" }
      ]
    })
  })

  it("has the annotations and the _meta there are", () => {
    const annotated = { ...text, annotations: { priority: 1, lastModified: "2025-01-01" }, _meta: { a: 1 } }
    const embedded = { type: "resource", resource: { uri: "u", text: "t", _meta: { a: 1 } } }
    expect(sent("2025-06-18", { content: [annotated, embedded] })).toEqual({ content: [annotated, embedded] })
    expect(sent("2024-11-05", { content: [annotated, embedded] })).toEqual({
      content: [
        { ...text, annotations: { priority: 1 } },
        { type: "resource", resource: { uri: "u", text: "t" } }
      ]
    })
  })
})

it("says why arguments were refused before it closes", () => {
  const by = running()
  by.tell({ _tag: "Stopping" })
  const outputs = by.tell({ _tag: "ArgumentsRefused", call: 1, id: "c", why: "a: missing" })
  expect(outputs.map(({ _tag }) => _tag)).toEqual(["Report", "Send", "StopTimer", "Close"])
})
