/** What a peer announces: the known parts, of the right types, and word of the rest. */
import { expect, it } from "vitest"
import { sanitised } from "../src/peer.js"

const known = ["experimental", "roots", "sampling"]

it("keeps what is known and well-formed", () => {
  const capabilities = { roots: { listChanged: true }, sampling: { context: { a: 1 } }, experimental: { x: { n: 1 } } }
  expect(sanitised(capabilities, known)).toEqual({ capabilities, wrong: [] })
})

it("leaves out silently what the revision does not know", () => {
  expect(sanitised({ hologram: {}, roots: {} }, known)).toEqual({ capabilities: { roots: {} }, wrong: [] })
})

it("leaves out what is of a wrong type, and names it", () => {
  expect(sanitised({ roots: true, sampling: { tools: 1, context: null, list: [] }, experimental: "x" }, known)).toEqual(
    {
      capabilities: { sampling: {} },
      wrong: ["experimental", "roots", "sampling.tools", "sampling.context", "sampling.list"]
    }
  )
})

it("does not look inside what is experimental", () => {
  expect(sanitised({ experimental: { x: 1 } }, known)).toEqual({ capabilities: { experimental: { x: 1 } }, wrong: [] })
})

it("reads own members only", () => {
  expect(sanitised(Object.create({ roots: {} }) as {}, known)).toEqual({ capabilities: {}, wrong: [] })
})
