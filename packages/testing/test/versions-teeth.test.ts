/** Servers that refuse a version, or who names none, otherwise than they should: found in as many conversations as are drawn by default. */
import type { Definition, JsonObject } from "@parley/core"
import type { Input, Output, ServerMachine } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { brokenBy, conversations, serverConversation } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { protocolVersion } from "../src/asker.js"
import { codeOf, own } from "../src/envelope.js"
import { sends } from "./broken-servers.js"
import { both, modern } from "./definitions.js"

/** Hardly anything, in all revisions. */
const small: Definition = {
  ...both,
  tools: both.tools.slice(0, 1),
  prompts: [],
  resources: [],
  capabilities: { tools: {} }
}
const servers: ReadonlyArray<readonly [string, Definition]> = [
  ["of both eras", both],
  ["of 2026-07-28 alone", modern],
  ["with one tool", small]
]
const seeds = [1, 2, 3, 4, 5]
const drawnBy = (seed: number) => fc.sample(conversations(), { numRuns: 200, seed })

type Change = (error: JsonObject, input: Input) => JsonObject

/** Errors with that code are changed. */
const errors = (
  code: number,
  change: Change
): ((outputs: ReadonlyArray<Output>, input: Input) => ReadonlyArray<Output>) =>
  sends((message, input) =>
    codeOf(message) === code ? { ...message, error: change(own(message, "error") as JsonObject, input) } : message
  )

/** By which invariants it is found, for each seed; nothing where it is not. */
function found(definition: Definition, puts: ReturnType<typeof errors>): ReadonlyArray<string> {
  const real = serverMachine(definition)
  const step: ServerMachine["step"] = (state, input) => {
    const [next, outputs] = real.step(state, input)
    return [next, puts(outputs, input)]
  }
  return seeds.map((seed) => {
    for (const drawn of drawnBy(seed)) {
      const broken = brokenBy(serverConversation(definition, drawn, {}, { ...real, step }))
      if (broken !== undefined) return `${broken.number}`
    }
    return "not found"
  })
}

const withData =
  (change: (data: JsonObject) => JsonObject): Change =>
  (error) => ({
    ...error,
    data: change((own(error, "data") ?? {}) as JsonObject)
  })
const coded =
  (code: number): Change =>
  ({ message }) => ({ code, message: message! })
const without = (name: string) =>
  withData((data) => Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)))

/** Of a request that names no version, and says something of its client. */
const unnamed =
  (change: Change): Change =>
  (error, input) => {
    const meta = input._tag === "Received" ? own(own(input.json, "params"), "_meta") : undefined
    return meta !== undefined && own(meta, protocolVersion) === undefined ? change(error, input) : error
  }

describe.each(servers)("a server %s that refuses", (_, definition) => {
  it.each<[string, number, Change]>([
    ["a version by the code of bad params", -32022, coded(-32602)],
    ["a version by the code of no request", -32022, coded(-32600)],
    ["a version by the code of its own failure", -32022, coded(-32603)],
    ["a version without data", -32022, ({ code, message }) => ({ code: code!, message: message! })],
    ["a version without those that it speaks", -32022, without("supported")],
    ["a version naming others", -32022, withData((data) => ({ ...data, supported: ["2025-11-25"] }))],
    ["a version naming none", -32022, withData((data) => ({ ...data, supported: [] }))],
    ["a version without the one that was asked for", -32022, without("requested")],
    ["a version naming another that was asked for", -32022, withData((data) => ({ ...data, requested: "2026-07-28" }))],
    ["who names no version by the code of no version", -32602, unnamed(coded(-32022))],
    ["who names no version by the code of no request", -32602, unnamed(coded(-32600))],
    ["who names no version by the code of its own failure", -32602, unnamed(coded(-32603))]
  ])("%s is found", (_, code, change) => {
    expect(found(definition, errors(code, change))).not.toContain("not found")
  })
})

describe.each(servers.filter(([, { revisions }]) => revisions.length > 1))(
  "a server %s that refuses",
  (_, definition) => {
    it.each<[string, Change]>([
      ["without data", ({ code, message }) => ({ code: code!, message: message! })],
      ["without the versions that it speaks", without("supported")],
      ["naming some of them", withData((data) => ("supported" in data ? { ...data, supported: ["2025-11-25"] } : data))]
    ])("what comes before an opening %s is found", (_, change) => {
      expect(found(definition, errors(-32600, change))).not.toContain("not found")
    })
  }
)

it.each(servers)("a server %s often has to refuse a version, and who names none", (_, definition) => {
  const counts = seeds.map((seed) => {
    let [versions, unnamed] = [0, 0]
    for (const drawn of drawnBy(seed))
      for (const { input, outputs } of serverConversation(definition, drawn).steps) {
        const meta = input._tag === "Received" ? own(own(input.json, "params"), "_meta") : undefined
        for (const output of outputs) {
          if (output._tag !== "Send") continue
          if (codeOf(output.message as never) === -32022) versions++
          if (codeOf(output.message as never) === -32602 && meta && own(meta, protocolVersion) === undefined) unnamed++
        }
      }
    return Math.min(versions, unnamed)
  })
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(10)
})
