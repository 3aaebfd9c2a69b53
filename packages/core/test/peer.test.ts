/** What a peer announces: the known parts, of the right types, and word of the rest. */
import { expect, it } from "vitest"
import { sanitised as judged } from "../src/peer.js"
import { v2024_11_05, v2025_06_18, v2025_11_25 } from "../src/revisions/index.js"
import type { JsonObject } from "../src/json.js"

const sanitised = (capabilities: JsonObject, revision = v2024_11_05) => judged(capabilities, revision, "client")

it("keeps what is known and well-formed", () => {
  const capabilities = { roots: { listChanged: true }, sampling: { context: { a: 1 } }, experimental: { x: { n: 1 } } }
  expect(sanitised(capabilities, v2025_11_25)).toEqual({ capabilities, wrong: [] })
})

it("leaves out silently what is only part of a capability later", () => {
  const capabilities = { sampling: { tools: {}, more: {} }, elicitation: { url: {} } }
  expect(sanitised(capabilities, v2025_06_18).capabilities).toEqual({ sampling: { more: {} }, elicitation: {} })
})

it("leaves out silently what the revision does not know", () => {
  expect(sanitised({ hologram: {}, elicitation: {}, tasks: {}, tools: {}, roots: {} })).toEqual({
    capabilities: { roots: {} },
    wrong: []
  })
})

it("leaves out what is of a wrong type, and names it", () => {
  expect(sanitised({ roots: true, sampling: { tools: 1, context: null, list: [] }, experimental: "x" })).toEqual({
    capabilities: { sampling: {} },
    wrong: ["roots", "sampling.tools", "sampling.context", "sampling.list", "experimental"]
  })
})

it("does not look inside what is experimental", () => {
  expect(sanitised({ experimental: { x: 1 } })).toEqual({ capabilities: { experimental: { x: 1 } }, wrong: [] })
})

it("reads own members only", () => {
  expect(sanitised(Object.create({ roots: {} }) as {})).toEqual({ capabilities: {}, wrong: [] })
})

it("knows what each revision knows, of each side", () => {
  const capabilities = { elicitation: { form: {} }, tasks: {}, completions: {}, tools: {} }
  expect(judged(capabilities, v2025_06_18, "client").capabilities).toEqual({ elicitation: {} })
  expect(judged(capabilities, v2025_06_18, "server").capabilities).toEqual({ completions: {}, tools: {} })
})

it("has no place for a flag that would become a prototype", () => {
  const { capabilities, wrong } = sanitised(JSON.parse('{"roots":{"__proto__":{"listChanged":true}}}') as JsonObject)
  expect(Object.keys(capabilities["roots"] as object)).toEqual([])
  expect((capabilities["roots"] as { listChanged?: true }).listChanged).toBeUndefined()
  expect(wrong).toEqual([])
})
