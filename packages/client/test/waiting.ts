/** A client whose calls wait for what the test sends. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

/** A client whose ping is answered when it is told to. */
export async function waiting(timeoutMs?: number) {
  const clock = simulated()
  const server = hand({ answers: { ping: () => undefined } })
  const client = await connect(server.channel, { clientInfo, revisions, clock, ...(timeoutMs && { timeoutMs }) })
  const ping = async (options?: Parameters<typeof client.ping>[0]) => {
    const before = server.asked("ping").length
    let settled: string | undefined
    const reply = client.ping(options).then(
      () => (settled = "answered"),
      (error: Error) => (settled = error.message)
    )
    await server.until(() => server.asked("ping").length > before)
    const message = server.asked("ping").at(-1)
    return { id: message.id as number, message, reply, settled: () => settled }
  }
  const progress = async (progressToken: unknown, progress: number, more: object = {}) => {
    server.tell("notifications/progress", { progressToken, progress, ...more })
    await heard()
  }
  /** Everything sent to the client has been read. */
  const heard = async () => {
    server.send({ jsonrpc: "2.0", id: `heard${++marks}`, method: "ping" })
    await server.until(({ id }) => id === `heard${marks}`)
  }
  let marks = 0
  return { clock, server, client, ping, progress, heard }
}
