/** Both machines keep every invariant in conversations drawn at random. */
import { assertClientProtocol, assertProtocol } from "@parley/testing"
import { describe, it } from "vitest"
import { clients, servers } from "./definitions.js"
import { judges, officialSchemasAreHere } from "./official.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)
const runs = Number(process.env["PARLEY_RUNS"] ?? 150)
const judged = officialSchemasAreHere
  ? "judged by the published schemas, open and closed"
  : "skipped: the closed schemas, for the published ones are absent; judged by the official client's"

describe(`every invariant holds (seed ${seed}, ${runs} conversations each; ${judged})`, () => {
  for (const [name, [definition, machine]] of Object.entries(servers))
    it(`for a server ${name}`, () => assertProtocol({ definition }, { runs, seed, machine, judges }))
  for (const [name, [definition, machine]] of Object.entries(clients))
    it(`for a client ${name}`, () => assertClientProtocol({ definition }, { runs, seed, machine, judges }))
})
