import { describe, expect, it, vi } from "vitest"
import type { Closed, Frame } from "../src/channel.js"
import { link } from "../src/link.js"

const ping = (id: number) => ({
  message: { jsonrpc: "2.0", id, method: "ping" } as const,
  via: undefined,
  last: false
})
const tick = () => new Promise<void>((resolve) => setTimeout(resolve))

describe("link", () => {
  it("hands nothing up inside the call that sends", async () => {
    const [near, far] = link()
    const heard: Array<Frame> = []
    far.open({ frame: (frame) => void heard.push(frame), closed() {} })
    near.open({ frame() {}, closed() {} })
    void near.send(ping(1))
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([{ _tag: "Text", text: '{"jsonrpc":"2.0","id":1,"method":"ping"}', via: "link" }])
  })

  it.each([
    ["a number", () => 1 as never],
    ["nothing, later", async () => {}],
    ["null", () => null as never]
  ])("goes on whatever is returned for a frame: %s", async (_, returned) => {
    const [near, far] = link()
    const heard: Array<Frame> = []
    far.open({
      frame: (frame) => {
        heard.push(frame)
        return returned()
      },
      closed() {}
    })
    near.open({ frame() {}, closed() {} })
    for (const id of [1, 2, 3]) void near.send(ping(id))
    await tick()
    expect(heard).toHaveLength(3)
  })

  it("keeps what is sent before the other side opens", async () => {
    const [near, far] = link()
    near.open({ frame() {}, closed() {} })
    void near.send(ping(1))
    await near.close()
    const heard: Array<Frame | Closed> = []
    far.open({ frame: (frame) => void heard.push(frame), closed: (why) => void heard.push(why) })
    await tick()
    expect(heard.map((entry) => entry._tag)).toEqual(["Text", "Gone"])
  })

  it("asks to wait when more than its room is unread, until there is room again", async () => {
    const [near, far] = link({ room: 50 })
    let next!: () => void
    far.open({ frame: () => new Promise((resolve) => (next = resolve)), closed() {} })
    near.open({ frame() {}, closed() {} })
    expect(near.send(ping(1))).toBeUndefined()
    await tick()
    expect(near.send(ping(2))).toBeUndefined()
    const wait = near.send(ping(3))
    expect(wait).toBeInstanceOf(Promise)
    let settled = false
    void (wait as Promise<void>).then(() => (settled = true))
    await tick()
    expect(settled).toBe(false)
    next()
    await wait
  })

  it("lets a waiting sender go when the reader closes", async () => {
    const [near, far] = link({ room: 1 })
    far.open({ frame: () => new Promise(() => {}), closed() {} })
    near.open({ frame() {}, closed() {} })
    void near.send(ping(1))
    const wait = near.send(ping(2))
    await far.close()
    await wait
    expect(near.send(ping(3))).toBeUndefined()
  })

  it("delivers a hundred thousand waiting messages one by one without slowing down", async () => {
    const [near, far] = link()
    let count = 0
    const all = new Promise<void>((resolve) => {
      far.open({ frame: async () => void (++count === 100_000 && resolve()), closed() {} })
    })
    near.open({ frame() {}, closed() {} })
    for (let n = 0; n < 100_000; n++) void near.send(ping(n))
    await all
    expect(count).toBe(100_000)
  })

  it("lets timers run between two sides that always have something to say", async () => {
    const [near, far] = link()
    let said = 0
    let over = false
    const echo = (to: typeof near) => () => {
      // A link that starves the timers ends here.
      if (!over && said++ < 200_000) void to.send(ping(said))
    }
    near.open({ frame: echo(near), closed() {} })
    far.open({ frame: echo(far), closed() {} })
    void near.send(ping(0))
    await tick()
    over = true
    expect(said).toBeLessThan(200_000)
  })

  it.each(["with message channels", "without them"])("keeps the order through every pause, %s", async (how) => {
    if (how === "without them") vi.stubGlobal("MessageChannel", undefined)
    try {
      const [near, far] = link()
      const heard: Array<unknown> = []
      const all = new Promise<Closed>((closed) => {
        far.open({
          frame: (frame) => {
            heard.push(frame._tag === "Text" ? (JSON.parse(frame.text) as { id: number }).id : frame)
          },
          closed
        })
      })
      near.open({ frame() {}, closed() {} })
      const sent = Array.from({ length: 2_000 }, (_, n) => n)
      for (const n of sent) void near.send(ping(n))
      await Promise.resolve()
      void near.send(ping(2_000))
      expect(heard.length).toBeLessThan(2_000)
      await near.close()
      expect((await all)._tag).toBe("Gone")
      expect(heard).toEqual([...sent, 2_000])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it("hands nothing up after a pause in which its reader closed", async () => {
    const [near, far] = link()
    let heard = 0
    far.open({ frame: () => void heard++, closed() {} })
    near.open({ frame() {}, closed() {} })
    for (let n = 0; n < 1_000; n++) void near.send(ping(n))
    await Promise.resolve()
    const before = heard
    await far.close()
    await tick()
    expect(before).toBeGreaterThan(0)
    expect(heard).toBe(before)
  })
})
