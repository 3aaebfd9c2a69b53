/** Makes properties repeat themselves, and stop at the first counterexample: a mutant only has to be noticed. */
import * as fc from "fast-check"

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_250_618, endOnFailure: true })
