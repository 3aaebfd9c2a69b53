/** The quick way to text and the plain one say the same. */
import * as fc from "fast-check"
import { describe, it } from "vitest"
import type { Message } from "../src/jsonrpc.js"
import { prepared, reply, serialise } from "../src/text.js"

const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "binary" }))
const text = fc.string({ unit: "binary" })
const json = fc.jsonValue({ maxDepth: 2 })

/** Blocks that the quick way knows, and others that differ from those by little. */
const block = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "image"), text: fc.oneof(text, json) }),
  fc.record({ type: fc.constant("text"), text, _meta: json }),
  json
)
const result = fc.oneof(
  fc.record({ content: fc.array(block, { maxLength: 2 }) }),
  fc.record({ content: fc.array(block, { maxLength: 2 }), isError: fc.boolean() }),
  fc.record({ content: json }),
  fc.dictionary(text, json)
)
const jsonrpc = fc.constant("2.0")
const message = fc.oneof(
  fc.record({ jsonrpc, id, result }),
  fc.record({ jsonrpc, id, result, _extra: json }),
  fc.record({ jsonrpc, id, method: text, params: fc.dictionary(text, json) }),
  fc.record({ jsonrpc, id, method: text, params: fc.constant(undefined) }),
  fc.record({ jsonrpc, id, method: text, params: fc.dictionary(text, json), _extra: json }),
  fc.record({ jsonrpc, id, method: text }),
  fc.record({ jsonrpc, method: text, params: fc.dictionary(text, json) }),
  fc.record({ jsonrpc, method: text, params: fc.dictionary(text, json), _extra: json }),
  fc.record({ jsonrpc, id: fc.oneof(id, fc.constant(null)), error: fc.record({ code: fc.integer(), message: text }) })
) as unknown as fc.Arbitrary<Message>

describe("a message as text", () => {
  it("is what JSON.stringify says of it, alone and in a batch", () => {
    fc.assert(fc.property(message, (one) => serialise(one) === JSON.stringify(one)))
    fc.assert(fc.property(fc.array(message), (all) => serialise(all) === JSON.stringify(all)))
  })

  it("is the same where results have one _meta", () => {
    const _meta = prepared({ server: { name: "\u2028" } })
    const members = fc.record(
      {
        content: fc.oneof(fc.array(block, { maxLength: 2 }), fc.constant(undefined)),
        structuredContent: json,
        resultType: fc.constantFrom<unknown>("complete", "other", 1, undefined),
        ['a"b']: json
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(id, members, fc.boolean(), (id, members, first) => {
        const result = first ? { _meta, ...members } : { ...members, _meta }
        const message = { jsonrpc: "2.0", id, result } as unknown as Message
        return serialise(message) === JSON.stringify(message)
      })
    )
  })

  it("is the same around a result that is text already", () => {
    fc.assert(
      fc.property(
        id,
        result,
        (id, result) => reply(id, JSON.stringify(result)) === JSON.stringify({ jsonrpc: "2.0", id, result })
      )
    )
  })
})
