/** When a line is pinged, and when it is given up, with a line that does as it is told. */
import { describe, expect, it } from "vitest"
import type { Line, LineEvents } from "../../src/line/line.js"
import { SocketChannel } from "../../src/line/socket-channel.js"

function staged(pings = true) {
  const did: Array<string> = []
  let to!: LineEvents
  const state = { waits: 0, came: 0, held: 0, heard: true }
  const line: Line = {
    pings,
    listen: (events) => void (to = events),
    send: () => {},
    waiting: () => state.waits,
    received: () => state.came,
    held: () => state.held,
    pause: () => void did.push("pause"),
    resume: () => void did.push("resume"),
    ping: () => void did.push("ping"),
    heard: () => {
      const { heard } = state
      state.heard = false
      return heard
    },
    rest: () => void did.push("rest"),
    close: () => to.closed(),
    cut: () => {
      did.push("cut")
      to.closed()
    }
  }
  const channel = new SocketChannel(line, { closeMs: 1, code: () => 1000 })
  let told: unknown
  const open = (frame: () => void | Promise<void> = () => {}): void =>
    channel.open({ frame, closed: (why) => (told = why) })
  const beats = (...times: ReadonlyArray<number>): void => times.forEach((now) => channel.beat(now, { silenceMs: 25 }))
  return { did, to: () => to, state, channel, open, beats, told: () => told }
}

describe("a line", () => {
  it("that is silent is pinged, and then cut", () => {
    const { did, beats, open, told } = staged()
    open()
    beats(10, 20, 30)
    expect(did).toEqual(["ping", "ping"])
    beats(40)
    expect(did).toEqual(["ping", "ping", "cut"])
    expect(told()).toMatchObject({ detail: "the other side gave no sign of life, and answered no ping for 30 ms" })
  })

  it("that shows any sign of life lives", () => {
    const { did, beats, open, state } = staged()
    open()
    for (let now = 10; now < 500; now += 20) {
      beats(now, now + 10)
      state.heard = true
    }
    expect(did).not.toContain("cut")
  })

  it("that can not ping may be silent", () => {
    const { did, beats, open } = staged(false)
    open()
    beats(10, 20, 30, 40, 1_000)
    expect(did).not.toContain("cut")
  })

  it("that is not read may be silent", () => {
    const { did, beats, open, to } = staged()
    open(() => new Promise(() => {}))
    to().text("one")
    to().text("two")
    beats(10, 20, 30, 40, 1_000)
    expect(did).toContain("pause")
    expect(did).not.toContain("cut")
  })

  it.each([true, false])("that takes nothing of what waits is cut, whatever it says (pings: %s)", (pings) => {
    const { did, beats, open, state, told } = staged(pings)
    open()
    state.waits = 100
    for (const now of [10, 20, 30, 40]) {
      state.heard = true
      beats(now)
    }
    expect(did).toEqual(["cut"])
    expect(told()).toMatchObject({ detail: "the other side took nothing of what was sent for 30 ms" })
  })

  it("that takes some of it now and then lives", () => {
    const { did, beats, open, state, to } = staged()
    open()
    state.waits = 1_000
    for (let now = 10; now < 500; now += 20) {
      beats(now, now + 10)
      state.waits -= 1
      if (now % 40 === 10) to().moved()
    }
    expect(did).not.toContain("cut")
  })

  it("by which a message comes slowly lives, and is told that this side does", () => {
    const { did, beats, open, state } = staged()
    open()
    for (let now = 10; now < 500; now += 10) {
      state.came += 1
      beats(now)
    }
    expect(new Set(did)).toEqual(new Set(["ping"]))
    beats(500, 510, 520, 530)
    expect(did).toContain("cut")
  })

  it("that takes a single message slowly lives, and is cut when it takes no more", () => {
    const { did, beats, open, state } = staged()
    open()
    state.waits = 1_000
    for (let now = 10; now < 500; now += 10) {
      state.held = 1_000 - now
      beats(now)
    }
    expect(did).toEqual([])
    beats(500, 510, 520)
    expect(did).toEqual(["cut"])
  })
})
