/** The second official client agreeing on 2026-07-28 with our server of both kinds, and whole conversations then, over real pipes. */
import type { Client, ClientOptions } from "@modelcontextprotocol/client"
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { subscriptionId, versionOf, wrongs } from "./modern-wire.js"
import type { Negotiating } from "./official-negotiating.js"
import { negotiating, ways } from "./official-negotiating.js"
import type { Recording } from "./recorded.js"
import { exchange } from "./recorded.js"

let server: Bundled
let met: Negotiating
let recording: Recording
beforeAll(async () => void (server = await bundled("../interop/eras.ts")))
afterAll(() => server.remove())
afterEach(async () => {
  await met.client.close()
  recording.remove()
})

const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })

async function connect(eras: "legacy" | "modern" | "dual", options: ClientOptions): Promise<Client> {
  met = negotiating(server.path, eras, options)
  recording = met.recording
  await met.agreed
  return met.client
}

describe.each(ways)("@modelcontextprotocol/client 2.4.0, %s, and a server of both kinds", (_, options) => {
  const open = (more: ClientOptions = {}) => connect("dual", { ...options, ...more })

  it("agrees by server/discover and never opens by a handshake", async () => {
    const connected = await open()
    expect(connected.getProtocolEra()).toBe("modern")
    expect(connected.getNegotiatedProtocolVersion()).toBe("2026-07-28")
    expect(connected.getServerVersion()).toEqual({ name: "eras", version: "1.0.0" })
    expect(connected.getInstructions()).toBe("Add, and it shall be summed.")
    expect(connected.getServerCapabilities()).toEqual({
      completions: {},
      logging: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true }
    })
    await connected.listTools()
    // It asks a sibling of the process that it then works with.
    expect(recording.starts()).toBe(2)
    const { reply } = exchange(recording, "server/discover", 0)
    expect(reply.result.supportedVersions).toEqual(["2026-07-28"])
    for (let start = 0; start < recording.starts(); start++) {
      expect(recording.said("client", start).map(({ method }) => method)).not.toContain("initialize")
      expect(wrongs(recording, start)).toEqual([])
    }
  })

  it("lists, calls, reads, gets prompts and suggestions", async () => {
    const connected = await open()
    const { tools } = await connected.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["add", "touch", "grow", "say", "count", "wait", "book", "need", "think"])
    )
    expect(await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toMatchObject({
      content: [{ type: "text", text: '{"sum":5}' }],
      structuredContent: { sum: 5 }
    })
    expect((await connected.listResources()).resources).toEqual([
      { uri: "note://one", name: "one", mimeType: "text/plain" },
      { uri: "note://two", name: "two", mimeType: "text/plain" }
    ])
    expect((await connected.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: "person://{name}", name: "person" }
    ])
    expect((await connected.readResource({ uri: "note://one" })).contents).toEqual([
      { uri: "note://one", mimeType: "text/plain", text: "changed 0 times" }
    ])
    expect((await connected.readResource({ uri: "person://Ada" })).contents).toEqual([
      { uri: "person://Ada", blob: btoa("Ada") }
    ])
    expect((await connected.getPrompt({ name: "greet", arguments: { who: "Ada" } })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Greet Ada." } }
    ])
    const ref = { type: "ref/resource" as const, uri: "person://{name}" }
    const { completion } = await connected.complete({ ref, argument: { name: "name", value: "A" } })
    expect(completion.values).toEqual(["Ada", "Alan"])
    expect(wrongs(recording)).toEqual([])
    expect(
      new Set(
        recording
          .said("client")
          .filter(({ id }) => id !== undefined)
          .map(versionOf)
      )
    ).toEqual(new Set(["2026-07-28"]))
  })

  it("is told what is wrong, by the codes of 2026-07-28", async () => {
    const connected = await open({ capabilities: {} })
    await expect(connected.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 })
    expect(await connected.callTool({ name: "add", arguments: { a: "2" } })).toMatchObject({ isError: true })
    await expect(connected.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: -32602 })
    await expect(connected.readResource({ uri: "note://none" })).rejects.toThrow("Resource not found")
    expect(exchange(recording, "resources/read").reply.error).toMatchObject({
      code: -32602,
      data: { uri: "note://none" }
    })
    await expect(connected.callTool({ name: "need" })).rejects.toMatchObject({ code: -32021 })
    expect(exchange(recording, "tools/call").reply.error.data).toEqual({ requiredCapabilities: { elicitation: {} } })
  })

  it("hears of progress while a call runs, and of its log where it asked for it", async () => {
    const connected = await open()
    const steps: Array<number> = []
    await connected.callTool(
      { name: "count", arguments: { steps: 3 } },
      {
        onprogress: ({ progress }) => {
          steps.push(progress)
          if (progress === 3) void connected.callTool({ name: "finish" })
        }
      }
    )
    expect(steps).toEqual([1, 2, 3])

    const logged = (): ReadonlyArray<unknown> =>
      recording.said("server").flatMap(({ method, params }) => (method === "notifications/message" ? [params] : []))
    await connected.callTool({ name: "say", arguments: { by: "me" } })
    expect(logged()).toEqual([])
    await connected.callTool({ name: "say", arguments: { by: "me" }, _meta: { [LOG_LEVEL_META_KEY]: "info" } })
    await connected.callTool({ name: "say", arguments: { by: "me" } })
    expect(logged()).toMatchObject([
      { level: "info", data: "me at info" },
      { level: "warning", data: "me at warning" }
    ])
    expect(wrongs(recording)).toEqual([])
  })

  it("cancels a call, and nothing comes for it any more", async () => {
    const connected = await open()
    const controller = new AbortController()
    const waiting = connected.callTool(
      { name: "wait" },
      { signal: controller.signal, onprogress: () => controller.abort("enough") }
    )
    await expect(waiting).rejects.toThrow("enough")
    expect(await met.stderr.line("interrupted")).toMatch("enough")
    await connected.listTools()
    expect(exchange(recording, "tools/call").reply).toBeUndefined()
  })

  it("listens to lists and resources, is told of each change once, and of none after it closed", async () => {
    const connected = await open()
    const heard: Array<string> = []
    const next = new Map<string, () => void>()
    const hear = (what: string): void => {
      heard.push(what)
      next.get(what)?.()
    }
    const told = (what: string) => new Promise<void>((resolve) => next.set(what, resolve))
    connected.setNotificationHandler("notifications/tools/list_changed", () => hear("tools"))
    connected.setNotificationHandler("notifications/resources/updated", ({ params }) => hear(params.uri))
    const subscription = await connected.listen({
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ["note://one", "note://two"]
    })
    expect(subscription.honoredFilter).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ["note://one", "note://two"]
    })
    const [grown, touched] = [told("tools"), told("note://one")]
    await connected.callTool({ name: "grow" })
    await connected.callTool({ name: "touch", arguments: { note: "note://one" } })
    await Promise.all([grown, touched])
    await subscription.close()
    await connected.callTool({ name: "touch", arguments: { note: "note://one" } })
    await connected.callTool({ name: "shrink" })
    await connected.callTool({ name: "add", arguments: { a: 1, b: 1 } })
    expect(heard).toEqual(["tools", "note://one"])
    const listen = recording.said("client").find(({ method }) => method === "subscriptions/listen")
    const about = recording
      .said("server")
      .filter(({ params, id }) => params?._meta?.[subscriptionId] === listen.id || id === listen.id)
    expect(about.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/tools/list_changed",
      "notifications/resources/updated"
    ])
    expect(wrongs(recording)).toEqual([])
  })

  it("answers what a tool asks inside its results, round after round", async () => {
    const connected = await open({ capabilities: { elicitation: {}, sampling: {}, roots: {} } })
    const asked: Array<string> = []
    connected.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message)
      return { action: "accept", content: { guests: asked.length } }
    })
    connected.setRequestHandler("sampling/createMessage", () => ({
      role: "assistant",
      model: "small",
      content: { type: "text", text: "5" }
    }))
    connected.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///here" }] }))
    expect(await connected.callTool({ name: "book" })).toEqual(text("3 guests"))
    expect(asked).toEqual(["first", "second"])
    const rounds = recording.said("client").filter(({ params }) => params?.name === "book")
    expect(rounds.map(({ params }) => Object.keys(params.inputResponses ?? {}))).toEqual([[], ["guests"], ["guests#2"]])
    expect(rounds.map(({ params }) => typeof params.requestState)).toEqual(["undefined", "string", "string"])
    expect(new Set(rounds.map(({ id }) => id)).size).toBe(3)
    expect(await connected.callTool({ name: "think" })).toEqual(text("small in file:///here"))
    expect(wrongs(recording)).toEqual([])
  })

  it("tells the handler that its user declined", async () => {
    const connected = await open()
    let declined = 0
    connected.setRequestHandler("elicitation/create", () => ({
      action: ["decline", "cancel"][declined++] as "decline"
    }))
    expect(await connected.callTool({ name: "book" })).toEqual(text("decline"))
    expect(await connected.callTool({ name: "book" })).toEqual(text("cancel"))
    expect(declined).toBe(2)
    expect(wrongs(recording)).toEqual([])
  })
})
