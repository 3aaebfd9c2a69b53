/** The opening of a client that speaks both kinds of revision: no question is asked a third time. */
import { expect, it } from "vitest"
import { both, error, fired, messages, probe, proposal, session } from "./by-hand.js"

const named = (id: number, code: number) => error(id, code, "no", { supported: ["2026-07-28"] })

it("fails when initialize, too, is answered by the version that was asked for twice and refused", () => {
  const by = session(both())
  by.tell({ _tag: "Open" })
  expect(by.said(named(1, -32022))).toEqual([probe(2)])
  expect(messages(by.tell(fired("probe")))).toEqual([proposal(3)])
  expect(by.hear(named(2, -32022))).toEqual([])
  const outputs = by.hear(named(3, -32602))
  expect(messages(outputs)).toEqual([])
  expect(outputs).toMatchObject([
    { _tag: "StopTimer" },
    { _tag: "OpenFailed", failure: { _tag: "Answered", method: "initialize", error: { code: -32602 } } },
    { _tag: "Close" }
  ])
})
