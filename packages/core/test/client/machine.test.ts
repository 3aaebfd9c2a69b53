/** What a client machine does when nothing is said of it, and that saying the same changes nothing. */
import { describe, expect, it } from "vitest"
import type { ClientMachineOptions } from "../../src/client/index.js"
import {
  ask,
  both,
  called,
  define,
  discovered,
  everything,
  fired,
  messages,
  offered,
  opened,
  result,
  session
} from "./by-hand.js"

const defaults = {
  openingMs: 60_000,
  probeMs: 3_000,
  maxRounds: 16,
  cancels: "message",
  maxAsks: 1_024,
  salt: 0
} as const

/** What each default comes to, each told by a machine that was given these options. */
const seen: Readonly<Record<keyof typeof defaults, (options: ClientMachineOptions) => unknown>> = {
  openingMs: (options) => session(define(), options).tell({ _tag: "Open" }),
  probeMs: (options) => session(both(), options).tell({ _tag: "Open" }),
  maxRounds: (options) => {
    const by = discovered(offered, both(everything), options)
    by.tell(called(2, "tools/call", { name: "a" }))
    let id: unknown = 2
    for (let round = 1; round <= 20; round++) {
      by.hear(result(id, { resultType: "input_required", requestState: "later" }))
      const [again] = messages(by.tell(fired("retry", 2)))
      if (again === undefined) return round
      id = (again as { readonly id: unknown }).id
    }
    return "for ever"
  },
  cancels: (options) => {
    const by = opened("2025-11-25", offered, define(), options)
    by.tell(called(2, "tools/list"))
    return by.tell({ _tag: "Abandoned", call: 2 })
  },
  maxAsks: (options) => {
    const by = opened("2025-11-25", offered, define(everything), options)
    for (let id = 0; id < 2_000; id++) {
      const outputs = by.hear(ask(id, "roots/list"))
      if (outputs[0]?._tag !== "Ask") return [id, outputs]
    }
    return "for ever"
  },
  salt: (options) => {
    const by = opened("2025-11-25", offered, define(everything), options)
    for (let id = 0; id < 40; id++) by.hear(ask(`question ${id}`, "roots/list"))
    return by.state().asked
  }
}

describe.each(Object.entries(defaults))("the default of %s", (name, value) => {
  it(`is ${value}`, () => {
    const of = seen[name as keyof typeof defaults]
    expect(of({})).toEqual(of({ [name]: value }))
  })
})

it("stops after the sixteenth try, and at the 1,025th question", () => {
  expect(seen.maxRounds({})).toBe(16)
  expect(seen.maxAsks({})).toMatchObject([1_024, [{ _tag: "Send" }, { _tag: "Report" }]])
})

it("does as it is told instead", () => {
  const others: ClientMachineOptions = {
    openingMs: 1,
    probeMs: 2,
    maxRounds: 3,
    cancels: "exchange",
    maxAsks: 5,
    salt: 6
  }
  for (const [name, of] of Object.entries(seen))
    expect(of({ [name]: others[name as keyof typeof defaults] }), name).not.toEqual(of({}))
})

it("gives up an opening that takes too long", () => {
  const by = session()
  by.tell({ _tag: "Open" })
  expect(by.tell(fired("opening"))).toMatchObject([
    { _tag: "StopTimer" },
    { _tag: "OpenFailed", failure: { _tag: "TimedOut", ms: 60_000, total: true } },
    { _tag: "Close" }
  ])
})
