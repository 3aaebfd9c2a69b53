/** What is waved through unread is what every revision's schema takes. */
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { quickRequestMeta, quickToolCall, quickToolResult } from "../../src/checks/pieces.js"
import { schemas } from "../../src/wire/index.js"

const odd = ["", "text", 0, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, true, null, [], {}, { progressToken: null }]

/** Often what should be there, else something odd or nothing at all. */
const perhaps = (...good: ReadonlyArray<unknown>) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...good), weight: 8 },
    { arbitrary: fc.constantFrom(...odd, undefined), weight: 1 }
  )

const meta = perhaps(undefined, {}, { progressToken: 1 }, { progressToken: "a", other: 1 })

const block = fc.record({
  type: perhaps("text"),
  text: perhaps("hi"),
  annotations: perhaps(undefined, { priority: 1 }),
  _meta: perhaps(undefined)
})

const info = "io.modelcontextprotocol/clientInfo"
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

describe.each([
  {
    name: "CallToolParams" as const,
    quick: quickToolCall,
    value: fc.record({
      name: perhaps("add"),
      arguments: perhaps(undefined, { a: 1 }),
      task: perhaps(undefined),
      inputResponses: perhaps(undefined),
      requestState: perhaps(undefined),
      _meta: meta
    }),
    common: [{ name: "add" }, { name: "add", arguments: { a: 1 }, _meta: { progressToken: 1 } }],
    rare: [
      { name: "add", task: {} },
      { name: "add", requestState: "s" },
      { name: "add", inputResponses: {} }
    ]
  },
  {
    name: "CallToolResult" as const,
    quick: quickToolResult,
    value: fc.record({
      content: fc.oneof(
        { arbitrary: fc.array(fc.oneof(block, perhaps({ type: "text", text: "" })), { maxLength: 3 }), weight: 8 },
        { arbitrary: perhaps([]), weight: 1 }
      ),
      structuredContent: perhaps(undefined, {}),
      isError: perhaps(undefined, true),
      resultType: perhaps(undefined, "complete", "input_required"),
      _meta: perhaps(undefined, {})
    }),
    common: [
      { content: [] },
      { content: [], resultType: "complete", _meta: {} },
      { content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 }, isError: false }
    ],
    rare: [
      { content: [{ type: "audio", data: "", mimeType: "audio/wav" }] },
      { content: [], structuredContent: [1] },
      { content: [], resultType: "input_required" }
    ]
  },
  {
    name: "RequestMeta" as const,
    quick: quickRequestMeta,
    value: fc.record({
      "io.modelcontextprotocol/protocolVersion": perhaps("2026-07-28"),
      "io.modelcontextprotocol/clientCapabilities": perhaps({}, { roots: {} }),
      "io.modelcontextprotocol/clientInfo": fc.oneof(
        perhaps(undefined),
        fc.record({
          name: perhaps("n"),
          version: perhaps("1"),
          title: perhaps(undefined, "t"),
          description: perhaps(undefined, "d"),
          websiteUrl: perhaps(undefined, "https://example.com"),
          icons: perhaps(undefined, [])
        })
      ),
      "io.modelcontextprotocol/logLevel": perhaps(undefined, "info"),
      progressToken: perhaps(undefined, 1, "a")
    }),
    common: [
      envelope,
      { ...envelope, progressToken: 1 },
      { ...envelope, [info]: { name: "n", version: "1", more: 1 } }
    ],
    rare: [
      { ...envelope, "io.modelcontextprotocol/logLevel": "info" },
      { ...envelope, [info]: { name: "n", version: "1", title: "t" } },
      { progressToken: 1 }
    ]
  }
])("the quick look at $name", ({ name, quick, value, common, rare }) => {
  const revisions = Object.values(schemas).map((table) => Schema.is(table[name] as Schema.Codec<unknown>))

  test("says yes only to what every revision takes", () => {
    fc.assert(
      fc.property(value, (drawn) => {
        const candidate: unknown = JSON.parse(JSON.stringify(drawn))
        if (quick(candidate)) for (const takes of revisions) expect(takes(candidate)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })

  test("says yes to what is common, and leaves what is rare to the whole check", () => {
    for (const one of common) expect(quick(one)).toBe(true)
    for (const one of rare) expect(quick(one)).toBe(false)
  })
})
