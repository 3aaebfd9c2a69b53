/** What tells the eras apart beforehand says what the machine does then. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { handshakeRevisions, revisions, v2026_07_28 } from "../../src/revisions/index.js"
import type { Output } from "../../src/server/index.js"
import { eraOf, serverMachine } from "../../src/server/index.js"
import { define, everything } from "./by-hand.js"

const methods = [
  ...new Set(revisions.flatMap(({ client }) => Object.keys(client).filter((name) => client[name]!.kind === "request"))),
  "none",
  "constructor"
]
const key = (name: string) => `io.modelcontextprotocol/${name}`
const names = [...revisions.map(({ name }): string => name), "v999.0.0", ""]

const meta = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, [], "text", {}, { other: 1, [key("related-task")]: {} }),
  fc.record(
    {
      [key("protocolVersion")]: fc.oneof(fc.constantFrom<unknown>(...names), fc.constantFrom(null, 7, {})),
      [key("clientInfo")]: fc.constantFrom<unknown>({ name: "c", version: "1" }, null),
      [key("clientCapabilities")]: fc.constantFrom<unknown>({}, true),
      [key("logLevel")]: fc.constantFrom<unknown>("info", "loud"),
      progressToken: fc.constant(1)
    },
    { requiredKeys: [] }
  )
)
const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }
const message = fc
  .tuple(fc.constantFrom(...methods), fc.option(meta, { nil: undefined }), fc.boolean())
  .map(([method, _meta, bare]) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    ...(!bare && { params: { ...(method === "initialize" && opening), _meta } })
  }))
const header = fc.option(fc.constantFrom(...names), { nil: undefined })

/** Before `initialize`, a session refuses everything but these by saying that it is not opened. */
function servedBy(method: string, outputs: ReadonlyArray<Output>): "request" | "handshake" {
  const tags = outputs.map((output) =>
    output._tag === "Report" && output.report._tag === "Refused" ? output.report.failure._tag : ""
  )
  if (tags.includes("NotInitialized")) return "handshake"
  if (method !== "ping" && method !== "initialize") return "request"
  // 2026-07-28 has neither.
  const modern = ["MethodUnknown", "EnvelopeInvalid", "HeaderMismatch", "RevisionUnsupported"]
  return tags.some((tag) => modern.includes(tag)) ? "request" : "handshake"
}

describe.each([
  ["both eras", revisions],
  ["handshake revisions only", handshakeRevisions],
  ["2026-07-28 only", [v2026_07_28]]
])("a server of %s", (_, spoken) => {
  const definition = define(everything, { revisions: spoken })
  const machine = serverMachine(definition)
  const era = eraOf(definition)

  it("serves a request by the era that was told beforehand", () => {
    const came = new Set<string>()
    fc.assert(
      fc.property(message, header, (json, header) => {
        const [, outputs] = machine.step(machine.initial, { _tag: "Received", json, via: "a", header })
        const told = era(json, header)
        came.add(told)
        expect(servedBy(json.method, outputs)).toBe(told)
      }),
      { numRuns: 2_000 }
    )
    expect(came.size).toBe(spoken === revisions ? 2 : 1)
  })

  it("has an era for any JSON value, by its header or by what is spoken", () => {
    fc.assert(
      fc.property(fc.jsonValue(), header, (json, header) => {
        const only = spoken.every(({ opening }) => opening === "request")
        const named = header === "2026-07-28" && spoken.some(({ name }) => name === header)
        expect(era(json, header)).toBe(only || named ? "request" : "handshake")
      })
    )
  })
})
