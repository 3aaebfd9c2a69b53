/** Our client and other people's servers over HTTP, in every era. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { afterEach, describe, expect, it, vi } from "vitest"
import { http } from "../../../src/client/index.js"
import type { Peer } from "./peers.js"
import { effects, official, official2, officialPair } from "./peers.js"

const clientInfo = { name: "parley", version: "1.0.0" }

let client: Client | undefined
let peer: Peer | undefined
let reports: Array<Report> = []
afterEach(async () => {
  await client?.close()
  await peer?.close()
  client = undefined
  peer = undefined
})

async function meet(made: Promise<Peer>, options: Partial<ConnectOptions> = {}): Promise<Client> {
  peer = await made
  reports = []
  client = await connect(http(peer.url), {
    clientInfo,
    answer: { elicit: () => ({ action: "accept", content: { guests: 4 } }) },
    report: (report) => reports.push(report),
    ...options
  })
  return client
}

const ignored = (): ReadonlyArray<Report> => reports.filter(({ _tag }) => _tag === "Ignored")
const said = (result: { readonly content: ReadonlyArray<unknown> }): string => JSON.stringify(result.content)

/** Settles when it is so. What comes by a network has no moment of its own. */
const until = (so: () => boolean): Promise<void> => vi.waitFor(() => expect(so()).toBe(true), { interval: 5 })

describe.each([
  ["the official SDK 1", () => official(), "2025-11-25"],
  ["the official SDK 1 with event ids", () => official({ resumable: true }), "2025-11-25"],
  ["the official SDK 1 over HTTP+SSE", () => officialPair(), "2025-11-25"],
  ["the official SDK 2, both eras", () => official2("dual"), "2026-07-28"],
  ["the official SDK 2, one era", () => official2("modern"), "2026-07-28"],
  ["Effect's, with handshakes", () => effects("legacy"), "2025-11-25"],
  ["Effect's, both eras", () => effects("dual"), "2026-07-28"],
  ["Effect's, one era", () => effects("modern"), "2026-07-28"]
] as const)("%s", (_, make, revision) => {
  it("agrees, lists, calls, asks and is asked", async () => {
    const one = await meet(make())
    expect(one.peer.revision).toBe(revision)
    expect((await one.listTools()).map(({ name }) => name)).toEqual(expect.arrayContaining(["add", "book"]))
    expect(said(await one.callTool("add", { a: 2, b: 3 }))).toContain("5")
    // Effect's tools have no way to ask in this revision.
    const asks = one.peer.info?.["name"] !== "effect" || revision !== "2026-07-28"
    if (asks) expect(said(await one.callTool("book"))).toContain("4 guests")
    await one.ping()
    expect(new Set(peer!.versions.slice(-3))).toEqual(new Set([revision]))
    expect(ignored()).toEqual([])
  })
})

describe("sessions of the official SDK 1", () => {
  it("hears what the server tells on its own, and of progress", async () => {
    let changes = 0
    const on = { "notifications/tools/list_changed": () => void changes++ }
    const one = await meet(official(), { on })
    await one.callTool("touch")
    await until(() => changes === 1)
    const heard: Array<number> = []
    await one.callTool("add", { a: 1, b: 1 }, { onProgress: ({ progress }) => heard.push(progress) })
    expect(heard).toEqual([1])
  })

  it("takes answers that are whole bodies", async () => {
    const one = await meet(official({ json: true }))
    expect(said(await one.callTool("add", { a: 2, b: 3 }))).toContain("5")
  })

  it("tells what is abandoned, and ends its session", async () => {
    const one = await meet(official())
    const stop = new AbortController()
    const call = one.callTool("wait", {}, { signal: stop.signal })
    await until(() => peer!.done.includes("wait"))
    stop.abort("enough")
    await expect(call).rejects.toThrow("enough")
    await until(() => peer!.done.includes("interrupted"))
    expect(peer!.sessions()).toBe(1)
    await one.close()
    expect(peer!.sessions()).toBe(0)
    await until(() => peer!.busy() === 0)
  })

  it("takes up a stream that the server closed before it answered", async () => {
    const one = await meet(official({ resumable: true }))
    expect(said(await one.callTool("cut"))).toContain("resumed")
    expect(peer!.done.filter((name) => name === "cut")).toHaveLength(1)
  })

  it("opens another session when its own is gone, and no call is lost or done twice", async () => {
    const one = await meet(official())
    await one.setLogLevel("error")
    const subscription = one.subscribe("note://one")
    await subscription.ready
    peer!.forget()
    const calls = await Promise.all([1, 2, 3].map((a) => one.callTool("add", { a, b: 0 })))
    expect(calls.map(said)).toEqual([1, 2, 3].map((a) => expect.stringContaining(String(a))))
    expect(peer!.sessions()).toBe(1)
    expect(peer!.done.filter((name) => name === "add")).toHaveLength(3)
    await until(() => peer!.done.filter((name) => name === "subscribe note://one").length === 2)
    await until(() => peer!.done.filter((name) => name === "level error").length === 2)
    subscription.close()
    peer!.forget()
    expect(said(await one.callTool("add", { a: 4, b: 0 }))).toContain("4")
  })
})

describe("HTTP+SSE of the official SDK 1", () => {
  it("cancels by a message, and is over when its stream is", async () => {
    const one = await meet(officialPair())
    const stop = new AbortController()
    const call = one.callTool("wait", {}, { signal: stop.signal })
    await until(() => peer!.done.includes("wait"))
    stop.abort("enough")
    await expect(call).rejects.toThrow("enough")
    await until(() => peer!.done.includes("interrupted"))
    const other = one.callTool("wait")
    await until(() => peer!.done.filter((name) => name === "wait").length === 2)
    peer!.kill()
    await expect(other).rejects.toThrow("tools/call was not answered: the stream by which the server answers broke")
    await one.closed
  })
})

describe("requests that stand for themselves, with the official SDK 2", () => {
  it("says in headers what a tool wants there", async () => {
    const one = await meet(official2("modern"))
    expect(said(await one.callTool("place", { region: " Zürich" }))).toContain(" Zürich")
  })

  it("cancels by closing the exchange", async () => {
    const one = await meet(official2("modern"))
    const stop = new AbortController()
    const call = one.callTool("wait", {}, { signal: stop.signal })
    await until(() => peer!.done.includes("wait"))
    stop.abort("enough")
    await expect(call).rejects.toThrow("enough")
    await until(() => peer!.done.includes("interrupted"))
  })

  it("hears changes on a stream of its own, until it is closed", async () => {
    let changes = 0
    const on = { "notifications/tools/list_changed": () => void changes++ }
    const one = await meet(official2("dual"), { on })
    await vi.waitFor(async () => {
      await one.callTool("touch")
      expect(changes).toBeGreaterThan(0)
    })
    await one.close()
    await until(() => peer!.busy() === 0)
  })
})
