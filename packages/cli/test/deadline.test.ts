/** How long an answer may take, by a clock of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { deadline } from "../src/deadline.js"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const begun = (ms: number) => {
  const told: Array<number> = []
  return { told, allowed: deadline(ms, (of) => told.push(of), Date.now) }
}

it("is over when the time is over, and begins anew with progress", () => {
  const { told, allowed } = begun(100)
  vi.advanceTimersByTime(90)
  allowed.restart()
  vi.advanceTimersByTime(99)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([100])
})

it("is over after ten times as long, however much progress there is", () => {
  const { told, allowed } = begun(100)
  for (let at = 0; at < 99; at++) {
    vi.advanceTimersByTime(10)
    allowed.restart()
  }
  expect(told).toEqual([])
  vi.advanceTimersByTime(10)
  expect(told).toEqual([1_000])
})

it("ends also where progress leaves no pause for a timer", () => {
  let time = 0
  const told: Array<number> = []
  const allowed = deadline(
    100,
    (of) => told.push(of),
    () => time
  )
  for (; time < 2_000; time += 10) allowed.restart()
  expect(told).toEqual([1_000])
})

it("stands still while a person answers", () => {
  const { told, allowed } = begun(100)
  allowed.pause()
  vi.advanceTimersByTime(100_000)
  allowed.resume()
  vi.advanceTimersByTime(99)
  expect(told).toEqual([])
})
