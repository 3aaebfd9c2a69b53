/** A reply to nothing is nothing: whatever is waited for at the moment, it is not answered by what has another id. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { agreed, both, called, discovered, discovery, error, offered, opened, result, session } from "./by-hand.js"

const lost = { _tag: "SessionLost", id: undefined } as const
const open = { _tag: "Open" } as const
const told = (by = session(), ...inputs: ReadonlyArray<Parameters<typeof by.tell>[0]>) => {
  for (const input of inputs) by.tell(input)
  return by
}

const proving = () => {
  const prior = { _tag: "Discovered", result: discovery(1, ["2026-07-28"]).result as unknown as JsonObject } as const
  const by = told(session(both(), { prior }), open, called(1, "ping"), called(2, "server/discover"))
  by.hear(error(2, -32601))
  return by
}

const moments = {
  "before the opening": () => session(),
  "while initialize is not answered": () => told(session(), open),
  "while it is not answered what the server speaks": () => told(session(both()), open),
  "in a session": () => opened(),
  "while a call is not answered": () => told(opened(), called(2, "tools/list")),
  "in a session of 2026-07-28": () => told(discovered(offered), called(2, "tools/list")),
  "while another session is opened": () => told(opened(), called(2, "tools/list"), lost),
  "while it is asked whether what was remembered holds": proving
}

const replies: ReadonlyArray<(id: unknown) => object> = [
  (id) => agreed("2025-06-18", {}, {}, id),
  (id) => discovery(id),
  (id) => result(id),
  (id) => error(id, -32602),
  (id) => ({ jsonrpc: "2.0", id, result: 7 })
]

describe.each(Object.entries(moments))("%s", (_, moment) => {
  it.each([0, 99, "1", "2", "3"])("a reply to %j is reported and changes nothing", (id) => {
    const by = moment()
    const before = by.state()
    const ignored = [{ _tag: "Report", report: { _tag: "Ignored", id } }]
    for (const reply of replies) expect(by.hear(reply(id))).toMatchObject(ignored)
    expect(by.tell({ _tag: "Refused", id, status: 500, body: "" })).toMatchObject(ignored)
    expect(by.state()).toEqual(before)
  })
})

it("what was remembered is asked for once something does not fit it", () => {
  expect(proving().state().phase).toMatchObject({ _tag: "Open", proof: 3 })
})
