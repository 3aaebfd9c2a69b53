/** Seals are opened by who may, and by nobody else, whatever is made of them. */
import type { JsonObject } from "@parley/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sealer } from "../src/index.js"

const [one, two, three] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]
const { seal, unseal } = sealer({ name: "a", keys: [one] })
const payload = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>
const text = fc.string({ unit: "binary" })
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

describe("a seal", () => {
  it("is opened under what it was bound to, and says nothing in itself", async () => {
    await fc.assert(
      fc.asyncProperty(payload, text, async (payload, bound) => {
        const token = await seal(payload, bound)
        expect(token).toMatch(/^[\w-]+$/)
        expect(await unseal(token, bound)).toEqual(asJson(payload))
        expect(await seal(payload, bound)).not.toBe(token)
      })
    )
  })

  it("is opened under nothing else, by no other name and with no other key", async () => {
    await fc.assert(
      fc.asyncProperty(payload, text, text, async (payload, bound, other) => {
        fc.pre(bound !== other)
        const token = await seal(payload, bound)
        expect(await unseal(token, other)).toBeUndefined()
        expect(await sealer({ name: `a${other}`, keys: [one] }).unseal(token, bound)).toEqual(
          other === "" ? asJson(payload) : undefined
        )
        expect(await sealer({ name: "a", keys: [two] }).unseal(token, bound)).toBeUndefined()
        expect(await sealer({ name: "a" }).unseal(token, bound)).toBeUndefined()
      })
    )
  })

  it("keeps its name apart from what it is bound to", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, middle, bound) => {
        fc.pre(middle !== "")
        const token = await sealer({ name: name + middle, keys: [one] }).seal({}, bound)
        expect(await sealer({ name, keys: [one] }).unseal(token, middle + bound)).toBeUndefined()
      })
    )
  })

  it("is not opened once any of its letters is another, is left out or is one more", async () => {
    const token = await seal({ guests: 4 }, "ann")
    for (let at = 0; at < token.length; at++) {
      const [before, after] = [token.slice(0, at), token.slice(at + 1)]
      expect(await unseal(before + after, "ann")).toBeUndefined()
      expect(await unseal(`${before}A${token.slice(at)}`, "ann")).toBeUndefined()
      for (const letter of "ABQgw-_019+/= \n")
        if (letter !== token[at]) expect(await unseal(before + letter + after, "ann")).toBeUndefined()
    }
  })

  it("is not opened once any bit of it is another", async () => {
    await fc.assert(
      fc.asyncProperty(payload, fc.nat(), fc.integer({ min: 1, max: 255 }), async (payload, where, bits) => {
        const bytes = Buffer.from(await seal(payload, "ann"), "base64url")
        bytes[where % bytes.length]! ^= bits
        expect(await unseal(bytes.toString("base64url"), "ann")).toBeUndefined()
      })
    )
  })

  it("is not made by whoever has no key", async () => {
    const tokens = fc.oneof(
      text,
      fc.base64String(),
      fc.uint8Array().map((bytes) => Buffer.from([1, ...bytes]).toString("base64url")),
      fc.anything() as fc.Arbitrary<string>
    )
    await fc.assert(
      fc.asyncProperty(tokens, text, async (token, bound) => {
        expect(await unseal(token, bound)).toBeUndefined()
      })
    )
  })

  it("is opened until its time is over, by the clock of who opens it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.nat(2e6), fc.nat(1e12), async (ttlMs, later, start) => {
        const at = (time: number) => sealer({ name: "a", keys: [one], ttlMs, now: () => time })
        const token = await at(start).seal({}, "ann")
        expect(await at(start + later).unseal(token, "ann")).toEqual(later < ttlMs ? {} : undefined)
      })
    )
  })

  it("is opened with any of the keys, and made with the first of them", async () => {
    const keys = fc
      .subarray([one, two, three], { minLength: 1 })
      .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))
    await fc.assert(
      fc.asyncProperty(keys, keys, async (ours, theirs) => {
        const token = await sealer({ name: "a", keys: ours }).seal({ guests: 4 }, "ann")
        const opened = await sealer({ name: "a", keys: theirs }).unseal(token, "ann")
        expect(opened).toEqual(theirs.includes(ours[0]!) ? { guests: 4 } : undefined)
      })
    )
  })
})
