/** The server machine as a value: shared, never changed, and refused where it can not be. */
import { expect, it } from "vitest"
import { serverMachine } from "../../src/server/index.js"
import { call, define, initialize, initialized } from "./by-hand.js"

it("can not speak nothing", () => {
  expect(() => serverMachine(define({}, { revisions: [] }))).toThrow(
    new TypeError("A server must speak at least one revision")
  )
})

it("serves sessions that know nothing of each other", () => {
  const machine = serverMachine(define({ tools: {} }))
  const lived = [initialize("2025-11-25"), initialized, call(1)].reduce(
    (state, json) => machine.step(state, { _tag: "Received", json, via: "a" })[0],
    machine.initial
  )
  expect(lived.inFlight.size).toBe(1)
  expect(machine.initial.phase).toEqual({ _tag: "Unopened" })
  expect(machine.initial.inFlight.size).toBe(0)
})

it("leaves an earlier state as it was, so that it can be stepped again", () => {
  const machine = serverMachine(define({ tools: {} }))
  const input = { _tag: "Received", json: initialize("2025-06-18"), via: "a" } as const
  expect(machine.step(machine.initial, input)).toEqual(machine.step(machine.initial, input))
})

it("behaves the same whatever its salt", () => {
  for (const salt of [0, 1, -5, 2 ** 31]) {
    const machine = serverMachine(define({ tools: {} }), { salt })
    let state = machine.initial
    const tell = (json: unknown) => {
      const [next, outputs] = machine.step(state, { _tag: "Received", json, via: "a" })
      state = next
      return outputs
    }
    tell(initialize("2025-11-25"))
    tell(initialized)
    for (let id = 0; id < 100; id++) expect(tell(call(id))).toMatchObject([{ _tag: "Invoke", id }])
    for (let id = 0; id < 100; id++) expect(tell(call(id))).toMatchObject([{ _tag: "Send" }, { _tag: "Report" }])
  }
})
