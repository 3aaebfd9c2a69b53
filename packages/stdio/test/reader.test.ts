import type { Frame } from "@parley/driver"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { reader } from "../src/reader.js"

const text = (frame: Frame): string => (frame._tag === "Text" ? frame.text : frame._tag)

describe("reader", () => {
  it("keeps what a stream still brings after it was paused, in order", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    let next!: () => void
    const ended = new Promise<void>((resolve) => {
      reader(input, 100, {
        frame(frame) {
          heard.push(text(frame))
          return new Promise<void>((done) => (next = done))
        },
        ended: () => resolve()
      })
    })
    input.emit("data", Buffer.from("a\nb\n"))
    input.emit("data", Buffer.from("c\n"))
    expect(heard).toEqual(["a"])
    input.end()
    for (const expected of [
      ["a", "b"],
      ["a", "b", "c"]
    ]) {
      next()
      await new Promise((resolve) => setImmediate(resolve))
      expect(heard).toEqual(expected)
    }
    next()
    await ended
  })

  it("hands up nothing after it was stopped, and leaves the stream paused", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    const reading = reader(input, 100, {
      frame(frame) {
        heard.push(text(frame))
        reading.stop()
      },
      ended: () => expect.unreachable()
    })
    input.end("a\nb\n")
    await new Promise((resolve) => setImmediate(resolve))
    await reading.quiet(1)
    expect(heard).toEqual(["a"])
    expect(input.isPaused()).toBe(true)
  })
})
