/** Starts the worker, sends it one end of a channel, and is a client at the other. */
import { Worker } from "node:worker_threads"
import { connect } from "@parley/client"
import { portChannel } from "./channel.mjs"

const worker = new Worker(new URL("server.mjs", import.meta.url))
const { port1, port2 } = new MessageChannel()
worker.postMessage(port2, [port2])
const client = await connect(portChannel(port1), { clientInfo: { name: "demo", version: "1.0.0" } })
try {
  for (const { name, description } of await client.listTools()) console.log(`${name}: ${description}`)
  const { content } = await client.callTool("primes", { below: 1_000_000 })
  console.log(content[0].text)
} finally {
  await client.close()
  await worker.terminate()
}
