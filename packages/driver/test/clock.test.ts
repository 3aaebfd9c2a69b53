/** The platform's clock holds a process when it should, and not otherwise. */
import { expect, it } from "vitest"
import { systemClock } from "../src/clock.js"

const held = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length

it("an alarm of the platform's clock holds the process only while it is told to", () => {
  const before = held()
  const alarm = systemClock.after(60_000, () => {})
  expect(held()).toBe(before + 1)
  alarm.hold(false)
  expect(held()).toBe(before)
  alarm.hold(true)
  expect(held()).toBe(before + 1)
  alarm.cancel()
  expect(held()).toBe(before)
})

it("an alarm of the platform's clock rings by that clock", async () => {
  const before = systemClock.now()
  await new Promise<void>((resolve) => void systemClock.after(1, resolve))
  expect(systemClock.now()).toBeGreaterThan(before)
})
