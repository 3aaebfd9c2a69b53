/** What the page's client can do, each thing by a name, and the story that is told with them. */
import { connect } from "@parley/client"

const own = "io.modelcontextprotocol"

/** `channel` is the client's end; `ask` answers the server's question with a number of guests, or nothing to decline. */
export function visitor(channel, ask) {
  let client
  const text = ({ content }) => content.map((one) => one.text).join()
  const raw = (message) => channel.send({ message: { jsonrpc: "2.0", ...message }, via: undefined, last: false })
  return {
    open: async (prefer) => {
      const elicit = async ({ message }) => {
        const guests = await ask(message)
        return guests === undefined ? { action: "decline" } : { action: "accept", content: { guests } }
      }
      client = await connect(channel, { clientInfo: { name: "visitor", version: "1.0.0" }, prefer, answer: { elicit } })
      return `opened: ${client.peer.revision}`
    },
    list: async () => (await client.listTools()).map(({ name }) => name).join(", "),
    add: async () => text(await client.callTool("add", { a: 1, b: 2 })),
    count: async () => text(await client.callTool("count", {}, { onProgress: () => {} })),
    book: async () => text(await client.callTool("book")),
    cancel: async () => {
      const { signal, abort } = withdrawable()
      const call = client.callTool("sleep", {}, { signal })
      queueMicrotask(abort)
      return call.then(text, (error) => error.message)
    },
    /** Our client would not send it; so it is sent past it. Without a handshake every request says who asks. */
    undeclared: async () => {
      const { revision } = client.peer
      const _meta = { [`${own}/protocolVersion`]: revision, [`${own}/clientCapabilities`]: {} }
      await raw({ id: "stray", method: "prompts/list", params: revision === "2026-07-28" ? { _meta } : {} })
      return "sent what the server did not declare"
    },
    close: async () => {
      await client.close()
      return "closed"
    }
  }
}

function withdrawable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort("not needed any more") }
}

/** In this order everything that is worth seeing is seen once. */
export const story = ["open", "list", "add", "count", "book", "cancel", "undeclared"]
