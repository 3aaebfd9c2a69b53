import type { Frame } from "@parley/driver"
import { PassThrough, Readable } from "node:stream"
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

  it("goes on whatever is returned for a line", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    const ended = new Promise<void>((resolve) => {
      reader(input, 100, { frame: (frame) => heard.push(text(frame)) as never, ended: () => resolve() })
    })
    input.end("a\nb\nc\n")
    await ended
    expect(heard).toEqual(["a", "b", "c"])
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
    expect(reading.seen()).toBeUndefined()
    expect(heard).toEqual(["a"])
    expect(input.isPaused()).toBe(true)
  })

  it("hands up no half a line of an input that fails, but all whole ones", async () => {
    for (const held of [false, true]) {
      const input = new PassThrough()
      const heard: Array<string> = []
      let next = (): void => {}
      const failure = new Promise<Error | undefined>((resolve) => {
        reader(input, 100, {
          frame(frame) {
            heard.push(text(frame))
            return held ? new Promise<void>((done) => (next = done)) : undefined
          },
          ended: resolve
        })
      })
      input.emit("data", Buffer.from("a\nhalf"))
      input.destroy(new Error("broken"))
      await turn()
      next()
      expect((await failure)?.message).toBe("broken")
      expect(heard).toEqual(["a"])
    }
  })

  it("sees the end behind what it may not hand up yet, and says so once", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    let next!: () => void
    reader(input, 100, {
      frame(frame) {
        heard.push(text(frame))
        return new Promise<void>((done) => (next = done))
      },
      foreseen: () => void heard.push("foreseen"),
      ended: () => void heard.push("ended")
    })
    input.write("a\n")
    await turn()
    input.end("b\nc")
    for (const expected of [
      ["a", "foreseen"],
      ["a", "foreseen", "b"],
      ["a", "foreseen", "b", "c"],
      ["a", "foreseen", "b", "c", "ended"]
    ]) {
      await turn()
      expect(heard).toEqual(expected)
      next()
    }
  })

  it("says of an end without line end that it was seen, when that line is held up", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    reader(input, 100, {
      frame: () => new Promise(() => {}),
      foreseen: () => void heard.push("foreseen"),
      ended: () => expect.unreachable()
    })
    input.end("a")
    await turn()
    expect(heard).toEqual(["foreseen"])
  })

  it("reads ahead no more than a mebibyte, also in tiny pieces, and goes on from there", async () => {
    for (const piece of [Buffer.from("x".repeat(65_535) + "\n"), Buffer.from("x\n")]) {
      const pieces = Math.ceil((3 * 1024 * 1024) / (piece.length + 256))
      let taken = 0
      const input = Readable.from(
        (function* () {
          for (; taken < pieces; taken++) yield piece
        })(),
        { objectMode: false, highWaterMark: 1 }
      )
      let handed = 0
      let open!: () => void
      const gate = new Promise<void>((resolve) => (open = resolve))
      const ended = new Promise<void>((resolve) => {
        reader(input, 1024 * 1024, { frame: () => (handed++ === 0 ? gate : undefined), ended: () => resolve() })
      })
      let before = -1
      while (before !== taken) {
        before = taken
        for (let n = 0; n < 10; n++) await turn()
      }
      expect(taken * (piece.length + 256)).toBeGreaterThan(900 * 1024)
      expect(taken * (piece.length + 256)).toBeLessThan(1300 * 1024)
      open()
      await ended
      expect(handed).toBe(pieces)
    }
  })

  it("hands up nothing while the one above has not yet said whether to wait", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    reader(input, 100, {
      frame(frame) {
        heard.push(text(frame))
        if (heard.length === 1) input.emit("data", Buffer.from("b\n"))
        return new Promise(() => {})
      },
      ended: () => expect.unreachable()
    })
    input.emit("data", Buffer.from("a\n"))
    await turn()
    expect(heard).toEqual(["a"])
  })

  it("keeps the order of what arrives while a frame is being handed up", async () => {
    const input = new PassThrough()
    const heard: Array<string> = []
    reader(input, 100, {
      frame(frame) {
        heard.push(text(frame))
        if (heard.length === 1) input.emit("data", Buffer.from("c\nd"))
      },
      ended: () => void heard.push("ended")
    })
    input.emit("data", Buffer.from("a\nb\n"))
    expect(heard).toEqual(["a", "b", "c"])
    input.end()
    await turn()
    expect(heard).toEqual(["a", "b", "c", "d", "ended"])
  })
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
