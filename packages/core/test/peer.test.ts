/** What a peer announces: the known parts, of the right types, and word of the rest. */
import { expect, it } from "vitest"
import { sanitised as judged } from "../src/peer.js"
import { v2024_11_05, v2025_06_18, v2025_11_25, v2026_07_28 } from "../src/revisions/index.js"
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
  expect(sanitised({ experimental: { x: 1 }, hologram: {} })).toEqual({
    capabilities: { experimental: { x: 1 } },
    wrong: []
  })
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

it("takes extensions by their identifiers, and names the settings that are no object", () => {
  const extensions = { "com.example/a.b": { listChanged: 1 }, "com.example/c": true, "com.example/d": [] }
  const { capabilities, wrong } = sanitised({ extensions, tasks: {}, roots: { listChanged: true } }, v2026_07_28)
  expect(capabilities).toEqual({ extensions: { "com.example/a.b": { listChanged: 1 } }, roots: {} })
  expect(wrong).toEqual(["extensions.com.example/c", "extensions.com.example/d"])
  expect(sanitised({ extensions }, v2025_11_25)).toEqual({ capabilities: {}, wrong: [] })
})

it("has no place for an extension that would become a prototype", () => {
  const hostile = JSON.parse('{"extensions":{"__proto__":{"a":{}}}}') as JsonObject
  const { capabilities, wrong } = sanitised(hostile, v2026_07_28)
  expect(Object.keys(capabilities["extensions"] as object)).toEqual([])
  expect((capabilities["extensions"] as { a?: object }).a).toBeUndefined()
  expect(wrong).toEqual([])
})

it("is the same value when nothing has to go", () => {
  const careful = { roots: {}, elicitation: { form: {}, url: {} }, extensions: { "com.example/a.b": { a: [1] } } }
  expect(sanitised(careful, v2026_07_28).capabilities).toBe(careful)
  const flags = { sampling: { tools: true }, experimental: { x: 1 } }
  expect(sanitised(flags, v2026_07_28).capabilities).toBe(flags)
  expect(sanitised({ roots: { listChanged: true } }, v2026_07_28).capabilities).toEqual({ roots: {} })
  expect(sanitised({ elicitation: { form: {}, url: {} } }, v2025_06_18).capabilities).toEqual({ elicitation: {} })
})
