/** A server in ten lines. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
import * as Schema from "effect/Schema"

const input = Schema.Struct({ a: Schema.Finite, b: Schema.Finite })
const output = Schema.Struct({ sum: Schema.Finite })
const add = tool("add", { description: "Add two numbers", input, output }, ({ a, b }) => ({ sum: a + b }))

serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
