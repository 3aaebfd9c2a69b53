/** Keys of seals: one for the process when none is given, and none that are too weak. */
import { afterEach, expect, it, vi } from "vitest"
import { sealer } from "../src/index.js"

afterEach(() => {
  vi.resetModules()
  vi.useRealTimers()
})

it("opens what another of its process has sealed, without being given a key", async () => {
  const token = await sealer({ name: "a" }).seal({ guests: 4 }, "ann")
  expect(await sealer({ name: "a" }).unseal(token, "ann")).toEqual({ guests: 4 })
  expect(await sealer({ name: "b" }).unseal(token, "ann")).toBeUndefined()
})

it("opens nothing of another process when no key is shared", async () => {
  const key = new Uint8Array(32)
  const alone = await sealer({ name: "a" }).seal({}, "ann")
  const shared = await sealer({ name: "a", keys: [key] }).seal({}, "ann")
  // Modules that are loaded anew know as little of the former ones as another process does.
  vi.resetModules()
  const elsewhere = (await import("../src/seal.js")).sealer
  expect(await elsewhere({ name: "a" }).unseal(alone, "ann")).toBeUndefined()
  expect(await elsewhere({ name: "a", keys: [key] }).unseal(shared, "ann")).toEqual({})
})

it("goes by the keys as they were when it was made", async () => {
  const key = new Uint8Array(32).fill(7)
  const { seal } = sealer({ name: "a", keys: [key] })
  key.fill(0)
  const token = await seal({}, "ann")
  expect(await sealer({ name: "a", keys: [key.fill(7)] }).unseal(token, "ann")).toEqual({})
})

it("keeps a seal open for ten minutes of the day's time when it is not told for how long", async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const { seal, unseal } = sealer({ name: "a" })
  const token = await seal({}, "ann")
  vi.setSystemTime(Date.now() + 599_999)
  expect(await unseal(token, "ann")).toEqual({})
  vi.setSystemTime(Date.now() + 1)
  expect(await unseal(token, "ann")).toBeUndefined()
})

it("seals a payload of a megabyte, and one beyond ASCII", async () => {
  const { seal, unseal } = sealer({ name: "a" })
  const payload = { text: "\u{1f389}".repeat(262_144) }
  expect(await unseal(await seal(payload, "ann"), "ann")).toEqual(payload)
})

it.each([
  ["no key at all", []],
  ["a key of 31 bytes", [new Uint8Array(32), new Uint8Array(31)]],
  ["a text", ["a".repeat(64)]]
])("refuses %s", (_, keys) => {
  expect(() => sealer({ name: "a", keys: keys as never })).toThrow(TypeError)
})
