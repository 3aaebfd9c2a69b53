/** What is to be done later, together and apart. */
import { describe, expect, it, vi } from "vitest"
import { deadlines } from "../../src/server/session-deadlines.js"
import { simulated } from "../../../driver/test/simulated.js"

describe.each([
  ["together", false],
  ["apart", true]
])("what waits %s", (_, apart) => {
  const started = () => {
    const clock = simulated()
    return { clock, all: deadlines(clock, apart) }
  }

  it("is called once, in time, unless it was taken back, and keeps no process alive", () => {
    const { clock, all } = started()
    const [one, other] = [vi.fn<() => void>(), vi.fn<() => void>()]
    all.after(100, one)
    const back = all.after(100, other)
    expect([all.count(), clock.holding()]).toEqual([2, 0])
    back()
    clock.advance(99)
    expect(one).not.toHaveBeenCalled()
    clock.advance(200)
    back()
    expect([one.mock.calls.length, other.mock.calls.length, all.count()]).toEqual([1, 0, 0])
  })

  it("is forgotten together", () => {
    const { clock, all } = started()
    const one = vi.fn<() => void>()
    all.after(100, one)
    all.clear()
    clock.advance(1_000)
    expect([one.mock.calls.length, all.count()]).toEqual([0, 0])
    all.after(100, one)
    clock.advance(1_000)
    expect([one.mock.calls.length, all.count()]).toEqual([1, 0])
  })

  it("is looked at for as long as there is something, and again when there is", () => {
    const { clock, all } = started()
    let left = 2
    const look = vi.fn<() => boolean>(() => --left > 0)
    const more = all.every(100, look)
    expect(clock.pending()).toBe(0)
    more()
    more()
    clock.advance(1_000)
    expect(look).toHaveBeenCalledTimes(2)
    left = 1
    more()
    clock.advance(1_000)
    expect(look).toHaveBeenCalledTimes(3)
  })

  it("beats for as long as it is there", () => {
    const { clock, all } = started()
    const [one, other] = [{ keepAlive: vi.fn<() => void>() }, { keepAlive: vi.fn<() => void>() }]
    const hearts = all.beats(100)
    hearts.add(one)
    clock.advance(210)
    hearts.add(other)
    hearts.delete(one)
    clock.advance(210)
    hearts.delete(other)
    clock.advance(1_000)
    expect([one, other].map(({ keepAlive }) => keepAlive.mock.calls.length)).toEqual([2, 2])
    expect(clock.pending()).toBe(0)
  })
})

it("looks when there is more to look at, if the timer has gone with its request", () => {
  const clock = simulated()
  let lost = true
  const after = (ms: number, callback: () => void) => clock.after(ms, () => void (lost || callback()))
  const look = vi.fn<() => boolean>(() => true)
  const more = deadlines({ now: clock.now, after }, true).every(100, look)
  more()
  clock.advance(150)
  more()
  expect(look).toHaveBeenCalledTimes(0)
  clock.advance(50)
  more()
  expect(look).toHaveBeenCalledTimes(1)
  lost = false
  more()
  // That one's timer is lost as well; but it is asked for again.
  clock.advance(100)
  expect(look).toHaveBeenCalledTimes(2)
  clock.advance(100)
  expect(look).toHaveBeenCalledTimes(3)
})
