/** A session can be lost at any moment: it is opened anew when one was open, and what waits for that goes on waiting. */
import { expect, it } from "vitest"
import { agreed, called, failed, messages, opened, proposal, session, stopTimer } from "./by-hand.js"

const lost = (id?: number) => ({ _tag: "SessionLost", id }) as const

it("lost before it was open, it is not opened anew: the proposal was refused", () => {
  const by = session()
  by.tell({ _tag: "Open" })
  const outputs = by.tell(lost(1))
  expect(messages(outputs)).toEqual([])
  expect(outputs).toContainEqual({
    _tag: "OpenFailed",
    failure: { _tag: "Refused", method: "initialize", status: 404, why: "the server has ended the session" }
  })
  expect(by.state().phase._tag).toBe("Closed")
})

it("lost when it was never asked for, nothing is said", () => {
  const by = session()
  expect(messages(by.tell(lost()))).toEqual([])
  expect(by.state().phase).toEqual(session().state().phase)
})

it("lost once more for a request that waits for the new one, it changes nothing", () => {
  const by = opened("2025-11-25")
  by.tell(called(2, "ping"))
  const outputs = by.tell(lost(2))
  // Its time goes on.
  expect(outputs).not.toContainEqual(stopTimer("request", 2))
  expect(messages(outputs)).toEqual([proposal(3)])
  const before = by.state()
  expect(by.tell(lost(2))).toEqual([])
  expect(by.state()).toBe(before)
  expect(messages(by.hear(agreed("2025-11-25", {}, {}, 3)))).toContainEqual({ jsonrpc: "2.0", id: 4, method: "ping" })
  expect(by.tell(lost(4))).toContainEqual(
    failed(2, { _tag: "Refused", method: "ping", status: 404, why: "the server ended the session again" })
  )
})
