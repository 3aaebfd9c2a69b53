/** Many that are awaited for the same time, and one timer. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Patience } from "../../src/node/patience.js"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("patience", () => {
  it("ends after the time, and at most an eighth of it later, for each by itself", () => {
    const patience = new Patience()
    const late: Array<string> = []
    const awaited = (name: string) => ({ late: () => void late.push(name) })
    patience.add(awaited("first"), 800)
    vi.advanceTimersByTime(350)
    patience.add(awaited("second"), 800)
    vi.advanceTimersByTime(449)
    expect(late).toEqual([])
    vi.advanceTimersByTime(101)
    expect(late).toEqual(["first"])
    vi.advanceTimersByTime(249)
    expect(late).toEqual(["first"])
    vi.advanceTimersByTime(101)
    expect(late).toEqual(["first", "second"])
  })

  it("forgets what came in time, and has no timer any more a while after the last", () => {
    const patience = new Patience()
    const late = vi.fn<() => void>()
    const one = { late }
    patience.add(one, 800)
    patience.delete(one)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(800)
    expect([late.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0])
  })

  it("has one timer for all", () => {
    const patience = new Patience()
    for (let n = 0; n < 100; n++) patience.add({ late: () => undefined }, 800)
    expect(vi.getTimerCount()).toBe(1)
  })
})
