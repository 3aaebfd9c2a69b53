/** A server that changes while it serves. */
import * as Schema from "effect/Schema"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { defineServer, live, tool } from "../src/index.js"
import { talk, talking } from "./talk.js"

const info = { name: "lively", version: "1.0.0" }
const announcing = { declare: { tools: { listChanged: true } } } as const
const first = tool("first", {}, () => "1")
const second = tool("second", {}, () => "2")
const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" }

describe("a live server", () => {
  it("tells every session of a change, and serves what there is now", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const [one, two] = [await talking(counting), await talking(counting)]
    await counting.set([second])
    for (const session of [one, two]) {
      expect(await session.until(({ method }) => method !== undefined)).toEqual(changed)
      expect((await session.ask("tools/list")).result.tools).toMatchObject([{ name: "second" }])
      expect(await session.call("second")).toEqual({ content: [{ type: "text", text: "2" }] })
      expect(await session.call("first")).toMatchObject({ code: -32602 })
    }
  })

  it("tells a session that is not initialized yet as soon as it is", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const session = talk(counting)
    await session.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "hand", version: "1" }
    })
    await counting.set([second])
    await counting.set([first, second])
    await session.ask("ping")
    expect(session.heard.filter(({ method }) => method !== undefined)).toEqual([])
    session.tell("notifications/initialized")
    await session.ask("ping")
    expect(session.heard.filter(({ method }) => method !== undefined)).toEqual([changed])
  })

  it("keeps its announcement when its last tool goes", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const session = await talking(counting)
    await counting.set([])
    expect((await session.ask("tools/list")).result).toEqual({ tools: [] })
    expect((await talk(counting).open()).capabilities).toEqual({ tools: { listChanged: true } })
  })

  it("lets a call under way run on when its tool goes", async () => {
    let end!: (text: string) => void
    let begun!: () => void
    const started = new Promise<void>((resolve) => (begun = resolve))
    const slow = tool("slow", {}, () => {
      begun()
      return new Promise<string>((resolve) => (end = resolve))
    })
    const counting = live(defineServer(info, [slow], announcing))
    const session = await talking(counting)
    const called = session.call("slow")
    await started
    await counting.set([])
    end("done")
    expect(await called).toEqual({ content: [{ type: "text", text: "done" }] })
  })

  it("forgets sessions that are over", async () => {
    const counting = live(defineServer(info, [first], announcing))
    let listening = 0
    const watched: typeof counting = {
      ...counting,
      onChange: (changed) => {
        const forget = counting.onChange(changed)
        listening++
        return () => {
          listening--
          forget()
        }
      }
    }
    const session = await talking(watched)
    expect(listening).toBe(1)
    await session.serving.close()
    expect(listening).toBe(0)
    const before = session.heard.length
    await counting.set([second])
    expect(session.heard.length).toBe(before)
  })

  it("changes nothing when what it is given is refused", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const session = await talking(counting)
    await expect(counting.set([first, first])).rejects.toThrow("Two tools are named first")
    await session.ask("ping")
    expect(counting.server.items).toEqual([first])
    expect(session.heard.filter(({ method }) => method !== undefined)).toEqual([])
  })

  it("is refused without the promise to tell", () => {
    expect(() => live(defineServer(info, [first]) as never)).toThrow("must declare { tools: { listChanged: true } }")
  })

  it("stops calling back when asked to", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const heard = vi.fn<(families: ReadonlyArray<string>) => void>()
    const forget = counting.onChange(heard)
    await counting.set([second])
    forget()
    await counting.set([first])
    expect(heard).toHaveBeenCalledExactlyOnceWith(["tools"])
  })
})

describe("a live server whose schemas have to be loaded", () => {
  beforeEach(() => vi.resetModules())

  it("is what it was set to last, whatever was ready first", async () => {
    const { defineServer, live, tool } = await import("../src/index.js")
    const slow = tool("slow", { input: Schema.Struct({ a: Schema.Finite }) }, () => "x")
    const quick = tool("quick", {}, () => "x")
    const counting = live(defineServer(info, [], announcing))
    const names = () => counting.server.definition.tools.map(({ name }) => name)
    const both = [counting.set([slow]), counting.set([quick])]
    await both[1]
    expect(names()).toEqual(["quick"])
    await both[0]
    expect(names()).toEqual(["quick"])
  })

  it("goes on as it was when a schema is refused", async () => {
    const { defineServer, live, tool } = await import("../src/index.js")
    const union = tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    const counting = live(defineServer(info, [], announcing))
    await expect(counting.set([union])).rejects.toThrow("The input schema of tool union can not be used")
    expect(counting.server.items).toEqual([])
  })
})
