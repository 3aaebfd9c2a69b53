/** The client machine keeps every invariant with servers of every revision, in conversations drawn at random. */
import { assertClientProtocol } from "@parley/testing"
import { describe, it } from "vitest"
import { moderns } from "./client-definitions.js"
import { judges } from "./official.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)
const runs = Number(process.env["PARLEY_RUNS"] ?? 150)

describe(`every invariant holds (seed ${seed}, ${runs} conversations each)`, () => {
  for (const [name, [definition, machine]] of Object.entries(moderns))
    it(`for a client ${name}`, () => assertClientProtocol({ definition }, { runs, seed, machine, judges }))
})
