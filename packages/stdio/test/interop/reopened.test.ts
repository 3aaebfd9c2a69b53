/** Servers that end when they are asked what they speak, and a client that starts them once more. */
import type { Channel } from "@parley/driver"
import { connect } from "@parley/client"
import { expect, it } from "vitest"
import { command } from "../../src/command.js"

const clientInfo = { name: "client", version: "1.0.0" }

/** Ends on whatever comes before initialize, as servers do that treat it as a breach of the protocol. */
const strict = `
let open = false
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (!open && method !== "initialize") {
    process.stderr.write("expected initialize, got " + method)
    process.exit(3)
  }
  open = true
  const { protocolVersion } = params ?? {}
  const result = { protocolVersion, capabilities: {}, serverInfo: { name: "strict", version: "1.0.0" } }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? result : {} }))
})`

it("a server that ends on the question is started once more, and only once, and not asked again when it is known", async () => {
  const left: Array<number | null> = []
  let started = 0
  const server = (): Channel => {
    started++
    return command(process.execPath, ["-e", strict], { stderr: "pipe", exited: (code) => left.push(code) })
  }
  const client = await connect(server, { clientInfo })
  expect(client.peer).toMatchObject({ revision: "2025-11-25", info: { name: "strict" } })
  await client.ping()
  await client.close()
  expect([started, left]).toEqual([2, [3, 0]])
  const again = await connect(server, { clientInfo, prior: client.prior })
  await again.close()
  expect([started, left]).toEqual([3, [3, 0, 0]])
})

it("a server that can not be started once more is a failure that says how it left, and what to do", async () => {
  const channel = command(process.execPath, ["-e", strict], { stderr: "pipe" })
  await expect(connect(channel, { clientInfo })).rejects.toThrow(
    /exited with code 3; its last lines on stderr:\s+expected initialize, got server\/discover\nThere are servers of older revisions.* give connect a function that makes the channel/
  )
})
