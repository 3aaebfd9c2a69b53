/** Run by the test where strings can not be made into code, as on Workers: a client of the worker at `argv[2]`, without a socket. */
import { connect } from "@parley/client"
import { http } from "@parley/http/client"

const { default: worker } = await import(process.argv[2])
const env = { GREETING: "Good day" }
const fetch = (url, init) => worker.fetch(new Request(url, init), env)

let compiles = true
try {
  compiles = Reflect.construct(Function, ["return true"])()
} catch {
  compiles = false
}
const seen = []
for (const prefer of ["2026-07-28", "2025-11-25"]) {
  const client = await connect(http("http://localhost/mcp", { fetch }), {
    clientInfo: { name: "test", version: "1.0.0" },
    prefer
  })
  const { content } = await client.callTool("greet", { name: "Ada" })
  const { isError } = await client.request("tools/call", { name: "greet", arguments: { name: "" } })
  seen.push({ revision: client.peer.revision, said: content[0].text, refused: isError })
  await client.close()
}
console.log(JSON.stringify({ compiles, seen }))
