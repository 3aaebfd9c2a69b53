/** Deadlines by a simulated clock: when they are met, and by how many alarms. */
import { describe, expect, it, vi } from "vitest"
import { systemClock } from "../src/clock.js"
import { timers } from "../src/timers.js"
import { simulated } from "./simulated.js"

function start() {
  const clock = simulated()
  const fired: Array<readonly [call: number, at: number]> = []
  const running = timers<"wait">(clock, ({ call }) => fired.push([call, clock.now()]))
  return {
    clock,
    fired,
    running,
    after: (call: number, ms: number) => running.start({ of: "wait", call }, ms),
    stop: (call: number) => running.stop({ of: "wait", call })
  }
}

describe("timers", () => {
  it("fire once, in the order of their time, not before it", () => {
    const { clock, fired, after } = start()
    after(1, 50)
    after(2, 20)
    after(3, 100)
    clock.advance(19)
    expect(fired).toEqual([])
    clock.advance(1_000)
    expect(fired).toEqual([
      [2, 20],
      [1, 50],
      [3, 100]
    ])
    expect(clock.pending()).toBe(0)
  })

  it("that are close together are met together, no more than 10 ms late", () => {
    const { clock, fired, after } = start()
    after(1, 20)
    after(2, 21)
    after(3, 29)
    clock.advance(100)
    expect(fired).toEqual([
      [1, 20],
      [2, 30],
      [3, 30]
    ])
    expect(clock.set).toBe(2)
  })

  it("start again when they are started again", () => {
    const { clock, fired, after } = start()
    after(1, 50)
    clock.advance(40)
    after(1, 50)
    clock.advance(49)
    expect(fired).toEqual([])
    clock.advance(1)
    expect(fired).toEqual([[1, 90]])
  })

  it("do not fire once they are stopped, and stopping one twice is nothing", () => {
    const { clock, fired, after, stop } = start()
    after(1, 50)
    after(2, 50)
    stop(1)
    stop(1)
    stop(7)
    clock.advance(100)
    expect(fired).toEqual([[2, 50]])
  })

  it("of another kind with the same number are others", () => {
    const clock = simulated()
    const fired: Array<string> = []
    const running = timers<"wait" | "total">(clock, ({ of }) => fired.push(of))
    running.start({ of: "wait", call: 1 }, 10)
    running.start({ of: "total", call: 1 }, 10)
    running.stop({ of: "wait", call: 1 })
    clock.advance(10)
    expect(fired).toEqual(["total"])
  })

  it("have one alarm, however many they are", () => {
    const { clock, fired, after, stop } = start()
    for (let call = 0; call < 10_000; call++) {
      after(call, 60_000)
      if (call % 2 === 0) stop(call)
      expect(clock.pending()).toBe(1)
    }
    expect(clock.set).toBe(1)
    clock.advance(60_000)
    expect(fired).toHaveLength(5_000)
    expect(clock.pending()).toBe(0)
  })

  it("take no notice of how late the alarm is, and none is lost", () => {
    const { clock, fired, after } = start()
    clock.late = 500
    for (let call = 1; call <= 5; call++) after(call, call * 100)
    clock.advance(2_000)
    expect(fired.map(([call]) => call)).toEqual([1, 2, 3, 4, 5])
    expect(fired.every(([call, at]) => at >= call * 100)).toBe(true)
  })

  it("may be longer than an alarm can be", () => {
    vi.useFakeTimers()
    const fired = vi.fn<(timer: object) => void>()
    const running = timers<"wait">(systemClock, fired)
    const ms = 2 ** 31 + 100
    running.start({ of: "wait", call: 1 }, ms)
    vi.advanceTimersByTime(ms - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(fired).toHaveBeenCalledExactlyOnceWith({ of: "wait", call: 1 })
    vi.useRealTimers()
  })

  it("may never end", () => {
    const { clock, fired, after, stop } = start()
    after(1, Infinity)
    expect(clock.pending()).toBe(0)
    after(2, 10)
    clock.advance(1e9)
    expect(fired).toEqual([[2, 10]])
    stop(1)
    after(3, 10)
    clock.advance(10)
    expect(fired.at(-1)).toEqual([3, 1e9 + 10])
  })

  it("may be started and stopped by one that fires", () => {
    const clock = simulated()
    const fired: Array<number> = []
    const running = timers<"wait">(clock, ({ call }) => {
      fired.push(call)
      if (call === 1) {
        running.stop({ of: "wait", call: 2 })
        running.start({ of: "wait", call: 3 }, 100)
        running.start({ of: "wait", call: 4 }, 0)
      }
    })
    for (const call of [1, 2, 3]) running.start({ of: "wait", call }, 10)
    clock.advance(10)
    expect(fired).toEqual([1, 4])
    clock.advance(1_000)
    expect(fired).toEqual([1, 4, 3])
  })

  it("leave no alarm when one that fires stops the last of them", () => {
    const clock = simulated()
    const running = timers<"wait">(clock, () => running.stop({ of: "wait", call: 2 }))
    running.start({ of: "wait", call: 1 }, 10)
    running.start({ of: "wait", call: 2 }, 60_000)
    clock.advance(10)
    expect(clock.pending()).toBe(0)
  })

  it("are all gone after clear, and may be started anew", () => {
    const { clock, fired, after, running } = start()
    after(1, 10)
    running.clear()
    expect(clock.pending()).toBe(0)
    clock.advance(100)
    after(2, 10)
    clock.advance(10)
    expect(fired).toEqual([[2, 110]])
  })
})

describe("a process", () => {
  it("is held while a timer runs, and let go when none does", () => {
    const { clock, after, stop } = start()
    after(1, 60_000)
    after(2, 60_000)
    expect(clock.holding()).toBe(1)
    stop(1)
    expect(clock.holding()).toBe(1)
    stop(2)
    expect(clock.holding()).toBe(0)
    after(3, 60_000)
    expect(clock.holding()).toBe(1)
    stop(3)
    after(4, 1_000)
    expect([clock.holding(), clock.pending()]).toEqual([1, 1])
    clock.advance(1_000)
    expect(clock.pending()).toBe(0)
  })

  it("does not wake for nothing again once an idle alarm has rung", () => {
    const { clock, after, stop } = start()
    after(1, 60_000)
    stop(1)
    clock.advance(60_000)
    expect(clock.pending()).toBe(0)
    expect(clock.set).toBe(1)
  })
})
