import { channelContract } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { portChannel } from "../channel.mjs"

/** Both ends of a channel: `pair()` opens neither. */
function pair(options?: { room?: number }) {
  const { port1, port2 } = new MessageChannel()
  return { near: portChannel(port1, options), far: portChannel(port2, options), port1, port2 }
}

describe("keeps the contract of channels", () => {
  for (const check of channelContract(async () => pair())) it(check.name, () => check.run())
})

const message = { jsonrpc: "2.0", method: "notifications/initialized" } as const
const out = { message, via: undefined, last: false }

it("asks to wait beyond its room, and no longer once the other side has gone", async () => {
  const { near, far } = pair({ room: 10 })
  near.open({ frame() {}, closed() {} })
  const room = near.send(out)
  expect(room).toBeInstanceOf(Promise)
  far.open({ frame: () => new Promise(() => {}), closed() {} })
  await far.close()
  await room
  await near.close()
})

it("says that it was gone when the port was closed without a word", async () => {
  const { near, port2 } = pair()
  const why = new Promise((resolve) => near.open({ frame() {}, closed: resolve }))
  port2.close()
  expect(await why).toEqual({ _tag: "Gone", detail: "the port was closed" })
})

it("tells what came before it was opened, and of a side that has closed by then", async () => {
  const { near, far } = pair()
  far.open({ frame() {}, closed() {} })
  void far.send(out)
  await far.close()
  await new Promise((resolve) => setImmediate(resolve))
  const frames: Array<unknown> = []
  const why = await new Promise((resolve) => near.open({ frame: (frame) => void frames.push(frame), closed: resolve }))
  expect(frames).toEqual([{ _tag: "Text", text: JSON.stringify(message), via: "port" }])
  expect(why).toMatchObject({ _tag: "Gone" })
})

it("is opened once", async () => {
  const { near, far } = pair()
  near.open({ frame() {}, closed() {} })
  expect(() => near.open({ frame() {}, closed() {} })).toThrow("This channel is open already")
  await Promise.all([near.close(), far.close()])
})
