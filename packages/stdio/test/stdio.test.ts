import type { Message } from "@parley/core"
import type { Closed, Frame } from "@parley/driver"
import { once } from "node:events"
import { PassThrough, Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { idOf, listen, numbered, outgoing } from "../../testing/src/channel-tape.js"
import { stdio } from "../src/stdio.js"
import { Stage } from "./stage.js"

const text = (stream: PassThrough): string => String(stream.read() ?? "")

describe("stdio", () => {
  it("reads and writes the process's streams, one message a line", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage })
    const tape = listen(channel)
    stage.stdin.write('{"a":1}\n{"b":')
    stage.stdin.write("2}\n")
    expect((await tape.frames(2)).map((frame) => frame._tag === "Text" && frame.text)).toEqual(['{"a":1}', '{"b":2}'])
    void channel.send(outgoing(numbered(1)))
    void channel.send({ ...outgoing(numbered(2)), text: "{\n}" })
    await once(stage.stdout, "readable")
    expect(text(stage.stdout)).toBe('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"payload":""}}\n{ }\n')
  })

  it("writes what one tick brings in one piece", async () => {
    const pieces: Array<string> = []
    const output = new Writable({
      write(chunk, _, done) {
        pieces.push(String(chunk))
        done()
      }
    })
    const channel = stdio({ input: new PassThrough(), output })
    listen(channel)
    for (let id = 0; id < 100; id++) void channel.send(outgoing(numbered(id)))
    await channel.close()
    expect(pieces.length).toBe(1)
    expect(pieces[0]?.split("\n").length).toBe(101)
  })

  it("closes once everything was taken", async () => {
    const taken: Array<number> = []
    let finish!: () => void
    const output = new Writable({
      write(chunk: Buffer, _, done) {
        finish = () => {
          taken.push(chunk.length)
          done()
        }
      }
    })
    const channel = stdio({ input: new PassThrough(), output })
    listen(channel)
    for (let id = 0; id < 3; id++) void channel.send(outgoing(numbered(id, "x".repeat(100_000))))
    let closed = false
    const closing = channel.close().then(() => (closed = true))
    while (output.writableLength > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      expect(closed).toBe(false)
      finish()
    }
    await closing
    expect(taken.reduce((sum, size) => sum + size)).toBeGreaterThan(300_000)
  })

  it("tells the end of input once the last frame was handled", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage })
    const order: Array<string> = []
    let handled!: () => void
    const end = new Promise<Closed>((resolve) => {
      channel.open({
        frame(frame: Frame) {
          order.push(frame._tag)
          return new Promise<void>((done) => (handled = () => (order.push("handled"), done())))
        },
        closed: (why) => (order.push(why._tag), resolve(why))
      })
    })
    stage.stdin.end("{}")
    while (order.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual(["Text"])
    handled()
    await end
    expect(order).toEqual(["Text", "handled", "Ended"])
  })

  it("leaves the process after all was written, and after whoever awaited the close", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage })
    listen(channel)
    void channel.send(outgoing(numbered(1)))
    const left = once(stage, "left")
    let awaited = false
    void channel.close().then(() => (awaited = true))
    expect(await left).toEqual([0])
    expect(awaited).toBe(true)
    expect(text(stage.stdout)).toContain('"id":1')
    expect(stage.listenerCount("SIGTERM") + stage.listenerCount("SIGINT")).toBe(0)
  })

  it("leaves with the exit code the program has set", async () => {
    const stage = new Stage()
    stage.exitCode = 5
    const channel = stdio({ process: stage })
    listen(channel)
    const left = once(stage, "left")
    await channel.close()
    expect(await left).toEqual([5])
  })

  it("leaves signals and leaving alone when told to", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage, exit: false })
    listen(channel)
    expect(stage.listenerCount("SIGTERM")).toBe(0)
    stage.on("left", () => expect.unreachable())
    await channel.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(stage.stdin.isPaused()).toBe(true)
  })

  it("redirects what else is printed while it is open, and no longer", async () => {
    const stage = new Stage()
    stage.stdout.write("before\n")
    const channel = stdio({ process: stage, exit: false })
    stage.stdout.write("made\n")
    listen(channel)
    stage.stdout.write("open\n")
    void channel.send(outgoing(numbered(1)))
    await channel.close()
    stage.stdout.write("after\n")
    expect(text(stage.stdout)).toMatch(/^before\n\{.*\}\nafter\n$/)
    expect(text(stage.stderr)).toBe("made\nopen\n")
  })

  it("lets prints pass when told to", () => {
    const stage = new Stage()
    listen(stdio({ process: stage, exit: false, guardStdout: false }))
    stage.stdout.write("during\n")
    expect(text(stage.stdout)).toBe("during\n")
  })

  it("closes although its reader takes nothing, after the time it is given", async () => {
    const output = new Writable({ highWaterMark: 1, write() {} })
    const channel = stdio({ input: new PassThrough(), output, stallMs: 20 })
    const tape = listen(channel)
    expect(channel.send(outgoing(numbered(1, "x".repeat(100_000))))).toBeInstanceOf(Promise)
    await channel.close()
    expect(tape.log).toEqual([{ _tag: "Closed" }])
  })

  it("reports a failing input, a cut input and a failing output as gone", async () => {
    const input = new PassThrough()
    const failing = listen(stdio({ input, output: new PassThrough() }))
    input.destroy(new Error("broken"))
    expect(await failing.closed()).toEqual({ _tag: "Gone", detail: "reading failed: broken" })

    const cut = new PassThrough()
    const tape = listen(stdio({ input: cut, output: new PassThrough() }))
    cut.destroy()
    expect(await tape.closed()).toEqual({
      _tag: "Gone",
      detail: "reading failed: the input was closed before its end"
    })

    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) })
    const writing = stdio({ input: new PassThrough(), output })
    const told = listen(writing)
    void writing.send(outgoing(numbered(1)))
    expect(await told.closed()).toEqual({
      _tag: "Gone",
      detail: "the reader of our output went away: EPIPE"
    })
    await writing.close()
  })

  it("tells the size that was exceeded", async () => {
    const input = new PassThrough()
    const tape = listen(stdio({ input, output: new PassThrough(), limit: 3 }))
    input.write("1234\n{}\n")
    expect(await tape.frames(2)).toEqual([
      { _tag: "Garbled", why: "tooLarge", via: "stdio", detail: "a line of more than 3 bytes" },
      { _tag: "Text", text: "{}", via: "stdio" }
    ])
  })

  it("throws for a message that is no JSON, and sends the others whole", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage, exit: false })
    listen(channel)
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    const big = { jsonrpc: "2.0", id: 9, result: { big: 1n } } as unknown as Message
    const round = { jsonrpc: "2.0", id: 9, result: circle } as unknown as Message
    const nothing = { toJSON: () => undefined } as unknown as Message
    void channel.send(outgoing(numbered(1)))
    for (const bad of [big, round, nothing, [numbered(2), big]])
      expect(() => channel.send(outgoing(bad))).toThrow(TypeError)
    void channel.send(outgoing(numbered(3)))
    await channel.close()
    expect(channel.send(outgoing(big))).toBeUndefined()
    expect(text(stage.stdout).trimEnd().split("\n").map(idOf)).toEqual([1, 3])
  })

  it("refuses to be opened twice", async () => {
    const channel = stdio({ input: new PassThrough(), output: new PassThrough() })
    const tape = listen(channel)
    expect(() => listen(channel)).toThrow("This channel is open already")
    await channel.close()
    expect(() => listen(channel)).toThrow("This channel is open already")
    expect(tape.log).toEqual([{ _tag: "Closed" }])
  })
})
