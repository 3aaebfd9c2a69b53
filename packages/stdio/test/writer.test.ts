import { PassThrough, Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { numbered, outgoing } from "../../testing/src/channel-tape.js"
import { writer } from "../src/writer.js"

/** Takes one piece for each call of `take`, and shows as the standard streams do how much of a piece is left. */
class Slow extends Writable {
  readonly _handle = { writeQueueSize: 0 }
  #done: (() => void) | undefined
  take(): void {
    const done = this.#done
    this.#done = undefined
    done?.()
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this._handle.writeQueueSize = chunk.length
    this.#done = done
  }
}

const never = (): boolean => false
const large = outgoing(numbered(1, "x".repeat(100_000)))

describe("writer, to somebody who takes nothing", () => {
  it("says so after the time given, and not while something is taken, be it a part of one message", async () => {
    const output = new Slow({ highWaterMark: 1 })
    const writing = writer(output, () => expect.unreachable())
    void writing.send(large)
    let parts = 0
    const taking = setInterval(() => {
      if (parts++ < 10) output._handle.writeQueueSize -= 10_000
    }, 30)
    expect(await writing.stalled(100, never)).toBe(true)
    clearInterval(taking)
    expect(parts).toBeGreaterThanOrEqual(10)
  })

  it("does not say so when there is nothing to take", async () => {
    const output = new PassThrough()
    output.resume()
    const writing = writer(output, () => expect.unreachable())
    let looks = 0
    expect(await writing.stalled(10, () => ++looks > 30)).toBe(false)
  })

  it("does not say so of an output that is broken", async () => {
    const output = new Slow()
    const writing = writer(output, () => {})
    void writing.send(large)
    const stalled = writing.stalled(100, never)
    output.destroy()
    expect(await stalled).toBe(false)
  })

  it("gives up writing out after the time given, and waits for one who is slow", async () => {
    const output = new Slow({ highWaterMark: 1 })
    const writing = writer(output, () => expect.unreachable())
    void writing.send(large)
    void writing.send(large)
    await writing.flush(20)
    expect(output.writableLength).toBeGreaterThan(100_000)
    const taking = setInterval(() => output.take(), 30)
    await writing.flush(100)
    clearInterval(taking)
    expect(output.writableLength).toBe(0)
  })
})
