/** What the server is, as data. `defineServer(...).definition` makes the same from tools and their handlers. */
import { revisions } from "@parley/core/revisions"

const number = { type: "number" }
const inputSchema = { type: "object", properties: { a: number, b: number }, required: ["a", "b"] }

export const definition = {
  info: { name: "bare", version: "1.0.0" },
  instructions: undefined,
  capabilities: { tools: {} },
  revisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 100,
  tools: [{ name: "add", description: "Add two numbers", inputSchema }],
  resources: [],
  templates: [],
  prompts: [],
  requires: {},
  caching: {}
}
