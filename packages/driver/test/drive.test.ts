/** What a driver does with what its machine asks for, in which order, and what it survives. */
import { describe, expect, it, vi } from "vitest"
import { drive } from "../src/drive.js"
import { byHand, text } from "./by-hand.js"
import type { Input, Of, Output, State } from "./remembering.js"
import { does, machine, none, send, start } from "./remembering.js"

it.each<[unknown]>([[1], [null], [true], [{}]])("takes a channel that answers %j for one with room", async (answer) => {
  const { channel, driver } = start((word) => (word === "end" ? [{ _tag: "Close", reason: "done" }] : [send(word)]))
  channel.room = answer as undefined
  channel.close = () => {
    channel.on.closed({ _tag: "Closed" })
    return answer as never
  }
  expect(channel.on.frame(text("a"))).toBeUndefined()
  expect(driver.congested()).toBe(false)
  void channel.on.frame(text("end"))
  expect(await driver.closed).toEqual({ _tag: "Closed" })
})

describe("what a step asks for", () => {
  it("is done in order, whoever does it", () => {
    const order: Array<string> = []
    const { channel } = start(
      (word) => (word === "go" ? [does("a"), send("b"), does("c"), send("d")] : []),
      (what) => order.push(what)
    )
    const real = channel.send.bind(channel)
    channel.send = (out) => {
      order.push((out.message as { method: string }).method)
      return real(out)
    }
    void channel.on.frame(text("go"))
    expect(order).toEqual(["a", "b", "c", "d"])
  })

  it("comes before what is fed meanwhile, which is stepped in the order in which it was fed", () => {
    const { channel, done, driver } = start(
      (word) => (word === "go" ? [does("a"), does("b")] : [does(`after ${word}`)]),
      (what, { driver }) => {
        if (what === "a" || what === "b") {
          driver.feed({ _tag: "Did", what: `${what}1` })
          driver.feed({ _tag: "Did", what: `${what}2` })
        }
        if (what === "after a1") driver.feed({ _tag: "Did", what: "deep" })
      }
    )
    void channel.on.frame(text("go"))
    expect(driver.state()).toEqual(["go", "a1", "a2", "b1", "b2", "deep"])
    expect(done).toEqual(["a", "b", "after a1", "after a2", "after b1", "after b2", "after deep"])
  })

  it("may feed a hundred thousand inputs in turn without growing the stack", () => {
    const channel = byHand()
    const driver = drive<number, Input, Output, Of>({
      machine: {
        initial: 0,
        step: (state) => [state + 1, [does("again")]],
        encode: (state) => state,
        decode: () => ({ ok: false, error: "malformed" }) as never
      },
      channel,
      perform: () => {
        if (driver.state() <= 100_000) driver.feed({ _tag: "Did", what: "" })
      },
      ended: (why) => ({ _tag: "Ended", why })
    })
    void channel.on.frame(text("go"))
    expect(driver.state()).toBe(100_001)
  })
})

describe("an error thrown by what performs", () => {
  it("stops nothing, and surfaces as uncaught", async () => {
    const kept = process.listeners("uncaughtException")
    process.removeAllListeners("uncaughtException")
    const caught = new Promise((resolve) => process.once("uncaughtException", resolve))
    const { channel, done, driver } = start(
      (word) => (word === "go" ? [does("a"), does("b"), send("c")] : []),
      (what, { driver }) => {
        driver.feed({ _tag: "Did", what })
        if (what === "a") throw new Error("a bug in a")
      }
    )
    expect(() => channel.on.frame(text("go"))).not.toThrow()
    expect(done).toEqual(["a", "b"])
    expect(channel.sent).toHaveLength(1)
    expect(driver.state()).toEqual(["go", "a", "b"])
    expect(await caught).toEqual(new Error("a bug in a"))
    for (const listener of kept) process.on("uncaughtException", listener)
    void channel.on.frame(text("next"))
    expect(driver.state().at(-1)).toBe("next")
  })
})

describe("a frame", () => {
  it("is parsed once, and garbage is told as garbage with its beginning", () => {
    const { channel, driver } = start(none)
    void channel.on.frame({ _tag: "Text", text: "{not json", via: "a" })
    void channel.on.frame({ _tag: "Text", text: `"${"x".repeat(300)}`, via: "a" })
    void channel.on.frame({ _tag: "Garbled", why: "utf8", via: "a" })
    void channel.on.frame({ _tag: "Garbled", why: "tooLarge", via: "a" })
    expect(driver.state()).toEqual([
      "garbled json {not json",
      `garbled json "${"x".repeat(199)}`,
      "garbled utf8 ",
      "garbled tooLarge "
    ])
  })

  it("that holds too many values is refused without being parsed, and the next one is read", () => {
    const { channel, driver } = start(none)
    const parse = vi.spyOn(JSON, "parse")
    void channel.on.frame({ _tag: "Text", text: "[".repeat(17 * 1024 * 1024), via: "a" })
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
    void channel.on.frame(text("next"))
    expect(driver.state()).toEqual(["garbled tooLarge it holds too many values", "next"])
  })
})

describe("the end", () => {
  it("is told to the machine once, and closed says what ended it", async () => {
    const { channel, driver } = start((word) => (word === "ended Gone" ? [{ _tag: "Close", reason: "bye" }] : []))
    channel.close = async (why) => void channel.closings.push(why)
    channel.on.closed({ _tag: "Gone", detail: "it fell over" })
    expect(channel.closings).toEqual(["bye"])
    expect(await driver.closed).toEqual({ _tag: "Gone", detail: "it fell over" })
    expect(driver.state()).toEqual(["ended Gone"])
  })

  it("comes when the machine says so, with the channel's own word for it", async () => {
    const { channel, driver } = start((word) => (word === "stop" ? [{ _tag: "Close", reason: "enough" }] : []))
    let closed = false
    void driver.closed.then(() => (closed = true))
    await Promise.resolve()
    expect(closed).toBe(false)
    void channel.on.frame(text("stop"))
    expect(await driver.closed).toEqual({ _tag: "Closed" })
    expect(channel.closings).toEqual(["enough"])
    expect(driver.state()).toEqual(["stop", "ended Closed"])
  })

  it("stops all timers", () => {
    const { channel, clock, driver } = start((word) => {
      if (word === "stop") return [{ _tag: "Close", reason: "enough" }]
      return word === "go" ? [{ _tag: "StartTimer", timer: { of: "wait", call: 1 }, ms: 10 }] : []
    })
    void channel.on.frame(text("go"))
    expect(clock.pending()).toBe(1)
    void channel.on.frame(text("stop"))
    clock.advance(100)
    expect(driver.state()).not.toContain("fired 1")
  })
})

describe("a timer", () => {
  it("that was started fires into the machine, and one that was stopped does not", () => {
    const { channel, clock, driver } = start((word) => {
      if (word === "go")
        return [
          { _tag: "StartTimer", timer: { of: "wait", call: 1 }, ms: 10 },
          { _tag: "StartTimer", timer: { of: "wait", call: 2 }, ms: 10 }
        ]
      return word === "stop" ? [{ _tag: "StopTimer", timer: { of: "wait", call: 1 } }] : []
    })
    void channel.on.frame(text("go"))
    void channel.on.frame(text("stop"))
    clock.advance(10)
    expect(driver.state()).toEqual(["go", "stop", "fired 2"])
  })
})

describe("replace", () => {
  it("puts another machine over the same state, from the next step on", () => {
    const { channel, done, driver } = start(
      (word) => [does(`old ${word}`), does(`old again ${word}`)],
      (what) => {
        if (what === "old b") driver.replace(machine((word) => [does(`new ${word}`)]))
      }
    )
    for (const word of ["a", "b", "c"]) void channel.on.frame(text(word))
    expect(done).toEqual(["old a", "old again a", "old b", "old again b", "new c"])
    expect(driver.state()).toEqual(["a", "b", "c"])
  })
})

it("goes on from the state that it is given", () => {
  const channel = byHand()
  const driver = drive<State, Input, Output, Of>({
    machine: machine(none),
    channel,
    perform: () => {},
    ended: (why) => ({ _tag: "Ended", why }),
    state: ["before"]
  })
  void channel.on.frame(text("after"))
  expect(driver.state()).toEqual(["before", "after"])
})

describe("what is performed and says very much", () => {
  const flood = (driver: { feed: (input: { _tag: "Did"; what: string }) => void }, many: number) => {
    for (let n = 0; n < many; n++) driver.feed({ _tag: "Did", what: String(n) })
  }

  it("is heard before it returns, in order, and once", () => {
    let heard = 0
    const { channel, driver } = start(
      (word) => (word === "go" ? [does("flood")] : [send(word)]),
      (_, { channel, driver }) => {
        flood(driver, 1_000)
        heard = channel.sent.length
      }
    )
    driver.feed({ _tag: "Did", what: "go" })
    expect(heard).toBeGreaterThan(900)
    const methods = channel.sent.map(({ message }) => (message as { method: string }).method)
    expect(methods).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n)))
    expect(driver.state()).toEqual(["go", ...methods])
  })

  it("is heard after the outputs at hand when it says little", () => {
    const { channel, driver } = start(
      (word) => (word === "go" ? [does("flood"), send("first")] : [send(word)]),
      (_, { driver }) => flood(driver, 3)
    )
    driver.feed({ _tag: "Did", what: "go" })
    expect(channel.sent.map(({ message }) => (message as { method: string }).method)).toEqual(["first", "0", "1", "2"])
  })

  it("takes no step inside of another, however much it says there", () => {
    let inside = 0
    let deepest = 0
    const { driver } = start((word) => {
      deepest = Math.max(deepest, ++inside)
      if (word === "go") flood(driver, 1_000)
      inside--
      return []
    })
    driver.feed({ _tag: "Did", what: "go" })
    expect(deepest).toBe(1)
    expect(driver.state()).toHaveLength(1_001)
  })
})
