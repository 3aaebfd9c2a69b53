/** A mutant meets every test that may notice it, and none that can not; who is likely to and quick comes first. */
import { expect, test } from "vitest"
import { ordering } from "./order.mjs"

const name = "packages/core/src/gate.ts"
const mutant = {
  id: "gate.ts f: if never: x",
  number: 7,
  name,
  at: "f",
  what: "if never: x",
  seen: { start: 0, end: 1 }
}
const column = { id: "v1.ts ping: when dropped", number: 8, name: "v1.ts", at: "ping", what: "when dropped" }
const profile = {
  "slow.test.ts": { ms: 900, reached: [7], loads: ["v1.ts", name] },
  "quick.test.ts": { ms: 20, reached: [7], loads: ["v1.ts", name] },
  "packages/core/test/gate.more.test.ts": { ms: 50, reached: [7], loads: [name] },
  "elsewhere.test.ts": { ms: 1, reached: [], loads: [name] }
}
const unlogged = new Map<string, { readonly test?: string }>()

test("those that come by the place of a branch, the one beside its file first, and the slow one last", () => {
  expect(ordering(profile, unlogged).testsFor(mutant)).toEqual([
    "packages/core/test/gate.more.test.ts",
    "quick.test.ts",
    "slow.test.ts"
  ])
})

test("those that load the file of a column", () => {
  expect(ordering(profile, unlogged).testsFor(column)).toEqual(["quick.test.ts", "slow.test.ts"])
})

test("who noticed its like, in this run, comes earlier each time", () => {
  const order = ordering(profile, unlogged)
  for (let count = 0; count < 10; count++) order.noticed({ ...mutant, id: "another", number: 9 }, "slow.test.ts")
  expect(order.testsFor(mutant)[0]).toBe("slow.test.ts")
  for (let count = 0; count < 10; count++) order.noticed({ ...column, id: "another", at: "tools/list" }, "slow.test.ts")
  expect(order.testsFor(column)[0]).toBe("slow.test.ts")
})

test("who noticed it in an earlier run is first", () => {
  expect(ordering(profile, new Map([[mutant.id, { test: "slow.test.ts" }]])).testsFor(mutant)[0]).toBe("slow.test.ts")
})
