/** Sessions from their beginning to their end, side by side. */
import * as Schema from "effect/Schema"
import { handshakeRevisions } from "@parley/core/revisions"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { defineServer, tool } from "../src/index.js"
import { talk, talking } from "./talk.js"

const info = { name: "served", version: "1.0.0" }
const echo = tool("echo", {}, () => "echoed")

/** A tool whose calls end when they are told to, in any order. */
function gate() {
  const open: Array<(text: string) => void> = []
  const it = tool("gate", {}, () => new Promise<string>((resolve) => open.push(resolve)))
  return { it, open }
}

describe("two sessions over one server", () => {
  it("do not see each other's ids, progress or replies", async () => {
    const { it, open } = gate()
    const server = defineServer(info, [it, echo])
    const [one, two] = [await talking(server), await talking(server)]
    const [first, second] = [
      one.ask("tools/call", { name: "gate" }, 1000),
      two.ask("tools/call", { name: "gate" }, 1000)
    ]
    await Promise.all([one.ask("ping"), two.ask("ping")])
    open[1]!("two")
    open[0]!("one")
    expect((await first).result.content[0].text).toBe("one")
    expect((await second).result.content[0].text).toBe("two")
    expect(one.heard.filter(({ id }) => id === 1000)).toHaveLength(1)
    await one.serving.close()
    expect(await two.call("echo")).toMatchObject({ content: [{ text: "echoed" }] })
  })

  it("may speak different revisions", async () => {
    const server = defineServer(info, [echo])
    const sessions = handshakeRevisions.map(({ name }) => [name, talk(server)] as const)
    for (const [name, { open }] of sessions) expect((await open(name)).protocolVersion).toBe(name)
  })
})

describe("close", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("answers what was accepted, takes nothing more, and then is closed", async () => {
    const { it, open } = gate()
    const { ask, serving, heard } = await talking(defineServer(info, [it, echo]))
    const accepted = ask("tools/call", { name: "gate" })
    await ask("ping")
    const closing = serving.close()
    expect(await ask("tools/call", { name: "echo" })).toMatchObject({ error: { message: "The server is stopping" } })
    open[0]!("done")
    expect((await accepted).result.content[0].text).toBe("done")
    await closing
    expect(await serving.closed).toEqual({ _tag: "Closed" })
    expect(heard.at(-1)).toMatchObject({ result: { content: [{ text: "done" }] } })
    expect(vi.getTimerCount()).toBe(0)
  })

  it("answers with an error what is not done within 5 s", async () => {
    const { it, open } = gate()
    const { ask, serving, heard } = await talking(defineServer(info, [it]))
    const accepted = ask("tools/call", { name: "gate" })
    await ask("ping")
    const closing = serving.close()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(heard.at(-1)).toMatchObject({ result: {} })
    await vi.advanceTimersByTimeAsync(1)
    expect(await accepted).toMatchObject({ error: { code: -32603, message: "The server is stopping" } })
    await closing
    const before = heard.length
    open[0]!("late")
    await vi.advanceTimersByTimeAsync(0)
    expect(heard.length).toBe(before)
  })

  it("answers with an error what is not done within drainMs", async () => {
    const { it } = gate()
    const { ask, serving } = await talking(defineServer(info, [it]), { drainMs: 50 })
    const accepted = ask("tools/call", { name: "gate" })
    await ask("ping")
    void serving.close()
    await vi.advanceTimersByTimeAsync(50)
    expect(await accepted).toMatchObject({ error: { message: "The server is stopping" } })
    await serving.closed
  })

  it("may be called twice, and before the session begins", async () => {
    const { serving, gone } = talk(defineServer(info, [echo]))
    await Promise.all([serving.close(), serving.close()])
    await serving.close()
    expect(await gone).toMatchObject({ _tag: "Gone" })
  })

  it("may be called by a handler, which is answered", async () => {
    const { serving, call } = await talking(
      defineServer(info, [
        tool("stop", {}, () => {
          void serving.close()
          return "stopping"
        })
      ])
    )
    expect(await call("stop")).toMatchObject({ content: [{ text: "stopping" }] })
    await serving.closed
  })
})

describe("reports", () => {
  it("say who connected and what was refused", async () => {
    const reports: Array<unknown> = []
    const { ask } = await talking(defineServer(info, [echo]), { report: (report) => reports.push(report) })
    await ask("resources/list")
    expect(reports).toEqual([
      {
        _tag: "Agreed",
        asked: "2025-11-25",
        peer: { revision: "2025-11-25", capabilities: {}, info: { name: "hand", version: "1.0.0" } },
        wrong: []
      },
      {
        _tag: "Refused",
        id: 2,
        method: "resources/list",
        failure: { _tag: "MethodUndeclared", method: "resources/list", needs: "resources" },
        peer: { revision: "2025-11-25", capabilities: {}, info: { name: "hand", version: "1.0.0" } }
      }
    ])
  })
})

describe("a listener that throws", () => {
  it("is told on the console, and ends nothing", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {})
    const report = (): never => {
      throw new Proxy(new Error("x"), {
        getPrototypeOf: () => {
          throw new Error("no")
        }
      })
    }
    const { ask, call } = await talking(defineServer(info, [echo]), { report })
    expect(await ask("resources/list")).toMatchObject({ error: { code: -32601 } })
    expect(await call("echo")).toMatchObject({ content: [{ text: "echoed" }] })
    expect(told.mock.calls).toEqual([
      ["A listener failed: what it threw can not be shown"],
      ["A listener failed: what it threw can not be shown"]
    ])
    told.mockRestore()
  })
})

describe("limits", () => {
  it("refuse one request too many, and take more when one is done", async () => {
    const { it, open } = gate()
    const { ask } = await talking(defineServer(info, [it]), { maxInFlight: 2 })
    const calls = [ask("tools/call", { name: "gate" }), ask("tools/call", { name: "gate" })]
    expect(await ask("tools/call", { name: "gate" })).toMatchObject({
      error: { code: -32603, message: "Too many requests in flight: the limit is 2" }
    })
    open[0]!("done")
    await calls[0]
    expect(await ask("ping")).toMatchObject({ result: {} })
    open[1]!("done")
    await calls[1]
  })

  it("are each session's own, also where two serve one server", async () => {
    const { it, open } = gate()
    const server = defineServer(info, [it])
    for (const maxInFlight of [1, 3, 2]) {
      const { ask } = await talking(server, { maxInFlight })
      const calls = Array.from({ length: maxInFlight }, () => ask("tools/call", { name: "gate" }))
      expect(await ask("tools/call", { name: "gate" })).toMatchObject({
        error: { message: `Too many requests in flight: the limit is ${maxInFlight}` }
      })
      for (const end of open.splice(0)) end("done")
      for (const reply of await Promise.all(calls)) expect(reply).toHaveProperty("result")
    }
  })
})

describe("a server whose schema is refused once it is loaded", () => {
  beforeEach(() => vi.resetModules())

  it("does not start: closed and close reject with the tool's name, and the channel is closed", async () => {
    const { defineServer, serve, tool } = await import("../src/index.js")
    const union = tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    const { serving, gone, heard, send } = talk(defineServer(info, [union]), {}, serve)
    send({ jsonrpc: "2.0", id: 1, method: "ping" })
    const why = {
      name: "SchemaRefused",
      message: expect.stringMatching(/^The input schema of tool union can not be used: An input schema must/) as string
    }
    await expect(serving.closed).rejects.toMatchObject(why)
    await expect(serving.close()).rejects.toMatchObject(why)
    expect(await gone).toMatchObject({ _tag: "Gone" })
    expect(heard).toEqual([])
  })

  it("harms nobody when it is only declared", async () => {
    const { tool } = await import("../src/index.js")
    const { loadEffect } = await import("@parley/json-schema")
    tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    await loadEffect()
    await Promise.resolve()
  })
})
