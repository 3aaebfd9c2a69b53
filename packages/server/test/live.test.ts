/** A server that changes while it serves. */
import * as Schema from "effect/Schema"
import { beforeEach, describe, expect, it, vi } from "vitest"
import type { Change } from "../src/index.js"
import { defineServer, live, prompt, resource, resourceTemplate, tool } from "../src/index.js"
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

  it("keeps what was announced with its last item that it followed from", async () => {
    const suggesting = prompt("p", { arguments: { a: { complete: () => [] } } }, () => "x")
    const task = tool("task", { task: "optional" }, () => "x")
    const promises = { tools: { listChanged: true }, prompts: { listChanged: true } } as const
    const counting = live(defineServer(info, [suggesting, task], { declare: promises }))
    const before = counting.server.definition.capabilities
    await counting.set([])
    expect(counting.server.definition.capabilities).toEqual(before)
    await counting.set([suggesting, task])
    expect(counting.server.definition.capabilities).toEqual(before)
  })

  it("does not begin what clients were not told of", async () => {
    const suggesting = prompt("p", { arguments: { a: { complete: () => [] } } }, () => "x")
    const task = tool("task", { task: "optional" }, () => "x")
    const promises = { tools: { listChanged: true }, prompts: { listChanged: true } } as const
    const counting = live(defineServer(info, [first], { declare: promises }))
    await expect(counting.set([suggesting])).rejects.toThrow("Clients were not told of completions")
    await expect(counting.set([task])).rejects.toThrow("Clients were not told of tasks")
    await expect(counting.set([resource("a:b", { name: "a" }, () => "x")])).rejects.toThrow(
      "The resources may not change"
    )
    expect(counting.server.items).toEqual([first])
    const able = live(defineServer(info, [], { declare: { ...promises, completions: true, tasks: {} } }))
    await able.set([suggesting, task])
    expect(able.server.items).toHaveLength(2)
  })

  it("tells which lists changed, and no other", async () => {
    const promises = {
      tools: { listChanged: true },
      resources: { listChanged: true },
      prompts: { listChanged: true }
    } as const
    const counting = live(defineServer(info, [first], { declare: promises }))
    const session = await talking(counting)
    const told = () => session.heard.filter(({ method }) => method !== undefined).map(({ method }) => method)
    await counting.set([first])
    await session.ask("ping")
    expect(told()).toEqual([])
    await counting.set([first, resourceTemplate("a:{b}", { name: "a" }, () => "x"), prompt("p", {}, () => "x")])
    await session.ask("ping")
    expect(told()).toEqual(["notifications/resources/list_changed", "notifications/prompts/list_changed"])
    await counting.set([tool("first", {}, () => "another handler"), ...counting.server.items.slice(1)])
    expect(await session.call("first")).toEqual({ content: [{ type: "text", text: "another handler" }] })
    expect(told()).toHaveLength(2)
  })

  it("is refused without the promise to tell", () => {
    expect(() => live(defineServer(info, [first]) as never)).toThrow("must declare { tools: { listChanged: true } }")
  })

  it("stops calling back when asked to", async () => {
    const counting = live(defineServer(info, [first], announcing))
    const heard = vi.fn<(change: Change) => void>()
    const forget = counting.onChange(heard)
    await counting.set([second])
    forget()
    await counting.set([first])
    expect(heard).toHaveBeenCalledExactlyOnceWith({ _tag: "Changed", families: ["tools"] })
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

  it("may be made before they are", async () => {
    const { defineServer, live, tool } = await import("../src/index.js")
    const slow = tool("slow", { input: Schema.Struct({ a: Schema.Finite }) }, () => "x")
    const counting = live(defineServer(info, [slow], announcing))
    await counting.set([])
    expect(counting.server.definition.tools).toEqual([])
  })

  it("goes on as it was when a schema is refused", async () => {
    const { defineServer, live, tool } = await import("../src/index.js")
    const union = tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    const counting = live(defineServer(info, [], announcing))
    await expect(counting.set([union])).rejects.toThrow("The input schema of tool union can not be used")
    expect(counting.server.items).toEqual([])
  })
})
