/** The same server with a handler that returns an Effect: it is run for each call, and interrupted when the client withdraws it. */
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const input = Schema.Struct({ a: Schema.Finite, b: Schema.Finite })
const output = Schema.Struct({ sum: Schema.Finite })
const add = tool("add", { description: "Add two numbers", input, output }, ({ a, b }) =>
  Effect.gen(function* () {
    yield* Effect.sleep("10 millis") // addition is hard
    return { sum: a + b }
  })
)

serve(defineServer({ name: "calculator", version: "1.0.0" }, [add]), stdio())
