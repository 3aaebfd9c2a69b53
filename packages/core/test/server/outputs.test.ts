/** What the server puts out is what its text will say: nothing is there and undefined. */
import { expect, it } from "vitest"
import type { Output } from "../../src/server/index.js"
import { tell } from "../../src/server/outputs.js"

it.each([[undefined], [{}], [{ progress: 1 }]])("a notification with the params %j has no others", (params) => {
  const { message } = tell("notifications/progress", params, "a") as Extract<Output, { readonly _tag: "Send" }>
  expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message)
  expect(message).toEqual({ jsonrpc: "2.0", method: "notifications/progress", ...(params && { params }) })
})
