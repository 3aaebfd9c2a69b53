/** Sessions that are kept elsewhere, and gone on with by another server over the same state. */
import { link } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { defineServer, form, live, resource, serve, tool } from "../src/index.js"
import { talking, talk as talkTo } from "./talk.js"
import { thenable } from "./thenable.js"

const info = { name: "kept", version: "1.0.0" }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })

/** What a file or a database would keep. */
class Shelf {
  state: unknown
  readonly keep = (state: unknown): void => {
    this.state = JSON.parse(JSON.stringify(state))
  }
}

/** A server that asks twice and does three things once. */
function booking(done: Array<string>, hold: () => Promise<void> | void = () => undefined) {
  return defineServer(info, [
    tool("book", { asks: { guests } }, async (_, call) => {
      const once = (what: string) => call.once(what, () => done.push(what))
      await once("reserve")
      const one = await call.ask("guests", { message: "one" })
      await once("charge")
      await hold()
      const two = await call.ask("guests", { message: "two" })
      await once("confirm")
      return `${one.guests + two.guests}`
    }),
    tool("again", { annotations: { idempotentHint: true } }, async () => {
      done.push("again")
      await hold()
      return "done"
    })
  ])
}

const accepted = (guests: number) => ({ action: "accept", content: { guests } })

describe("a kept session", () => {
  it.each(["2025-06-18", "2025-11-25"])("goes on elsewhere with a question that waits, on %s", async (revision) => {
    const done: Array<string> = []
    const shelf = new Shelf()
    const first = await talking(booking(done), { session: shelf }, revision, { elicitation: {} })
    void first.call("book")
    const asked = await first.until(({ method }) => method === "elicitation/create")
    // The process is gone from one moment to the next: nothing of it is heard or kept any more.
    const second = talkTo(booking(done), { session: { state: shelf.state, keep: shelf.keep } })
    second.send({ jsonrpc: "2.0", id: asked.id, result: accepted(3) })
    const again = await second.until(({ method }) => method === "elicitation/create")
    expect(again.id).not.toBe(asked.id)
    expect(done).toEqual(["reserve", "charge"])
    const third = talkTo(booking(done), { session: { state: shelf.state, keep: shelf.keep } })
    third.send({ jsonrpc: "2.0", id: again.id, result: accepted(4) })
    expect(await third.until(({ method }) => method === undefined)).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { content: [{ type: "text", text: "7" }] }
    })
    expect(done).toEqual(["reserve", "charge", "confirm"])
    expect(await third.ask("ping", undefined, "p")).toMatchObject({ result: {} })
  })

  it("tells that a call was interrupted whose handler ran, and runs again what is idempotent", async () => {
    const done: Array<string> = []
    const shelf = new Shelf()
    let reach!: () => void
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const first = await talking(
      booking(done, () => (reach(), new Promise<void>(() => undefined))),
      { session: shelf },
      undefined,
      { elicitation: {} }
    )
    void first.ask("tools/call", { name: "book" }, "b")
    await first.answer("elicitation/create", accepted(3))
    await reached
    void first.ask("tools/call", { name: "again" }, "a")
    await first.ask("ping")
    expect(done).toEqual(["reserve", "charge", "again"])
    const second = talkTo(booking(done), { session: { state: shelf.state, keep: shelf.keep } })
    expect(await second.until(({ id }) => id === "b")).toMatchObject({
      error: { code: -32603, message: "The server was restarted while it served this request" }
    })
    expect(await second.until(({ id }) => id === "a")).toMatchObject({ result: { content: [{ text: "done" }] } })
    expect(done).toEqual(["reserve", "charge", "again", "again"])
  })

  it("keeps what its client subscribed to, and the level of its log", async () => {
    const shelf = new Shelf()
    const note = resource("note://a", { name: "a" }, () => "text")
    const make = () =>
      live(defineServer(info, [note], { declare: { resources: { subscribe: true, listChanged: true } } }))
    const first = await talking(make(), { session: shelf })
    await first.ask("resources/subscribe", { uri: "note://a" })
    const other = make()
    const second = talkTo(other, { session: { state: shelf.state, keep: shelf.keep } })
    await second.ask("ping")
    other.updated("note://a")
    expect(await second.until(({ method }) => method !== undefined)).toMatchObject({ params: { uri: "note://a" } })
    await other.set([note, resource("note://b", { name: "b" }, () => "text")])
    expect(await second.until(({ method }) => method === "notifications/resources/list_changed")).toBeDefined()
  })

  it("begins anew when the kept one had come to its end", async () => {
    const shelf = new Shelf()
    const first = await talking(booking([]), { session: shelf })
    await first.serving.close()
    expect(shelf.state).toMatchObject({ phase: { _tag: "Closed" } })
    const second = await talking(booking([]), { session: { state: shelf.state, keep: shelf.keep } })
    expect(await second.ask("ping")).toMatchObject({ result: {} })
  })

  it.each([
    ["another version announced it", { ...info, version: "2.0.0" }, (state: unknown) => state, "stale"],
    ["it is none", info, () => ({ digest: 5 }), "can not be read"]
  ])("is refused before anything is sent when %s", async (_, who, spoil, why) => {
    const shelf = new Shelf()
    await talking(booking([]), { session: shelf })
    const [near, far] = link()
    const heard: Array<unknown> = []
    near.open({ frame: (frame) => void heard.push(frame), closed: () => undefined })
    const session = { state: spoil(shelf.state), keep: shelf.keep }
    const { closed } = serve(defineServer(who, booking([]).items), far, { session })
    await expect(closed).rejects.toThrow(why)
    expect(heard).toEqual([])
  })

  it("ends, and does nothing more, when it can not be kept; what was kept before is good to go on from", async () => {
    const done: Array<string> = []
    const shelf = new Shelf()
    let full = false
    const keep = (state: unknown): void => {
      if (full) throw new Error("no room")
      shelf.keep(state)
    }
    const first = await talking(booking(done), { session: { keep } }, undefined, { elicitation: {} })
    void first.call("book").catch(() => undefined)
    const asked = await first.until(({ method }) => method === "elicitation/create")
    full = true
    first.send({ jsonrpc: "2.0", id: asked.id, result: accepted(3) })
    await first.gone
    expect(first.crashes).toEqual([["the keeping of a session", new Error("no room")]])
    expect(done).toEqual(["reserve"])
    const second = talkTo(booking(done), { session: { state: shelf.state, keep: shelf.keep } })
    second.send({ jsonrpc: "2.0", id: asked.id, result: accepted(3) })
    await second.until(({ method }) => method === "elicitation/create")
    expect(done).toEqual(["reserve", "charge"])
  })

  it.each<readonly [string, () => unknown]>([
    ["a promise", async () => undefined],
    ["a promise that rejects", () => Promise.reject(new Error("disk full"))],
    ["another thenable", () => thenable((_: unknown, reject: (error: Error) => void) => reject(new Error("late")))]
  ])("ends when keep returns %s: nothing waits for it", async (_, keep) => {
    const strays: Array<unknown> = []
    const stray = (error: unknown): void => void strays.push(error)
    process.on("unhandledRejection", stray)
    try {
      const talk = talkTo(booking([]), { session: { keep } })
      await expect(talk.open()).rejects.toThrow("the server is gone")
      expect(talk.heard).toEqual([])
      expect(talk.crashes).toEqual([
        [
          "the keeping of a session",
          expect.objectContaining({ message: expect.stringContaining("must be synchronous") })
        ]
      ])
      await new Promise((resolve) => setImmediate(resolve))
      expect(strays).toEqual([])
    } finally {
      process.off("unhandledRejection", stray)
    }
  })

  it("is kept by a method of what keeps it", async () => {
    class File {
      state: unknown = undefined
      keep(state: unknown): void {
        this.state = state
      }
    }
    const file = new File()
    await talking(booking([]), { session: file })
    expect(file.state).toMatchObject({ phase: { _tag: "Ready" } })
  })

  it("needs what keeps it", async () => {
    const [, far] = link()
    const { closed } = serve(booking([]), far, { session: {} as never })
    await expect(closed).rejects.toThrow(new TypeError("serve needs a function for session.keep"))
  })
})
