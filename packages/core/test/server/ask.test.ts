/** Questions to the client: sent by the way of the request they serve, answered, refused or too late, and the handler run again. */
import { describe, expect, it } from "vitest"
import type { Question } from "../../src/server/index.js"
import { again, answer, declared, form, needs, roots, running, sent, server, timer } from "./asking.js"
import { ask, call, codes, initialize, messages, ready, session } from "./by-hand.js"

describe("a question", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const)(
    "goes out by the way of its request on %s, and its answer runs the handler again",
    (revision) => {
      const by = running(revision)
      expect(by.tell(needs([roots()], { paid: 7 }))).toEqual([
        sent({ jsonrpc: "2.0", id: 2, method: "roots/list" }),
        { _tag: "StartTimer", timer: timer(2), ms: 500 }
      ])
      expect(by.hear(answer(2), "elsewhere")).toMatchObject([
        { _tag: "StopTimer", timer: timer(2) },
        again(3, { roots: { _tag: "Answered", result: { roots: [] } } }, { paid: 7 })
      ])
      expect(by.tell({ _tag: "Succeeded", call: 3, id: "c", result: { content: [] } })).toMatchObject([
        { _tag: "Send", message: { id: "c", result: { content: [] } }, via: "here", last: true }
      ])
    }
  )

  it("has its params when it has some, and whatever they are called", () => {
    const by = running()
    const page = { mode: "url" }
    const params = { message: "m", requestedSchema: { type: "object", properties: {} } }
    expect(messages(by.tell(needs([form(), { ...roots(), params: page }, roots("more")])))).toStrictEqual([
      { jsonrpc: "2.0", id: 2, method: "elicitation/create", params },
      { jsonrpc: "2.0", id: 3, method: "roots/list", params: page },
      { jsonrpc: "2.0", id: 4, method: "roots/list" }
    ])
    const without = running("2025-11-25", { roots: {} })
    expect(messages(without.tell(needs([{ ...roots(), params: page }])))).toMatchObject([{ method: "roots/list" }])
  })

  it("ends the run that asked it: what that still says finds nothing", () => {
    const by = running()
    by.tell(needs([roots()]))
    for (const input of [
      { _tag: "Succeeded", call: 1, id: "c", result: { content: [] } },
      { _tag: "Failed", call: 1, id: "c", failure: { _tag: "Crashed" } },
      { _tag: "Progressed", call: 1, id: "c", progress: 1 },
      { _tag: "Logged", level: "error", data: "x", about: { call: 1, id: "c" } },
      needs([roots("more")])
    ] as const)
      expect(messages(by.tell(input))).toEqual([])
    expect(by.hear(answer(2))).toMatchObject([{}, again(3, { roots: { _tag: "Answered" } })])
  })

  it("among several waits for all of them, in whatever order they are answered", () => {
    const by = running()
    expect(messages(by.tell(needs([roots("a"), form("b"), roots("c")])))).toMatchObject([
      { id: 2 },
      { id: 3 },
      { id: 4 }
    ])
    expect(by.hear(answer(4))).toEqual([{ _tag: "StopTimer", timer: timer(4) }])
    expect(by.hear(answer(2))).toEqual([{ _tag: "StopTimer", timer: timer(2) }])
    expect(by.hear(answer(3, { action: "decline" }))).toMatchObject([
      { _tag: "StopTimer" },
      again(5, {
        a: { _tag: "Answered" },
        b: { _tag: "Answered", result: { action: "decline" } },
        c: { _tag: "Answered" }
      })
    ])
  })

  it("may be followed by others, and earlier answers are kept", () => {
    const by = running()
    by.tell(needs([roots("a")], { one: 1 }))
    by.hear(answer(2))
    expect(messages(by.tell(needs([roots("b")], { one: 1, two: 2 }, 3)))).toMatchObject([{ id: 4 }])
    expect(by.hear(answer(4))[1]).toMatchObject(
      again(5, { a: { _tag: "Answered" }, b: { _tag: "Answered" } }, { one: 1, two: 2 })
    )
  })

  it("may come after progress or a log message of the run that follows an answer, and earlier answers are kept", () => {
    for (const told of [
      { _tag: "Progressed", call: 3, id: "c", progress: 1 },
      { _tag: "Logged", level: "error", data: "x", about: { call: 3, id: "c" } }
    ] as const) {
      const by = running()
      by.tell(needs([roots("a")], { one: 1 }))
      by.hear(answer(2))
      expect(messages(by.tell(told))).toHaveLength(1)
      by.move()
      by.tell(needs([roots("b")], { two: 2 }, 3))
      expect(by.hear(answer(4))[1]).toMatchObject(
        again(5, { a: { _tag: "Answered" }, b: { _tag: "Answered" } }, { two: 2 })
      )
    }
  })

  it("may be asked under the same key again: consent to a page is not that it is done", () => {
    const by = running()
    const page: Question = {
      key: "pay",
      method: "elicitation/create",
      params: { mode: "url", message: "m", url: "https://example.com", elicitationId: "e" }
    }
    by.tell(needs([page]))
    by.hear(answer(2, { action: "accept" }))
    by.tell(needs([page], {}, 3))
    expect(by.hear(answer(4, { action: "cancel" }))[1]).toMatchObject(
      again(5, { pay: { _tag: "Answered", result: { action: "cancel" } } })
    )
  })

  it("may serve a prompt and a resource, and nothing that may not ask", () => {
    const by = ready("2025-11-25", server, {}, declared)
    by.hear(ask("p", "prompts/get", { name: "p", arguments: { a: "b" } }))
    by.tell(needs([roots()], {}, 1, "p"))
    expect(by.hear(answer(2))[1]).toMatchObject({ target: { _tag: "Prompt", name: "p", arguments: { a: "b" } } })
    by.hear(ask("r", "resources/read", { uri: "u" }))
    by.tell(needs([roots()], {}, 4, "r"))
    expect(by.hear(answer(5))[1]).toMatchObject({ target: { _tag: "Method", params: { uri: "u" } } })
    by.hear(
      ask("x", "completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } })
    )
    const message = "completion/complete failed: its questions can not be asked."
    expect(by.tell(needs([roots()], {}, 7, "x"))).toMatchObject([
      { _tag: "Report", report: { _tag: "Unsendable", why: "completion/complete may not ask" } },
      { _tag: "Send", message: { id: "x", error: { code: -32603, message } } },
      { _tag: "Report", report: { _tag: "Refused" } }
    ])
  })

  it("needs no declaration when all clients take it", () => {
    const by = running("2025-11-25", {})
    const ping: Question = { key: "there", method: "ping", params: undefined }
    expect(messages(by.tell(needs([ping])))).toEqual([{ jsonrpc: "2.0", id: 2, method: "ping" }])
    expect(by.hear(answer(2, {}))[1]).toMatchObject(again(3, { there: { _tag: "Answered" } }))
  })

  it("is not kept once it is sent", () => {
    const by = running()
    by.tell(needs([roots("a")]))
    const [entry] = (by.machine.encode(by.state()) as { inFlight: ReadonlyArray<object> }).inFlight
    expect(entry).toMatchObject({ asking: { open: [{ ask: 2, key: "a", method: "roots/list", held: undefined }] } })
  })

  it("that comes too late is reported and not sent", () => {
    const by = running()
    expect(by.tell(needs([roots()], {}, 2))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored", id: "c" } }])
    expect(by.tell(needs([roots()], {}, 1, "d"))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
  })
})

describe("an answer", () => {
  const asked = () => {
    const by = running()
    by.tell(needs([roots()]))
    return by
  }

  it("of a wrong shape is told to the handler as an error", () => {
    expect(asked().hear(answer(2, { roots: 7 }))[1]).toMatchObject(
      again(3, {
        roots: {
          _tag: "Refused",
          error: { code: -32602, message: "the answer is not valid: roots: expected an array" }
        }
      })
    )
  })

  it("is judged by the revision of the request that it is for", () => {
    const params = { messages: [], maxTokens: 1 }
    const blocks = { role: "assistant", model: "m", content: [{ type: "text", text: "a" }] }
    for (const [revision, tag] of [
      ["2025-11-25", "Answered"],
      ["2025-06-18", "Refused"]
    ] as const) {
      const by = running(revision)
      by.tell(needs([{ key: "s", method: "sampling/createMessage", params }]))
      expect(by.hear(answer(2, blocks))[1]).toMatchObject(again(3, { s: { _tag: tag } }))
    }
  })

  it("that is an error is told as it is", () => {
    const error = { code: -1, message: "User rejected sampling request", data: 7 }
    expect(asked().hear({ jsonrpc: "2.0", id: 2, error })[1]).toMatchObject(
      again(3, { roots: { _tag: "Refused", error } })
    )
  })

  it("that does not come in time is told, and the question withdrawn", () => {
    const by = asked()
    expect(by.tell({ _tag: "TimerFired", timer: timer(2) })).toMatchObject([
      sent({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2, reason: "timed out" } }),
      { _tag: "StopTimer", timer: timer(2) },
      again(3, { roots: { _tag: "TimedOut" } })
    ])
    expect(by.tell({ _tag: "TimerFired", timer: timer(2) })).toEqual([])
    expect(messages(by.hear(answer(2)))).toEqual([])
    expect(by.tell({ _tag: "TimerFired", timer: timer(9) })).toEqual([])
  })

  it("to nothing, twice, or under another type of id is ignored", () => {
    const by = asked()
    for (const json of [
      answer(9),
      { ...answer(2), id: "2" },
      { jsonrpc: "2.0", id: "2", error: { code: 1, message: "" } },
      { jsonrpc: "2.0", id: undefined, error: { code: 1, message: "" } }
    ])
      expect(by.hear(json)).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored", id: json.id } }])
    by.hear(answer(2))
    expect(by.hear(answer(2))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored", id: 2 } }])
    expect(by.state().inFlight.size).toBe(1)
  })

  it("in a batch runs the handler again, on the revision that has batches", () => {
    const by = running("2025-03-26")
    by.tell(needs([roots("a"), roots("b")]))
    expect(by.hear([answer(2), answer(3)], "x")).toMatchObject([{}, {}, again(4, { a: {}, b: {} })])
  })
})

describe("an id that waits for answers", () => {
  it("is still in use", () => {
    const by = running()
    by.tell(needs([roots()]))
    expect(codes(by.said(call("c")))).toEqual([-32600])
  })
})

describe("a broken reply to a question", () => {
  it.each([
    [{ id: 2, result: {} }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: "2.0", id: 2, result: null }, "result must be an object"],
    [{ jsonrpc: "2.0", id: 2, error: { code: 1.5, message: "" } }, "error"],
    [{ jsonrpc: "2.0", id: 2, error: { code: 1 } }, "error"]
  ])("is as good as a refusal: %j", (json, why) => {
    const by = running()
    by.tell(needs([roots()]))
    const message = expect.stringContaining(why) as string
    expect(by.hear(json)).toMatchObject([
      { _tag: "StopTimer", timer: timer(2) },
      again(3, { roots: { _tag: "Refused", error: { code: -32602, message } } }),
      { _tag: "Report", report: { _tag: "Ignored", id: 2 } }
    ])
  })

  it("is ignored before the client can know of the question, or by another id", () => {
    const early = session(server, { askMs: 500 })
    early.hear(initialize("2025-11-25", declared))
    early.hear(call("c"), "here")
    early.tell(needs([roots()]))
    expect(early.hear({ jsonrpc: "2.0", id: 2, result: null })).toMatchObject([{ report: { _tag: "Ignored", id: 2 } }])
    expect(early.state().asked.size).toBe(1)
    const by = running()
    by.tell(needs([roots()]))
    expect(by.hear({ jsonrpc: "2.0", id: 7, result: null })).toMatchObject([{ report: { _tag: "Ignored", id: 7 } }])
    expect(by.hear({ jsonrpc: "2.0", result: null })).toMatchObject([{ report: { _tag: "Ignored", id: undefined } }])
    expect(by.hear(answer(2))).toMatchObject([{}, again(3, { roots: { _tag: "Answered" } })])
  })
})

describe("a handler that always asks once more", () => {
  it("fails when it has asked too often", () => {
    const by = ready("2025-11-25", server, { maxQuestions: 3 }, declared)
    by.hear(call("c", "slow"))
    expect(codes(messages(by.tell(needs([roots("a"), roots("b")]))))).toEqual([undefined, undefined])
    by.hear(answer(2))
    by.hear(answer(3))
    by.tell(needs([roots("c")], {}, 4))
    by.hear(answer(5))
    expect(by.tell(needs([roots("d")], {}, 6))).toMatchObject([
      { report: { _tag: "Unsendable", why: "a request may ask 3 questions" } },
      {
        _tag: "Send",
        message: {
          result: {
            isError: true,
            content: [{ text: "The tool slow failed: a request may ask 3 questions." }]
          }
        }
      }
    ])
  })
})
