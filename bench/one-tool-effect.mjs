/** The smallest server there is, with an effect Schema: for start-up and size. */
import "@parley/json-schema/effect"
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
import * as Schema from "effect/Schema"

const add = tool(
  "add",
  { description: "Adds two numbers", input: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }) },
  ({ a, b }) => String(a + b)
)

serve(defineServer({ name: "one-tool", version: "1.0.0" }, [add]), stdio())
