/** Connects to the socket, and asks what the tool says: `stdio` on a socket is a channel for a client as well. */
import { once } from "node:events"
import { createConnection } from "node:net"
import { connect } from "@parley/client"
import { stdio } from "@parley/stdio"

const [path = "/tmp/uptime.sock"] = process.argv.slice(2)

const socket = createConnection({ path, allowHalfOpen: true })
await once(socket, "connect")
const client = await connect(stdio({ input: socket, output: socket }), {
  clientInfo: { name: "demo", version: "1.0.0" }
})
try {
  const { content } = await client.callTool("uptime")
  console.log(content[0].text)
} finally {
  await client.close()
}
