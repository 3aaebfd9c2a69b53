/** The same server with plain JSON Schema, and nothing else to install. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"

const number = { type: "number" }
const input = { type: "object", properties: { a: number, b: number }, required: ["a", "b"] }
const output = { type: "object", properties: { sum: number }, required: ["sum"] }
const add = tool("add", { description: "Add two numbers", input, output }, ({ a, b }) => ({ sum: a + b }))

serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
