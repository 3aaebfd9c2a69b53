import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { listen, numbered, outgoing } from "../../testing/src/channel-tape.js"
import { stdio } from "../src/stdio.js"
import { Stage } from "./stage.js"

const text = (stream: PassThrough): string => String(stream.read() ?? "")

describe("streams that carry a channel", () => {
  it("refuse a second one, and leave the first as it was", async () => {
    const stage = new Stage()
    const channel = stdio({ process: stage, exit: false })
    expect(() => stdio({ process: stage, exit: false })).toThrow("was called twice for the same streams")
    expect(() => stdio({ process: stage, input: new PassThrough() })).toThrow("was called twice for the same streams")
    expect(() => stdio({ input: stage.stdin, output: new PassThrough() })).toThrow("twice for the same streams")
    listen(channel)
    void channel.send(outgoing(numbered(1)))
    await channel.close()
    expect(text(stage.stdout)).toContain('"id":1')
    expect(text(stage.stderr)).toBe("")
  })

  it("refuse another one after it was closed, unless it was never open", async () => {
    const stage = new Stage()
    const stdin = Object.assign(stage.stdin, { unref: (): void => expect.unreachable() })
    await stdio({ process: stage, exit: false }).close()
    stdin.unref = () => {}
    const channel = stdio({ process: stage, exit: false })
    const tape = listen(channel)
    stage.stdin.write("{}\n")
    await tape.frames(1)
    await channel.close()
    expect(() => stdio({ process: stage, exit: false })).toThrow("whose channel was closed")
  })
})
