/** The server that is talked to on every runtime. */
import { defineServer, form, tool } from "@parley/server"

const number = { type: "number" }
const numbers = { type: "object", properties: { a: number, b: number }, required: ["a", "b"] }
const sum = { type: "object", properties: { sum: number }, required: ["sum"] }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })

export const parlour = defineServer({ name: "parlour", version: "1.0.0" }, [
  tool("add", { input: numbers, output: sum }, ({ a, b }) => ({ sum: a + b })),
  tool("count", {}, (_, call) => {
    for (const progress of [1, 2, 3]) call.progress(progress, 3)
    return "three"
  }),
  tool("book", { asks: { guests } }, async (_, call) => {
    const { guests } = await call.ask("guests", { message: "How many?" })
    return `a table for ${guests}`
  }),
  // Done when the call is withdrawn.
  tool("wait", {}, (_, call) => {
    call.progress(1)
    return new Promise((resolve) => call.signal.addEventListener("abort", () => resolve("woken")))
  })
])
