/** Our client and our server under load: whatever waits, nobody waits for ever. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { link } from "@parley/driver"
import { defineServer, serve, tool } from "@parley/server"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"

const clientInfo = { name: "client", version: "1.0.0" }
const input = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const
const echo = tool("echo", { input }, ({ text }) => text)
const later = tool("later", { input }, async ({ text }, { progress }) => {
  progress(1)
  await Promise.resolve()
  progress(2)
  return text
})

describe.each([
  ["the usual room", undefined],
  ["little room", 1_000],
  ["no room", 0]
])("over a link with %s", (_, room) => {
  it.each(["echo", "later"])("five thousand calls at once with 1 KB each way are all answered: %s", async (name) => {
    const [near, far] = link(room === undefined ? {} : { room })
    const serving = serve(defineServer({ name: "load", version: "1.0.0" }, [echo, later]), far)
    const client = await connect(near, { clientInfo, revisions, clock: simulated() })
    const text = "x".repeat(1_000)
    const calls = Array.from({ length: 5_000 }, (_, n) =>
      client.callTool(name, { text: `${n} ${text}` }, name === "later" ? { onProgress: () => {} } : {})
    )
    const said = (await Promise.all(calls)).map(({ content }) => (content[0] as { text: string }).text)
    expect(said).toEqual(Array.from({ length: 5_000 }, (_, n) => `${n} ${text}`))
    await client.close()
    await serving.closed
  })
})

/** A server that asks on and on and does not read. */
async function flooding() {
  const [near, far] = link({ room: 0 })
  let free!: () => void
  const reading = new Promise<void>((resolve) => (free = resolve))
  const heard: Array<{ readonly id?: string | number; readonly method?: string }> = []
  let opened = false
  far.open({
    frame: (frame) => {
      if (frame._tag !== "Text") return
      const message = JSON.parse(frame.text) as (typeof heard)[0]
      heard.push(message)
      if (message.method === "notifications/initialized") opened = true
      if (message.method === "initialize")
        void send({
          id: message.id,
          result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "h", version: "1" } }
        })
      else if (message.method === "ping") void send({ id: message.id, result: {} })
      return opened ? reading : undefined
    },
    closed: () => {}
  })
  const send = (message: object) =>
    far.send({ message: { jsonrpc: "2.0", ...message } as never, via: undefined, last: false })
  const client = await connect(near, { clientInfo, revisions, clock: simulated() })
  return { client, far, send, free, heard, near }
}

/** So many turns that everything which can happen has: a link pauses now and then. */
async function turns(): Promise<void> {
  for (let n = 0; n < 50; n++) await new Promise<void>((resolve) => setImmediate(resolve))
}

describe("a server that asks on and on and does not read", () => {
  it("is read for a while, then no longer, and gets all its answers in the end", async () => {
    const { client, send, free, heard } = await flooding()
    await turns()
    const waits: Array<void | Promise<void>> = []
    for (let n = 0; n < 1_000; n++) waits.push(send({ id: `p${n}`, method: "ping" }))
    await turns()
    // Read so far, though none of its answers has been.
    expect(await Promise.race([waits.at(-1), turns().then(() => "full")])).toBeUndefined()
    for (let n = 1_000; n < 3_000; n++) waits.push(send({ id: `p${n}`, method: "ping" }))
    await turns()
    expect(await Promise.race([waits.at(-1), turns().then(() => "full")])).toBe("full")
    free()
    for (const wait of waits) await wait
    await turns()
    expect(heard.filter(({ id }) => typeof id === "string")).toHaveLength(3_000)
    await client.ping()
  })
})
