import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { listen, numbered, outgoing } from "../../testing/src/channel-tape.js"
import { command } from "../src/command.js"
import { fixture } from "./pairs.js"
import type { Watch } from "./watch.js"
import { watch } from "./watch.js"

let lives: Watch
beforeEach(async () => void (lives = await watch()))
afterEach(() => lives.stop())

describe("command, closing", () => {
  it("lets a server leave by itself at the end of input", async () => {
    const errors: Array<string> = []
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a", "polite", "tells"], {
      stderr: (line) => void errors.push(line)
    })
    listen(channel)
    const { ended } = await lives.started("a")
    await channel.close()
    await ended
    expect(errors).toEqual([])
  })

  it("asks one that stays with SIGTERM", async () => {
    const errors: Array<string> = []
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a", "tells"], {
      graceMs: 100,
      stderr: (line) => void errors.push(line)
    })
    listen(channel)
    const { ended } = await lives.started("a")
    await channel.close()
    await ended
    expect(errors).toEqual(["SIGTERM"])
  })

  it("lets a server write out what nobody reads any more, so that it can leave by itself", async () => {
    const errors: Array<string> = []
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a", "floods", "tells"], {
      stderr: (line) => void errors.push(line)
    })
    const tape = listen(channel, () => new Promise(() => {}))
    await tape.frames(1)
    await channel.close()
    expect(errors).toEqual(["written out"])
  })

  it("kills one that does not care", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a", "stubborn"], {
      graceMs: 100
    })
    listen(channel)
    const { ended } = await lives.started("a")
    await channel.close()
    await ended
  })

  it("has told how the server left when it is closed, also when it had to be killed", async () => {
    for (let n = 0; n < 10; n++) {
      const order: Array<unknown> = []
      const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, `a${n}`, "stubborn"], {
        graceMs: 10,
        exited: (...how) => void order.push(how)
      })
      channel.open({ frame() {}, closed: (why) => void order.push(why._tag) })
      await lives.started(`a${n}`)
      await channel.close()
      expect(order).toEqual([[null, "SIGKILL"], "Closed"])
    }
  })

  it.each([["polite"], ["stubborn"], ["wrapper"]])("leaves nothing of a tree behind a wrapper (%s)", async (word) => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "outer", "wrapper", word], {
      graceMs: 200,
      stderr: "pipe"
    })
    listen(channel)
    const all = [await lives.started("outer"), await lives.started("outer-inner")]
    await channel.close()
    await Promise.all(all.map(({ ended }) => ended))
  })

  it("does not wait for a server that reads nothing", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a"], {
      graceMs: 100
    })
    listen(channel)
    await lives.started("a")
    expect(channel.send(outgoing(numbered(1, "x".repeat(10_000_000))))).toBeInstanceOf(Promise)
    await channel.close()
  })

  it("closes before it was opened, and starts nothing then", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a"])
    await channel.close()
    channel.open({ frame() {}, closed() {} })
    expect(channel.send(outgoing(numbered(1)))).toBeUndefined()
  })
})
