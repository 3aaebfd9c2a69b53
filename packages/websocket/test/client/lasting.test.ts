/** Connections that are opened and lost in turn, on simulated time: how long is waited, how often, and what is left behind. */
import { getEventListeners } from "node:events"
import type { Frame } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { simulated } from "../../../driver/test/simulated.js"
import { Unopened } from "../../src/client/dial.js"
import { lasting } from "../../src/client/lasting.js"
import type { Reconnect } from "../../src/client/options.js"
import { settled } from "../../src/client/options.js"
import type { Line, LineEvents } from "../../src/line/line.js"

const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

function staged(reconnect: Reconnect | boolean, opens: (nth: number) => boolean = () => true) {
  const clock = simulated()
  const dialled: Array<number> = []
  const lines: Array<LineEvents> = []
  let stop: AbortSignal
  const channel = lasting(
    async (make, signal) => {
      stop = signal
      dialled.push(clock.now())
      if (!opens(dialled.length)) throw new Unopened("nobody is there")
      let to!: LineEvents
      const line: Line = {
        pings: true,
        listen: (events) => void (to = events),
        send: () => {},
        received: () => 0,
        heard: () => true,
        rest: () => {},
        held: () => 0,
        waiting: () => 0,
        pause: () => {},
        resume: () => {},
        ping: () => {},
        close: () => to.closed(),
        cut: () => to.closed()
      }
      const made = make(line)
      lines.push(to)
      return made
    },
    settled({ reconnect, clock, closeMs: 1 })
  )
  const frames: Array<Frame> = []
  let closed: unknown
  channel.open({ frame: (frame) => void frames.push(frame), closed: (why) => (closed = why) })
  let id = 0
  /** A server answers by the connection that is open. */
  const answer = async (method = "server/discover", result: object = {}): Promise<void> => {
    void channel.send({ message: { jsonrpc: "2.0", id: ++id, method }, via: undefined, last: false })
    lines.at(-1)!.text(JSON.stringify({ jsonrpc: "2.0", id, result }))
    await turns()
  }
  const lose = async (): Promise<void> => {
    lines.at(-1)!.closed()
    await turns()
  }
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await turns()
  }
  return {
    channel,
    clock,
    dialled,
    frames,
    answer,
    lose,
    pass,
    closed: () => closed,
    listeners: () => getEventListeners(stop, "abort").length
  }
}

/** What was waited before each connection but the first, in ms. */
async function waits(one: ReturnType<typeof staged>, lastsMs: number, method?: string): Promise<ReadonlyArray<number>> {
  const found: Array<number> = []
  await turns()
  await one.answer(method)
  while (one.closed() === undefined && found.length < 15) {
    await one.pass(lastsMs)
    const before = one.clock.now()
    const { length } = one.dialled
    await one.lose()
    while (one.dialled.length === length && one.closed() === undefined) await one.pass(1)
    if (one.dialled.length === length) break
    found.push(one.clock.now() - before)
    await one.answer(method)
  }
  return found
}

describe("a server that answers, and is gone again at once", () => {
  it.each(["server/discover", "initialize"])("is tried later and later, and then no more: %s", async (method) => {
    const one = staged({ initialMs: 100, maxMs: 1_000, tries: 6 })
    const found = await waits(one, 5, method)
    expect(found).toHaveLength(6)
    for (const [at, least] of [100, 200, 400, 800, 1_000, 1_000].entries()) {
      expect(found[at]).toBeGreaterThanOrEqual(least)
      expect(found[at]).toBeLessThanOrEqual(least * 1.25 + 1)
    }
    expect(one.closed()).toEqual({
      _tag: "Gone",
      detail: "the connection was lost (the connection is closed), and of 6 in a row none lasted"
    })
  })

  it("is not tried without a pause, whatever the first wait is", async () => {
    const found = await waits(staged({ initialMs: 0, tries: 5 }), 0)
    expect(found.slice(1)).toHaveLength(4)
    for (const [at, ms] of found.slice(1).entries()) expect(ms).toBeGreaterThanOrEqual(50 * 2 ** (at + 1))
  })
})

it.each([
  [30_000, 10_000],
  [500, 500]
])("with waits up to %d ms, a connection that lasts %d ms was not opened in vain", async (maxMs, lasts) => {
  const found = await waits(staged({ initialMs: 100, maxMs, tries: 2 }), lasts)
  expect(found).toHaveLength(15)
  for (const ms of found) expect(ms).toBeLessThanOrEqual(126)
})

it("leaves nothing behind, however often the connection is opened again", async () => {
  const one = staged({ initialMs: 1, maxMs: 1, tries: 1 })
  await waits(one, 2)
  expect(one.dialled).toHaveLength(16)
  expect(one.listeners()).toBe(0)
})

it("says by which frame that there is another connection, after what was sent meanwhile", async () => {
  const one = staged({ initialMs: 1 })
  await turns()
  await one.answer()
  await one.lose()
  expect(one.channel.returns).toBe(true)
  await one.pass(2)
  expect(one.frames.map(({ _tag }) => _tag)).toEqual(["Parsed", "SessionLost"])
})

it("says that it was closed, when it is closed before it was open", async () => {
  let open!: () => void
  const opening = new Promise<never>((_, reject) => (open = () => reject(new Unopened("it was closed before"))))
  const channel = lasting(
    (_, signal) => {
      signal.addEventListener("abort", open)
      return opening
    },
    settled({ closeMs: 0 })
  )
  let closed: unknown
  channel.open({ frame: () => {}, closed: (why) => (closed = why) })
  void channel.send({ message: { jsonrpc: "2.0", id: 1, method: "ping" }, via: undefined, last: false })
  await channel.close()
  expect(closed).toEqual({ _tag: "Closed" })
})
