/** The end: in peace, by a timer, at once, or in another process. */
import { describe, expect, it } from "vitest"
import { serverMachine } from "../../src/server/index.js"
import { ask, call, cancelled, codes, define, initialize, messages, ready, session, tool } from "./by-hand.js"

const tools = define({ tools: {} }, { tools: [tool("slow"), tool("echo", { annotations: { idempotentHint: true } })] })
const drain = { of: "drain", call: 0 } as const
const closed = { _tag: "Close", reason: "stopped" }
const done = { _tag: "Succeeded", call: 1, id: 1, result: { content: [] } } as const

describe("stopping", () => {
  it("closes at once when nothing is in flight", () => {
    expect(ready("2025-11-25", tools).tell({ _tag: "Stopping" })).toEqual([closed])
    expect(session(tools).tell({ _tag: "Stopping" })).toEqual([closed])
  })

  it("waits for what was accepted, refuses what comes but pings, and closes after the last reply", () => {
    const by = ready("2025-11-25", tools, { drainMs: 250 })
    by.hear(call(1))
    expect(by.tell({ _tag: "Stopping" })).toEqual([{ _tag: "StartTimer", timer: drain, ms: 250 }])
    expect(by.tell({ _tag: "Stopping" })).toEqual([])
    expect(by.said(ask(2, "tools/list"))).toEqual([
      { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "The server is stopping" } }
    ])
    expect(by.said(ask(3, "ping"))).toEqual([{ jsonrpc: "2.0", id: 3, result: {} }])
    expect(by.tell(done)).toMatchObject([
      { _tag: "Send", message: { id: 1 } },
      { _tag: "StopTimer", timer: drain },
      closed
    ])
    expect(by.state().phase._tag).toBe("Closed")
  })

  it("closes when the last request is withdrawn", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    by.tell({ _tag: "Stopping" })
    expect(by.hear(cancelled(1))).toMatchObject([
      { _tag: "Interrupt", call: 1 },
      { _tag: "Report" },
      { _tag: "StopTimer" },
      closed
    ])
  })

  it("says all it has to say before it closes", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    by.tell({ _tag: "Stopping" })
    expect(by.tell({ ...done, result: 7 }).at(-1)).toEqual(closed)
  })

  it("answers with an error what is still running when the wait is over, oldest first", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call("b"), "first")
    by.hear(call("a"), "second")
    by.tell({ _tag: "Stopping" })
    const outputs = by.tell({ _tag: "TimerFired", timer: drain })
    expect(outputs).toMatchObject([
      { _tag: "Interrupt", call: 1, reason: "the server is stopping" },
      { _tag: "Send", via: "first", message: { id: "b", error: { code: -32603, message: "The server is stopping" } } },
      { _tag: "Report" },
      { _tag: "Interrupt", call: 2 },
      { _tag: "Send", via: "second", message: { id: "a" } },
      { _tag: "Report" },
      { _tag: "StopTimer" },
      closed
    ])
  })

  it("has a timer that is a no-op when it fires without having been started, or late", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    expect(by.tell({ _tag: "TimerFired", timer: drain })).toEqual([])
    by.tell({ _tag: "Stopping" })
    by.tell(done)
    expect(by.tell({ _tag: "TimerFired", timer: drain })).toEqual([])
  })
})

describe("a client that is gone", () => {
  it("is sent nothing: handlers are interrupted, oldest first", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call("b"))
    by.hear(call("a"))
    expect(by.tell({ _tag: "PeerClosed" })).toEqual([
      { _tag: "Interrupt", call: 1, reason: "the client is gone" },
      { _tag: "Interrupt", call: 2, reason: "the client is gone" },
      { _tag: "Close", reason: "the client is gone" }
    ])
  })

  it("while stopping ends the wait too", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    by.tell({ _tag: "Stopping" })
    expect(by.tell({ _tag: "PeerClosed" })).toMatchObject([
      { _tag: "Interrupt" },
      { _tag: "StopTimer", timer: drain },
      { _tag: "Close" }
    ])
  })

  it("leaves a session on which nothing has an effect", () => {
    const by = ready("2025-11-25", tools)
    by.tell({ _tag: "PeerClosed" })
    for (const input of [
      { _tag: "Received", json: ask(1, "ping"), via: "a" },
      { _tag: "Received", json: initialize("2025-11-25"), via: "a" },
      { _tag: "Garbled", why: "json", via: "a" },
      { _tag: "Changed", families: ["tools"] },
      { _tag: "Stopping" },
      { _tag: "PeerClosed" },
      { _tag: "Resumed" },
      done
    ] as const)
      expect(by.tell(input)).toEqual([])
  })

  it("on one exchange only has cancelled nothing", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1), "cut")
    expect(by.tell({ _tag: "ExchangeClosed", via: "cut" })).toEqual([])
    expect(messages(by.tell(done))).toHaveLength(1)
  })
})

describe("a session that goes on in another process", () => {
  it("runs again what its tool says is harmless, under the same number", () => {
    const by = ready("2025-11-25", tools)
    by.hear(ask(1, "tools/call", { name: "echo", arguments: { text: "hi" }, _meta: { progressToken: "t" } }))
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toEqual([
      {
        _tag: "Invoke",
        call: 1,
        id: 1,
        target: { _tag: "Tool", name: "echo", arguments: { text: "hi" } },
        peer: { revision: "2025-11-25", capabilities: {}, info: { name: "client", version: "1" } },
        meta: { progressToken: "t" },
        progress: true,
        answers: undefined,
        once: undefined
      }
    ])
    expect(messages(by.tell(done))).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [] } }])
  })

  it("answers the rest with an error", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1), "here")
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toMatchObject([
      {
        _tag: "Send",
        via: "here",
        message: { id: 1, error: { code: -32603, message: "The server was restarted while it served this request" } }
      },
      { _tag: "Report", report: { _tag: "Refused", failure: { _tag: "Interrupted" } } }
    ])
    expect(by.state().inFlight.size).toBe(0)
    expect(by.tell({ _tag: "Resumed" })).toEqual([])
  })

  it("does not run again a prompt that is called like a harmless tool", () => {
    const prompts = [{ name: "echo" }]
    const by = ready("2025-11-25", define({ prompts: {} }, { prompts, tools: tools.tools }))
    by.hear(ask(1, "prompts/get", { name: "echo" }))
    by.move()
    expect(codes(messages(by.tell({ _tag: "Resumed" })))).toEqual([-32603])
  })

  it("does not run again a tool that is no longer there", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1, "echo"))
    const { machine } = by
    const fewer = serverMachine(define({ tools: {} }, { tools: [] }))
    const moved = fewer.decode(JSON.parse(JSON.stringify(machine.encode(by.state()))))
    if (!moved.ok) throw new Error(moved.error)
    const [, outputs] = fewer.step(moved.value, { _tag: "Resumed" })
    expect(codes(messages(outputs))).toEqual([-32603])
  })

  it("goes on stopping: the wait begins anew", () => {
    const by = ready("2025-11-25", tools, { drainMs: 250 })
    by.hear(call(1, "echo"))
    by.tell({ _tag: "Stopping" })
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toMatchObject([
      { _tag: "StartTimer", timer: drain, ms: 250 },
      { _tag: "Invoke", call: 1 }
    ])
    expect(by.tell(done)).toMatchObject([{ _tag: "Send" }, { _tag: "StopTimer", timer: drain }, closed])
  })

  it("ends at once when it was stopping and nothing can run again", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    by.tell({ _tag: "Stopping" })
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toMatchObject([
      { _tag: "Send", message: { id: 1, error: { code: -32603 } } },
      { _tag: "Report" },
      { _tag: "StopTimer", timer: drain },
      closed
    ])
  })

  it("waits on for answers, and runs nothing", () => {
    const by = ready("2025-11-25", tools, { askMs: 9 }, { roots: {} })
    by.hear(call(1))
    const question = (key: string) => ({ key, method: "roots/list", params: undefined })
    by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [question("a"), question("b")], once: {} })
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toEqual([
      { _tag: "StartTimer", timer: { of: "ask", call: 2 }, ms: 9 },
      { _tag: "StartTimer", timer: { of: "ask", call: 3 }, ms: 9 }
    ])
  })

  it("does not run a second time what ran with answers", () => {
    const by = ready("2025-11-25", tools, {}, { roots: {} })
    by.hear(call(1))
    const questions = [{ key: "a", method: "roots/list", params: undefined }]
    by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions, once: {} })
    by.hear({ jsonrpc: "2.0", id: 2, result: { roots: [] } })
    by.move()
    expect(codes(messages(by.tell({ _tag: "Resumed" })))).toEqual([-32603])
  })
})
