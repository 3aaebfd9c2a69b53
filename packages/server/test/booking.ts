/** A server whose tool asks twice, and what a client needs to call it. */
import { defineServer, form, tool } from "../src/index.js"

export const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const sure = form({ type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] })
const day = { type: "object", properties: { day: { type: "string" } } } as const

export const able = { capabilities: { elicitation: {} } }
export const monday = { day: "monday" }
/** A key that processes share. */
export const keys = [new Uint8Array(32).fill(1)]

/** The tool does something once between its questions; `done`: what was done, and how often it was run. */
export function booking(name = "booking") {
  const done: Array<string> = []
  const book = tool("book", { asks: { guests, sure }, input: day }, async ({ day }, call) => {
    done.push("run")
    const { guests } = await call.ask("guests", { message: "How many guests?" })
    const held = await call.once("hold", () => (done.push(`hold ${guests}`), { of: guests }))
    const { sure } = await call.ask("sure", { message: "Sure?" })
    return sure ? `booked ${held.of} for ${day}` : "not booked"
  })
  return { done, server: defineServer({ name, version: "1.0.0" }, [book]) }
}
