/** The smallest server there is, with a JSON Schema: for start-up and size. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"

const add = tool(
  "add",
  {
    description: "Adds two numbers",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] }
  },
  ({ a, b }) => String(a + b)
)

serve(defineServer({ name: "one-tool", version: "1.0.0" }, [add]), stdio())
