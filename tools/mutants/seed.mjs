/** Makes properties repeat themselves, and stop at the first counterexample: a mutant only has to be noticed. */
import * as fc from "fast-check"

const seed = 20_250_618

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed, endOnFailure: true })

// A seed of its own for each run would let a mutant be noticed by chance.
process.env.PARLEY_SEED = String(seed)
