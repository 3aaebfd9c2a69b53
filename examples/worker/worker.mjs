/** An MCP server for Workers: a function from Request to Response, and nothing that is compiled at run time. */
import { fetchHandler } from "@parley/http/server"
import { defineServer, tool } from "@parley/server"

const input = { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] }
const greet = tool("greet", { description: "Greets in the words of this deployment", input }, ({ name }, { context }) =>
  [context.GREETING ?? "Hello", name].join(", ")
)

export default {
  fetch: fetchHandler(defineServer({ name: "greeter", version: "1.0.0" }, [greet]), {
    context: (_request, env) => env // the bindings; a handler finds them as `call.context`
  })
}
