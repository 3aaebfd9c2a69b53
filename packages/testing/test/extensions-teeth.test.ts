/** Servers with an extension are held to the same invariants, and one that serves it to everybody is found. */
import type { Definition } from "@parley/core"
import { extended, request } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Input } from "@parley/core/server"
import { brokenBy, serverConversation } from "@parley/testing"
import { expect, it } from "vitest"
import { asIf, drawn, found, isWhole, key } from "./broken-servers.js"
import { both } from "./definitions.js"

const id = "com.example/jobs"
const anything = () => undefined
const jobs = { id, client: { "jobs/get": request("client", anything, anything) } }
const withJobs = revisions.map((revision) => extended(revision, [jobs]))
const definition: Definition = {
  ...both,
  revisions: withJobs,
  capabilities: { ...both.capabilities, extensions: { [id]: {} } }
}

it("what an extension adds is served, refused and answered like anything else", () => {
  let served = 0
  for (const one of drawn.slice(0, 80)) {
    const run = serverConversation(definition, one)
    expect(brokenBy(run)).toBeUndefined()
    for (const { outputs } of run.steps)
      for (const output of outputs)
        if (output._tag === "Invoke" && output.target._tag === "Method" && output.target.method === "jobs/get") served++
  }
  expect(served).toBeGreaterThan(2)
})

it("a server that serves it to clients without it is found", () => {
  const takes = asIf((meta) => {
    if (!isWhole(meta)) return meta
    const capabilities = meta[key("clientCapabilities")] as object
    return { ...meta, [key("clientCapabilities")]: { ...capabilities, extensions: { [id]: {} } } }
  })
  expect(found(1, { definition, takes: (input: Input) => takes(input) })).toMatch(
    '"jobs/get" was served, and nobody declared it'
  )
})

it("a server that does not serve what it announced is found", () => {
  const refuses = found(2, {
    definition,
    puts: (outputs, input) =>
      outputs.map((output) => {
        if (output._tag !== "Invoke" || output.target._tag !== "Method" || output.target.method !== "jobs/get")
          return output
        if (input._tag !== "Received") return output
        const error = { code: -32601, message: "" }
        return {
          _tag: "Send",
          message: { jsonrpc: "2.0", id: output.id, error },
          via: input.via,
          last: true,
          text: undefined
        }
      })
  })
  expect(refuses).toMatch("jobs/get is declared and was answered with -32601")
})
