/** Many who wait for one signal. */
import { getEventListeners } from "node:events"
import fc from "fast-check"
import { expect, it } from "vitest"
import { onAbort } from "../src/on-abort.js"

const listeners = ({ signal }: AbortController): number => getEventListeners(signal, "abort").length

it("each is told once unless it was taken off, by one listener, and none is left", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), fc.boolean(), (stays, aborts) => {
      const controller = new AbortController()
      const told: Array<number> = []
      const forgets = stays.map((_, i) => onAbort(controller.signal, () => told.push(i)))
      expect(listeners(controller)).toBe(stays.length === 0 ? 0 : 1)
      stays.forEach((stay, i) => stay || forgets[i]!())
      const waits = stays.flatMap((stay, i) => (stay ? [i] : []))
      expect(listeners(controller)).toBe(waits.length === 0 ? 0 : 1)
      if (aborts) controller.abort()
      else for (const forget of [...forgets, ...forgets]) forget()
      expect(told).toEqual(aborts ? waits : [])
      expect(listeners(controller)).toBe(0)
    })
  )
})

it("who is taken off by one that is told before is not told", () => {
  const controller = new AbortController()
  const told: Array<string> = []
  onAbort(controller.signal, () => {
    told.push("first")
    forget()
  })
  const forget = onAbort(controller.signal, () => told.push("second"))
  controller.abort()
  expect(told).toEqual(["first"])
})

it("is waited for again after all were taken off", () => {
  const controller = new AbortController()
  onAbort(controller.signal, () => told++)()
  let told = 0
  onAbort(controller.signal, () => told++)
  controller.abort()
  expect(told).toBe(1)
})
