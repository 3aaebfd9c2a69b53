import type { Channel } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { link } from "../../driver/src/link.js"
import { channelContract } from "../src/channel-contract.js"

const make = async () => {
  const [near, far] = link()
  return { near, far }
}

describe("the contract of channels, kept by a link", () => {
  for (const check of channelContract(make)) it(check.name, () => check.run())
})

describe("the contract of channels has teeth", () => {
  const broken: ReadonlyArray<readonly [what: string, breaks: (channel: Channel) => Channel, check: RegExp]> = [
    [
      "loses its order",
      (c) => ({ ...c, open: (on) => c.open({ ...on, frame: swapped((f) => on.frame(f)) }) }),
      /order of sending/
    ],
    [
      "ignores the given text",
      (c) => ({ ...c, send: (out) => c.send({ ...out, text: undefined }) }),
      /given text when/
    ],
    ["never asks to wait", (c) => ({ ...c, send: (out) => void c.send(out) }), /tells the sender to wait/],
    [
      "does not wait for a frame",
      (c) => ({ ...c, open: (on) => c.open({ ...on, frame: (f) => void on.frame(f) }) }),
      /every frame takes time/
    ],
    ["never tells the end", (c) => ({ ...c, open: (on) => c.open({ ...on, closed() {} }) }), /tells once/],
    [
      "tells the end twice",
      (c) => ({
        ...c,
        open: (on) => c.open({ ...on, closed: (why) => (on.closed(why), on.closed(why)) })
      }),
      /closes once/
    ],
    [
      "cuts large messages",
      (c) => ({
        ...c,
        open: (on) =>
          c.open({
            ...on,
            frame: (f) => on.frame(f._tag === "Text" ? { ...f, text: f.text.slice(0, 1e6) } : f)
          })
      }),
      /however large/
    ],
    ["throws on a late send", (c) => thrower(c), /after it closed/]
  ]
  for (const [what, breaks, name] of broken)
    it(`finds a channel that ${what}`, async () => {
      const check = channelContract(async () => {
        const { near, far } = await make()
        return { near: breaks(near), far: breaks(far) }
      }).find((one) => name.test(one.name))
      await expect(check?.run()).rejects.toThrow()
    })
})

function swapped(frame: (f: never) => void | Promise<void>): (f: unknown) => void {
  let kept: unknown
  return (f) => {
    if (kept === undefined) return void (kept = f)
    void frame(f as never)
    void frame(kept as never)
    kept = undefined
  }
}

function thrower(channel: Channel): Channel {
  let closed = false
  return {
    ...channel,
    send(out) {
      if (closed) throw new Error("closed")
      return channel.send(out)
    },
    close() {
      closed = true
      return channel.close()
    }
  }
}
