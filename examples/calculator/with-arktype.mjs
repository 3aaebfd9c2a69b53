/** The same server with ArkType. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
import { type } from "arktype"

const input = type({ a: "number", b: "number" })
const output = type({ sum: "number" })
const add = tool("add", { description: "Add two numbers", input, output }, ({ a, b }) => ({ sum: a + b }))

serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
