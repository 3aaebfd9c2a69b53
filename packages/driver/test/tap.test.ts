import { describe, expect, it } from "vitest"
import type { Channel, Closed, Frame } from "../src/channel.js"
import { link } from "../src/link.js"
import { tap } from "../src/tap.js"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const

describe("tap", () => {
  it("tells what is sent before it goes out, and what arrives before it is handed up", async () => {
    const order: Array<unknown> = []
    const [near, far] = link()
    far.open({
      frame: (frame) => {
        order.push(["far", frame])
        void far.send({ message: { jsonrpc: "2.0", id: 1, result: {} }, via: undefined, last: true })
      },
      closed: () => {}
    })
    const channel = tap(near, {
      sent: (message) => order.push(["sent", message]),
      received: (frame) => order.push(["received", frame])
    })
    const heard = new Promise<void>((resolve) => {
      channel.open({
        frame: (frame) => {
          order.push(["near", frame])
          resolve()
        },
        closed: () => {}
      })
    })
    void channel.send({ message: ping, via: undefined, last: false })
    await heard
    const reply: Frame = { _tag: "Text", text: '{"jsonrpc":"2.0","id":1,"result":{}}', via: "link" }
    expect(order).toEqual([
      ["sent", ping],
      ["far", { _tag: "Text", text: JSON.stringify(ping), via: "link" }],
      ["received", reply],
      ["near", reply]
    ])
  })

  it("passes everything else through, back-pressure and the end included", async () => {
    const calls: Array<unknown> = []
    const room = Promise.resolve()
    const inner: Channel = {
      cancels: "exchange",
      open: (on) => on.closed({ _tag: "Gone", detail: "broken" }),
      send: (out) => {
        calls.push(["send", out])
        return room
      },
      abort: (id) => calls.push(["abort", id]),
      close: async (why) => void calls.push(["close", why])
    }
    const channel = tap(inner, {})
    expect(channel.cancels).toBe("exchange")
    const why = await new Promise<Closed>((resolve) => channel.open({ frame: () => {}, closed: resolve }))
    expect(why).toEqual({ _tag: "Gone", detail: "broken" })
    const out = { message: ping, via: "a", last: true, text: "{}" }
    expect(channel.send(out)).toBe(room)
    channel.abort(1)
    await channel.close("enough")
    expect(calls).toEqual([
      ["send", out],
      ["abort", 1],
      ["close", "enough"]
    ])
  })
})
