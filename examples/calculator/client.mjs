/** Starts a calculator, the one in ten lines or another file beside this one, says what it offers, and has it add. */
import { resolve } from "node:path"
import { connect } from "@parley/client"
import { command } from "@parley/stdio"

const [name = "ten-lines.mjs"] = process.argv.slice(2)
const server = command("node", [resolve(import.meta.dirname, name)])
const client = await connect(server, { clientInfo: { name: "demo", version: "1.0.0" } })
try {
  for (const { name, description } of await client.listTools()) console.log(`${name}: ${description}`)
  const { structuredContent } = await client.callTool("add", { a: 1, b: 2 })
  console.log(structuredContent)
} finally {
  await client.close()
}
