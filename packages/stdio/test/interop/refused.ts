/** A server whose schema is refused once it is loaded, in a program that looks at nothing. */
import { defineServer, serve, tool } from "@parley/server"
import * as Schema from "effect/Schema"
import { stdio } from "../../src/stdio.js"

const union = Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String })])
const either = tool("either", { input: union }, () => "x")
serve(defineServer({ name: "refused", version: "1.0.0" }, [either]), stdio())
