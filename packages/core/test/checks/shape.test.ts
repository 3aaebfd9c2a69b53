/** Shapes as data: the check of one differs by revision, tells what would have fitted, and is put together once. */
import { describe, expect, it } from "vitest"
import { boolean, integer, string } from "../../src/checks/pieces.js"
import type { Shape } from "../../src/checks/shape.js"
import { checksAt } from "../../src/checks/shape.js"

const at = (place: number, shape: Shape) => checksAt(place)(shape)

describe("what holds from a revision on", () => {
  const shape: Shape = { must: { id: [0, string, 2, undefined] }, may: { id: [2, integer], title: [1, string] } }

  it("is unknown before, and unknown members are accepted", () => {
    expect(at(0, shape)({ id: "a", title: 7 })).toBeUndefined()
    expect(at(1, shape)({ id: "a", title: 7 })).toEqual({ at: "title", expected: "a string" })
  })

  it("may end, and become something else", () => {
    expect(at(1, shape)({})).toEqual({ at: "id", expected: "a string" })
    expect(at(2, shape)({})).toBeUndefined()
    expect(at(2, shape)({ id: "a" })).toEqual({ at: "id", expected: "an integer" })
  })

  it("accepts nothing where the revision has no such shape at all", () => {
    const later: Shape = [1, { must: { name: string } }]
    expect(at(0, later)({ name: "a" })).toBeDefined()
    expect(at(1, later)({ name: "a" })).toBeUndefined()
  })

  it("holds for alternatives too", () => {
    const kinds: Shape = {
      tag: "type",
      of: { text: { must: { text: string } }, audio: [1, { must: { data: string } }] }
    }
    expect(at(0, kinds)({ type: "audio", data: "" })).toEqual({ at: "type", expected: '"text"' })
    expect(at(1, kinds)({ type: "audio", data: "" })).toBeUndefined()
    expect(at(1, kinds)({ type: "audio" })).toEqual({ at: "data", expected: "a string" })
  })
})

describe("a value that may be one of several", () => {
  const one: Shape = { any: [string, { each: integer }, { must: { on: boolean } }] }

  it("fits when one of them fits", () => {
    for (const value of ["a", [1, 2], { on: true }]) expect(at(0, one)(value)).toBeUndefined()
  })

  it("is told all of them when it is none", () => {
    expect(at(0, one)(7)).toEqual({ at: "", expected: "a string or an array or an object" })
  })

  it("is told what is wrong inside the one it resembles", () => {
    expect(at(0, one)([1, "a"])).toEqual({ at: "[1]", expected: "an integer" })
    expect(at(0, one)({ on: 1 })).toEqual({ at: "on", expected: "a boolean" })
  })
})

describe("a check", () => {
  it("is the same one whenever it is asked for, and another one in another revision", () => {
    const shape: Shape = { may: { a: string } }
    expect(at(0, shape)).toBe(at(0, shape))
    expect(at(0, shape)).not.toBe(at(1, shape))
  })

  it("looks no further at what a quick look said yes to", () => {
    const shape: Shape = { quick: (value) => value === "fine", must: { name: string } }
    expect(at(0, shape)("fine")).toBeUndefined()
    expect(at(0, shape)("not fine")).toEqual({ at: "", expected: "an object" })
    expect(at(0, shape)({ name: "a" })).toBeUndefined()
  })
})
