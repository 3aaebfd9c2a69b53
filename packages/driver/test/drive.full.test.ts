/** What a driver does while its channel has no room. */
import { describe, expect, it } from "vitest"
import { text } from "./by-hand.js"
import { send, speak, start } from "./remembering.js"

describe("a frame", () => {
  it("keeps its channel waiting while there is no room for what is sent", async () => {
    const { channel } = start((word) => (word === "go" ? [send("a")] : []))
    let free!: () => void
    expect(channel.on.frame(text("go"))).toBeUndefined()
    channel.room = new Promise((resolve) => (free = resolve))
    const waiting = channel.on.frame(text("go"))
    expect(waiting).toBe(channel.room)
    channel.room = undefined
    // What comes nevertheless is read, and waits as well.
    expect(channel.on.frame(text("other"))).toBe(waiting)
    free()
    await waiting
    expect(channel.on.frame(text("other"))).toBeUndefined()
  })

  it("waits for the last of several promises", async () => {
    const { channel } = start((word) => (word === "go" ? [send("a")] : []))
    let freeFirst!: () => void
    let freeSecond!: () => void
    channel.room = new Promise((resolve) => (freeFirst = resolve))
    void channel.on.frame(text("go"))
    const second = new Promise<void>((resolve) => (freeSecond = resolve))
    channel.room = second
    void channel.on.frame(text("go"))
    freeFirst()
    await Promise.resolve()
    expect(channel.on.frame(text("other"))).toBe(second)
    freeSecond()
    await second
    expect(channel.on.frame(text("other"))).toBeUndefined()
  })

  it("keeps waiting also for answers that were sent outside of frames", () => {
    const { channel, driver } = start((word) => (word === "late" ? [send("a")] : []))
    channel.room = new Promise(() => {})
    driver.feed({ _tag: "Did", what: "late" })
    expect(channel.on.frame(text("other"))).toBe(channel.room)
  })

  it("never waits for what this side sends of its own accord, which may be what its answer is needed for", async () => {
    const { channel, driver } = start((word) => (word === "ask" ? [speak("a")] : []))
    let free!: () => void
    const { room } = Object.assign(channel, { room: new Promise<void>((resolve) => (free = resolve)) })
    for (let n = 0; n < 5_000; n++) driver.feed({ _tag: "Did", what: "ask" })
    expect(channel.on.frame(text("other"))).toBeUndefined()
    expect(driver.congested()).toBe(true)
    free()
    await room
    expect(driver.congested()).toBe(false)
  })

  it("waits once more answers wait than there is patience for, until there is room", async () => {
    const { channel } = start((word) => (word === "go" ? [send("a")] : []), undefined, { patience: 2 })
    let free!: () => void
    channel.room = new Promise((resolve) => (free = resolve))
    expect(channel.on.frame(text("go"))).toBeUndefined()
    expect(channel.on.frame(text("go"))).toBeUndefined()
    expect(channel.on.frame(text("go"))).toBe(channel.room)
    free()
    await channel.room
    channel.room = new Promise(() => {})
    expect(channel.on.frame(text("go"))).toBeUndefined()
    expect(channel.on.frame(text("go"))).toBeUndefined()
    expect(channel.on.frame(text("go"))).toBe(channel.room)
  })
})

describe("what may be left out", () => {
  const told = (word: string) => [word === "go" ? send(word) : speak(word)]
  const methods = (sent: Array<{ readonly message: object }>) =>
    sent.splice(0).map(({ message }) => (message as { method: string }).method)

  it("is asked for while there is no room, and only then; and what eases is told once there is", async () => {
    const asked: Array<string> = []
    let eased = 0
    const { channel, driver } = start(told, undefined, {
      spare: (message) => asked.push((message as { method: string }).method) > 0 && asked.at(-1) === "small",
      eased: () => void eased++
    })
    const says = (what: string) => driver.feed({ _tag: "Did", what })
    says("small")
    let free!: () => void
    const room = (channel.room = new Promise<void>((resolve) => (free = resolve)))
    says("large")
    expect([methods(channel.sent), asked]).toEqual([["small", "large"], []])
    for (let n = 0; n < 1_000; n++) says("small")
    says("large")
    expect([methods(channel.sent), asked.length, eased]).toEqual([["large"], 1_001, 0])
    channel.room = undefined
    free()
    await room
    expect(eased).toBe(1)
    says("small")
    expect([methods(channel.sent), asked.length]).toEqual([["small"], 1_001])
  })

  it("may be fed again when there is room", async () => {
    const { channel, driver } = start(told, undefined, {
      spare: () => true,
      eased: () => driver.feed({ _tag: "Did", what: "again" })
    })
    let free!: () => void
    const room = (channel.room = new Promise<void>((resolve) => (free = resolve)))
    driver.feed({ _tag: "Did", what: "first" })
    driver.feed({ _tag: "Did", what: "second" })
    channel.room = undefined
    free()
    await room
    expect(methods(channel.sent)).toEqual(["first", "again"])
  })
})
