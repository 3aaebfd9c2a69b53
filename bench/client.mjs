/** The client in process: every request is answered at once by the harness. */
import { serialise } from "@parley/core"
import { connect } from "@parley/client"

export async function connectClient({ rev, onReceiver }, send) {
  let on
  const receive = (text) => on.frame({ _tag: "Text", text, via: "in" })
  onReceiver(receive)
  const channel = {
    cancels: "message",
    open: (events) => (on = events),
    send: ({ message, text }) => send(text ?? serialise(message)),
    abort: () => {},
    close: async () => {}
  }
  const client = await connect(channel, { clientInfo: { name: "bench", version: "1.0.0" }, prefer: rev })
  return { receive, call: (name, args) => client.callTool(name, args) }
}
