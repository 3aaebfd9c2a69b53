/** The second official client at 2026-07-28 with all of a server, on real sockets: every POST stands for itself. */
import type { ClientOptions } from "@modelcontextprotocol/client"
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import { subscriptionId, versionOf, wrongs } from "../../../stdio/test/interop/modern-wire.js"
import { exchange } from "../../../stdio/test/interop/recorded.js"
import type { Everything } from "./everything.js"
import { everything } from "./everything.js"
import type { Standing } from "./standing.js"
import { places, platforms } from "./standing.js"
import type { Tapped } from "./tapped.js"
import { tapped } from "./tapped.js"

const auto: ClientOptions = { versionNegotiation: { mode: "auto" } }
const pinned: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }
const ways = places.flatMap((place) => [
  { place, way: "auto", options: auto },
  { place, way: "pinned", options: pinned }
])

let standing: Standing
let client: Client
let tap: Tapped
afterEach(async () => {
  await client.close()
  await standing.close()
})

async function connect(
  place: (typeof places)[number],
  { server }: Everything,
  options: ClientOptions
): Promise<Client> {
  standing = await platforms[place](server)
  tap = tapped()
  client = new Client({ name: "official", version: "1.0.0" }, { capabilities, ...options })
  await client.connect(new StreamableHTTPClientTransport(standing.url, { fetch: tap.fetch }))
  return client
}

const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })

describe.each(ways)("$place, and @modelcontextprotocol/client 2.4.0, $way", ({ place, options }) => {
  const open = (made = everything(), more: ClientOptions = {}) => connect(place, made, { ...options, ...more })

  it("agree, list, call, read, get prompts and suggestions", async () => {
    const connected = await open()
    expect(connected.getProtocolEra()).toBe("modern")
    expect(connected.getInstructions()).toBe("Add, and it shall be summed.")
    expect((await connected.listTools()).tools.map(({ name }) => name)).toContain("add")
    expect(await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toMatchObject({
      structuredContent: { sum: 5 }
    })
    expect((await connected.listResources()).resources).toMatchObject([{ uri: "note://one", title: "One" }])
    const person = "person://Sales/Eve%20B"
    expect((await connected.readResource({ uri: person })).contents).toEqual([
      { uri: person, blob: btoa("Eve B of Sales") }
    ])
    expect((await connected.getPrompt({ name: "greet", arguments: { who: "Ada" } })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Greet Ada." } }
    ])
    const ref = { type: "ref/prompt" as const, name: "greet" }
    const { completion } = await connected.complete({ ref, argument: { name: "who", value: "A" } })
    expect(completion.values).toEqual(["Ada", "Alan"])
    expect(wrongs(tap)).toEqual([])
    const asked = tap.said("client")
    expect(new Set(asked.map(versionOf))).toEqual(new Set(["2026-07-28"]))
    expect(tap.answers).toEqual(asked.map(() => ({ method: "POST", status: 200, type: "application/json" })))
  })

  it("agree on what is wrong, and by which status", async () => {
    const connected = await open(everything(), { capabilities: {} })
    const last = (): number => tap.answers.at(-1)!.status
    await expect(connected.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 })
    expect(last()).toBe(200)
    expect(await connected.callTool({ name: "add", arguments: { a: "2" } })).toMatchObject({ isError: true })
    await expect(connected.readResource({ uri: "note://none" })).rejects.toThrow("Resource not found")
    expect(last()).toBe(200)
    await expect(connected.callTool({ name: "need" })).rejects.toMatchObject({ code: -32021 })
    expect(last()).toBe(400)
  })

  it("tell of progress by a stream, and of a log where it was asked for", async () => {
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
    const logged = () =>
      tap.said("server").flatMap(({ method, params }) => (method === "notifications/message" ? [params] : []))
    await connected.callTool({ name: "say" })
    expect(logged()).toEqual([])
    await connected.callTool({ name: "say", _meta: { [LOG_LEVEL_META_KEY]: "info" } })
    expect(logged()).toMatchObject([{ level: "warning", data: "said at warning" }])
    expect(tap.answers.map(({ type }) => type)).toContain("text/event-stream")
    expect(wrongs(tap)).toEqual([])
  })

  it("cancel a call by closing its stream", async () => {
    const made = everything()
    const connected = await open(made)
    const told = made.interrupted()
    const controller = new AbortController()
    const waiting = connected.callTool(
      { name: "wait" },
      { signal: controller.signal, onprogress: () => controller.abort("enough") }
    )
    await expect(waiting).rejects.toThrow("enough")
    await told
    await connected.listTools()
    expect(exchange(tap, "tools/call").reply).toBeUndefined()
  })

  it("listen, hear of each change once, and of none after the end", async () => {
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
    const subscription = await connected.listen({ toolsListChanged: true, resourceSubscriptions: ["note://one"] })
    const both = [told("tools"), told("note://one")]
    await connected.callTool({ name: "grow" })
    await connected.callTool({ name: "touch" })
    await Promise.all(both)
    await subscription.close()
    await connected.callTool({ name: "shrink" })
    await connected.callTool({ name: "touch" })
    expect(heard).toEqual(["tools", "note://one"])
    const listen = tap.said("client").find(({ method }) => method === "subscriptions/listen")
    const about = tap.said("server").filter(({ params }) => params?._meta?.[subscriptionId] === listen.id)
    expect(about.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/tools/list_changed",
      "notifications/resources/updated"
    ])
    expect(wrongs(tap)).toEqual([])
  })

  it("ask and answer inside results, round after round", async () => {
    const connected = await open()
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
    expect(await connected.callTool({ name: "think" })).toEqual(text("small in file:///here"))
    expect(wrongs(tap)).toEqual([])
  })
})

describe.each(places)("%s, where only one kind is spoken", (place) => {
  it("auto falls back to the handshake", async () => {
    const connected = await connect(place, everything(handshakeRevisions), auto)
    expect(connected.getNegotiatedProtocolVersion()).toBe("2025-11-25")
    expect(await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toMatchObject({
      structuredContent: { sum: 5 }
    })
  })

  it("pinned fails, and so does a handshake where there is none", async () => {
    await expect(connect(place, everything(handshakeRevisions), pinned)).rejects.toThrow("2026-07-28")
    await standing.close()
    const legacy: ClientOptions = { versionNegotiation: { mode: "legacy" } }
    await expect(connect(place, everything(perRequestRevisions), legacy)).rejects.toThrow("2026-07-28")
    expect(tap.answers).toMatchObject([{ status: 400 }])
  })
})
