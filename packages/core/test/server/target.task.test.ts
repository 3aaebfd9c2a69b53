/** Calls that are to be tasks: a tool may forbid it or insist on it, and where tasks were not declared nobody asks. */
import { describe, expect, it } from "vitest"
import { ask, call, codes, define, everything, messages, ready, revisionNames, tool } from "./by-hand.js"

const tools = [
  tool("plain"),
  tool("forbidden", { execution: { taskSupport: "forbidden" } }),
  tool("optional", { execution: { taskSupport: "optional" } }),
  tool("required", { execution: { taskSupport: "required" } })
]
const server = define(everything, { tools, requires: { optional: ["roots"] } })
const asked = (id: string, name: string) => call(id, name, { task: { ttl: 5 } })

describe("a call that is to be a task", () => {
  const by = () => ready("2025-11-25", server, {}, { roots: {} })

  it("reaches its tool as one where the tool allows it", () => {
    for (const name of ["optional", "required"])
      expect(by().hear(asked("c", name))).toMatchObject([{ _tag: "Invoke", target: { name, task: { ttl: 5 } } }])
  })

  it("is not found where the tool forbids it, as all do that say nothing", () => {
    for (const name of ["plain", "forbidden"])
      expect(by().said(asked("c", name))).toMatchObject([
        {
          error: {
            code: -32601,
            message: `Method not found: tools/call with a task is not what the tool ${name} supports`
          }
        }
      ])
  })

  it("is what some tools insist on", () => {
    expect(by().said(call("c", "required"))).toMatchObject([
      {
        error: {
          code: -32601,
          message: "Method not found: tools/call without a task is not what the tool required supports"
        }
      }
    ])
    for (const name of ["plain", "forbidden", "optional"])
      expect(by().hear(call("c", name))).toMatchObject([{ _tag: "Invoke", target: { name } }])
  })

  it("is refused by an error where the client lacks what its tool needs", () => {
    const without = ready("2025-11-25", server)
    expect(codes(without.said(asked("c", "optional")))).toEqual([-32602])
    expect(messages(without.hear(call("d", "optional")))).toMatchObject([{ result: { isError: true } }])
  })

  it("of a tool that is not there is an unknown tool first", () =>
    expect(codes(by().said(asked("c", "nope")))).toEqual([-32602]))

  it("runs again as one, here and in another process", () => {
    const session = by()
    session.hear(asked("c", "optional"))
    const questions = [{ key: "k", method: "roots/list", params: undefined }]
    session.tell({ _tag: "NeedsInput", call: 1, id: "c", questions, once: {} })
    session.move()
    expect(session.hear({ jsonrpc: "2.0", id: 2, result: { roots: [] } })[1]).toMatchObject({
      target: { _tag: "Tool", name: "optional", task: { ttl: 5 } }
    })
  })
})

describe("where tasks were not declared", () => {
  it("what asks for one is ignored", () => {
    const by = ready("2025-11-25", define({ tools: {} }, { tools }))
    for (const name of ["plain", "forbidden", "optional", "required"])
      expect(by.hear(asked(name, name))).toMatchObject([{ _tag: "Invoke", target: { name } }])
    expect(JSON.stringify(by.hear(asked("c", "optional")))).not.toMatch("ttl")
  })

  it("and on revisions without tasks it is an unknown member", () => {
    for (const revision of revisionNames.filter((name) => name !== "2025-11-25")) {
      const by = ready(revision, server, {}, { roots: {} })
      for (const name of ["plain", "required"])
        expect(by.hear(asked(name, name))).toMatchObject([{ _tag: "Invoke", target: { name } }])
      expect(codes(by.said(ask(1, "tasks/list")))).toEqual([-32601])
    }
  })
})
