/** Makes properties repeat themselves, and stop at the first counterexample: a mutant only has to be noticed. */
import * as fc from "fast-check"
import { afterAll } from "vitest"
import { most } from "./marks.mjs"

const seed = 20_250_618

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed, endOnFailure: true })

// A seed of its own for each run would let a mutant be noticed by chance.
process.env.PARLEY_SEED = String(seed)

// By which places of mutants the tests of this file come, where they are marked.
const reached = new Uint8Array(most)
globalThis.parleyReached = reached

// oxlint-disable-next-line no-empty-pattern -- Vitest asks for it: what comes first are fixtures.
afterAll(({}, file) => {
  const numbers = [...reached.keys()].filter((number) => reached[number] === 1)
  if (numbers.length > 0) file.meta.reached = numbers
})
