import { describe, expect, it } from "vitest"
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
})
