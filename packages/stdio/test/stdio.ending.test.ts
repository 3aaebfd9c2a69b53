import { once } from "node:events"
import { PassThrough, Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { listen, numbered, outgoing } from "../../testing/src/channel-tape.js"
import { Stage } from "./stage.js"
import { stdio } from "../src/stdio.js"

describe("stdio, when its input has ended and requests wait for room in the output", () => {
  it("tells that it is gone when nobody reads, and leaves at once then", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage, stallMs: 500 })
    const tape = listen(channel, () => channel.send(outgoing(numbered(1, "x".repeat(200_000)))))
    stage.stdin.end("{}\n{}\n{}")
    expect(await tape.closed()).toEqual({ _tag: "Gone", detail: "the input has ended and nobody reads the output" })
    expect(tape.log.length).toBe(2)
    const left = once(stage, "left")
    const began = performance.now()
    await channel.close()
    expect(performance.now() - began).toBeLessThan(400)
    expect(await left).toEqual([0])
    expect(tape.log.length).toBe(2)
  })

  it("is patient while anything is taken", async () => {
    const takes: Array<() => void> = []
    const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void takes.push(done) })
    const input = new PassThrough()
    const channel = stdio({ input, output, stallMs: 200 })
    const tape = listen(channel, () => channel.send(outgoing(numbered(1, "x".repeat(100_000)))))
    input.end("{}\n".repeat(5))
    const taking = setInterval(() => takes.shift()?.(), 40)
    expect(await tape.closed()).toEqual({ _tag: "Ended" })
    expect(tape.log.length).toBe(6)
    await channel.close()
    clearInterval(taking)
  })

  it("says that it was closed, when it was", async () => {
    const input = new PassThrough()
    const channel = stdio({ input, output: new Writable({ write() {} }), stallMs: 40 })
    const tape = listen(channel, () => channel.send(outgoing(numbered(1, "x".repeat(200_000)))))
    input.end("{}\n{}")
    await once(input, "end")
    await channel.close()
    expect(tape.log.slice(1)).toEqual([{ _tag: "Closed" }])
  })

  it("waits for a frame that something else holds up, and looks no longer than it is open", async () => {
    let looks = 0
    const output = Object.defineProperty(new PassThrough(), "_handle", { get: () => void looks++ })
    const input = new PassThrough()
    const channel = stdio({ input, output, stallMs: 10 })
    const tape = listen(channel, () => after(50))
    input.end("{}\n{}")
    expect(await tape.closed()).toEqual({ _tag: "Ended" })
    expect(tape.log.length).toBe(3)
    await channel.close()
    expect(looks).toBeGreaterThan(0)
    const before = looks
    await after(30)
    expect(looks).toBeLessThan(before + 3)
  })
})

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
