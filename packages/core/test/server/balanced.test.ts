/** Uses of tools and their results stand as the model's providers want them. */
import { expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { unbalanced } from "../../src/server/balanced.js"

const text = { type: "text", text: "t" }
const use = (id: string) => ({ type: "tool_use", id, name: "n", input: {} })
const result = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [] })
const user = (...content: ReadonlyArray<JsonObject>) => ({ role: "user", content })
const model = (...content: ReadonlyArray<JsonObject>) => ({ role: "assistant", content })
const other = "expected results for the tools that the message before it uses"
const alone = "expected a user's message of tool results only"

it.each<[string | undefined, ReadonlyArray<JsonObject>]>([
  [undefined, []],
  [undefined, [{ role: "user", content: text }, model(text, text)]],
  [undefined, [user(text), model(text, use("a"), use("b")), user(result("b"), result("a")), model(text)]],
  [
    undefined,
    [
      { role: "assistant", content: use("a") },
      { role: "user", content: result("a") }
    ]
  ],
  [undefined, [model(use("a")), user(result("a")), model(use("b")), user(result("b"))]],
  [`messages[1]: ${other}`, [model(use("a"), use("b")), user(result("a"))]],
  [`messages[1]: ${other}`, [model(use("a")), user(text)]],
  [`messages[1]: ${other}`, [model(use("a")), model(use("b")), user(result("b"))]],
  [`messages[0]: ${other}`, [user(result("a"))]],
  [`messages[1]: ${other}`, [model(use("a")), user(result("a"), result("b"))]],
  [`messages[1]: ${alone}`, [model(use("a")), user(result("a"), text)]],
  [`messages[1]: ${alone}`, [model(use("a")), model(result("a"))]],
  ["messages: expected results for the tools that the last message uses", [user(text), model(use("a"))]]
])("%s", (why, messages) => expect(unbalanced({ messages })).toBe(why))

it("has nothing to say of what has no messages", () => {
  expect(unbalanced(undefined)).toBeUndefined()
  expect(unbalanced({})).toBeUndefined()
  expect(unbalanced({ messages: [{ role: "user" }] })).toBeUndefined()
})
