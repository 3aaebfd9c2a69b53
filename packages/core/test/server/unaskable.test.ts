/** Questions that this client can not be asked end the call, and nothing of them is sent. */
import { describe, expect, it } from "vitest"
import type { RevisionName } from "../../src/revision.js"
import type { Question } from "../../src/server/index.js"
import { declared, form, needs, roots, running } from "./asking.js"
import { messages } from "./by-hand.js"

describe("a question that can not be asked", () => {
  it.each<[string, ReadonlyArray<Question>, object, RevisionName]>([
    ["a handler that needs input must ask something", [], declared, "2025-11-25"],
    ["roots: the client did not declare roots", [roots()], {}, "2025-11-25"],
    ["roots: the client did not declare roots", [form(), roots()], { elicitation: {} }, "2025-11-25"],
    ["form: the client did not declare elicitation.form", [form()], { elicitation: { url: {} } }, "2025-11-25"],
    [
      "form: the client did not declare elicitation.url",
      [form("form", { mode: "url" })],
      { elicitation: {} },
      "2025-11-25"
    ],
    ["form: 2025-06-18 has no elicitation by page", [form("form", { mode: "url" })], declared, "2025-06-18"],
    [
      "form: elicitation/create is not a request that a server may send in 2025-03-26",
      [form()],
      declared,
      "2025-03-26"
    ],
    [
      "x: notifications/progress is not a request that a server may send in 2025-11-25",
      [{ key: "x", method: "notifications/progress", params: {} }],
      declared,
      "2025-11-25"
    ],
    [
      "x: constructor is not a request that a server may send in 2025-11-25",
      [{ key: "x", method: "constructor", params: {} }],
      declared,
      "2025-11-25"
    ],
    [
      "form: the client did not declare tasks.requests.elicitation.create",
      [form("form", { task: {} })],
      { elicitation: {}, tasks: { requests: { sampling: { createMessage: {} } } } },
      "2025-11-25"
    ],
    ["roots: is asked twice", [roots(), roots()], declared, "2025-11-25"],
    ["form: message: expected a string", [form("form", { message: 7 })], declared, "2025-11-25"],
    [
      "s: messages: expected an array",
      [{ key: "s", method: "sampling/createMessage", params: undefined }],
      declared,
      "2025-11-25"
    ],
    [
      "s: messages: expected results for the tools that the last message uses",
      [
        {
          key: "s",
          method: "sampling/createMessage",
          params: {
            maxTokens: 1,
            messages: [{ role: "assistant", content: { type: "tool_use", id: "u", name: "n", input: {} } }]
          }
        }
      ],
      declared,
      "2025-11-25"
    ]
  ])("(%s) ends the call, and nothing of it is sent", (why, questions, capabilities, revision) => {
    const by = running(revision, capabilities)
    const outputs = by.tell(needs(questions))
    expect(outputs[0]).toMatchObject({
      _tag: "Report",
      report: { _tag: "Unsendable", method: "tools/call", why, peer: { revision } }
    })
    const lacks = /did not declare (.*)/.exec(why)?.[1]
    const told = lacks === undefined ? "its questions can not be asked" : `the client did not declare ${lacks}`
    const text = `The tool slow failed: ${told}.`
    expect(messages(outputs)).toMatchObject([{ id: "c", result: { isError: true, content: [{ text }] } }])
    expect(by.state()).toMatchObject({ inFlight: { size: 0 }, asked: { size: 0 } })
  })
})
