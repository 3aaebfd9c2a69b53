/** The same server with zod 4. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
import * as z from "zod"

const input = z.object({ a: z.number(), b: z.number() })
const output = z.object({ sum: z.number() })
const add = tool("add", { description: "Add two numbers", input, output }, ({ a, b }) => ({ sum: a + b }))

serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
