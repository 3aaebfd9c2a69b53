/** Properties draw from PARLEY_SEED where it is set, so that a run can be repeated; from chance elsewhere. */
import fc from "fast-check"

const seed = process.env["PARLEY_SEED"]
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) | 0 })
