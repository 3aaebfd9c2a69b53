/** What is marked does as it did, and tells by which mutants it came. */
import { readFileSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import { branchMutants } from "./branches.mjs"
import { generate } from "./generate.mjs"
import { marked, most } from "./marks.mjs"
import { parse } from "./syntax.mjs"

const source = `
const pick = (a, b) => (a && b) || (a ? "a" : b ?? "none")
function kind(value) {
  if (value === undefined) return "nothing"
  switch (typeof value) {
    case "number": {
      return value > 1 && value < 3 ? "two" : "number"
    }
    case "string":
      return "text"
    default:
      if (value) {
        const seen = value === true
        if (seen) return "true"
      }
      return "other"
  }
}
`
const mutants = branchMutants(source, parse("sample.js", source)).map((mutant, number) => ({ ...mutant, number }))
const inputs = [[undefined, 1], ["", "b"], [2, 0], [2, 2], [9], ["x", null], [true], [{}], [null]] as const

let before: unknown
beforeEach(() => (before = Reflect.get(globalThis, "parleyReached")))
afterEach(() => void Reflect.set(globalThis, "parleyReached", before))

test("it returns what it returned", () => {
  const original = programOf(source)
  const program = programOf(marked(source, mutants))
  for (const [a, b] of inputs) {
    recording()
    expect(program[0]!(a, b)).toEqual(original[0]!(a, b))
    expect(program[1]!(a)).toEqual(original[1]!(a))
  }
})

test("whoever notices a mutant has come by its mark", () => {
  const program = programOf(marked(source, mutants))
  const original = programOf(source)
  let noticed = 0
  for (const mutant of mutants) {
    const mutated = programOf(source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end))
    for (const [a, b] of inputs) {
      for (const which of [0, 1]) {
        const reached = recording()
        program[which]!(a, b)
        if (mutated[which]!(a, b) === original[which]!(a, b)) continue
        noticed++
        expect(reached[mutant.number], mutant.what).toBe(1)
      }
    }
  }
  expect(noticed).toBeGreaterThan(mutants.length)
})

test("every mutant of a branch in this repository is marked once, and their files still parse", () => {
  const all = generate().filter(({ seen }) => seen !== undefined)
  expect(all.length).toBeLessThan(most)
  for (const file of new Set(all.map((mutant) => mutant.file))) {
    const here = all.filter((mutant) => mutant.file === file)
    const text = marked(readFileSync(file, "utf8"), here)
    expect(() => parse(file, text)).not.toThrow()
    const numbers = [...text.matchAll(/globalThis\.parleyReached\[(\d+)\] = 1/g)].map(([, number]) => Number(number))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(here.map(({ number }) => number))
  }
})

const programOf = (text: string): ReadonlyArray<(a: unknown, b?: unknown) => unknown> =>
  // oxlint-disable-next-line typescript/no-implied-eval -- The program is the one above, mutated.
  new Function(`${text}\nreturn [pick, kind]`)()

function recording(): Uint8Array {
  const reached = new Uint8Array(most)
  Reflect.set(globalThis, "parleyReached", reached)
  return reached
}
