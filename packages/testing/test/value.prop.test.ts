/** Drawn values are what they claim to be: accepted by the row they were drawn for, or other than they were. */
import { revisions } from "@parley/core/revisions"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { one, rarely, seeded, tape } from "../src/chance.js"
import { isKept, mayAskInside, methodsOf, questionsOf } from "../src/specification.js"
import { broken, valueOf } from "../src/value.js"

const numbers = fc.array(fc.nat(0xffff), { maxLength: 60, size: "max" })

describe("a value", () => {
  it.each(revisions)("for any row of $name is accepted by that row", (revision) => {
    const rows = (["client", "server"] as const).flatMap((side) =>
      [...methodsOf(revision.name, side)].map(([method, of]) => ({ method, of, row: revision[side][method]! }))
    )
    for (const [method, of] of questionsOf(revision.name)) rows.push({ method, of, row: revision.questions[method]! })
    fc.assert(
      fc.property(fc.nat(rows.length - 1), numbers, (at, tapes) => {
        const { method, of, row } = rows[at]!
        expect(row.params(valueOf(of.params, tape(tapes))), method).toBeUndefined()
        if (row.kind === "request") expect(row.result(valueOf(of.result, tape(tapes))), method).toBeUndefined()
      }),
      { numRuns: 300 }
    )
  })

  it("that is broken differs", () => {
    fc.assert(
      fc.property(numbers, (tapes) => {
        const value = { a: "text", b: { c: 1, d: { e: "x" } } }
        expect(JSON.stringify(broken(value, tape(tapes)))).not.toBe(JSON.stringify(value))
      })
    )
    expect(broken({}, tape([]))).toEqual({ _meta: 7 })
  })
})

describe("the specification's methods", () => {
  it.each(revisions)("are those of the tables of $name", (revision) => {
    for (const side of ["client", "server"] as const) {
      expect([...methodsOf(revision.name, side).keys()].toSorted()).toEqual(Object.keys(revision[side]).toSorted())
      for (const [method, { kind, needs, params, result }] of methodsOf(revision.name, side)) {
        expect(revision[side][method], method).toMatchObject({ kind, needs: needs && `${needs.of}.${needs.path}` })
        expect(params, method).toBeDefined()
        expect(result === undefined, method).toBe(kind === "notification")
      }
    }
  })
})

describe("the specification's questions", () => {
  it.each(revisions)("are those of the tables of $name", (revision) => {
    expect([...questionsOf(revision.name).keys()].toSorted()).toEqual(Object.keys(revision.questions).toSorted())
    for (const [method, { needs, result }] of questionsOf(revision.name)) {
      expect(revision.questions[method], method).toMatchObject({ needs: needs && `${needs.of}.${needs.path}` })
      expect(result, method).toBeDefined()
    }
  })
  it.each(revisions)("are asked where the tables of $name say so, and results kept", (revision) => {
    for (const [method, row] of Object.entries(revision.client)) {
      const inside = row.kind === "request" && Object.hasOwn(row.resultTypes, "input_required")
      expect(mayAskInside(revision.name, method), method).toBe(inside)
      expect(isKept(revision.name, method), method).toBe(row.kind === "request" && row.cacheable)
    }
  })
})

describe("chance", () => {
  it("from a tape is its numbers, and then the plainest choice", () => {
    const choose = tape([5, 13])
    expect([choose(10), choose(10), choose(10)]).toEqual([5, 3, 0])
    expect(one(tape([1]), ["a", "b"])).toBe("b")
    expect(rarely(tape([2]), 3)).toBe(true)
    expect(rarely(tape([]), 3)).toBe(false)
  })

  it("from a seed is the same again, and spread out", () => {
    for (const seed of [0, 1, -1, 12345]) {
      const [one10, other] = [seeded(seed), seeded(seed)]
      const drawn = Array.from({ length: 1000 }, () => one10(10))
      expect(drawn).toEqual(Array.from({ length: 1000 }, () => other(10)))
      expect(new Set(drawn).size).toBe(10)
    }
  })
})
