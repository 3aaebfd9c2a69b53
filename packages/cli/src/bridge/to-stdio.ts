/** `parley bridge URL`: a server that is reached over HTTP or WebSocket is spoken to on standard streams. */
import { http } from "@parley/http/client"
import { stdio } from "@parley/stdio"
import { webSocket } from "@parley/websocket/client"
import type { Aside } from "../aside.js"
import { line } from "../clean.js"
import type { ServerAt } from "../server-at.js"
import { isSocket } from "../server-at.js"
import type { Terminal } from "../terminal.js"
import { between } from "./between.js"

/** Passes on until one of the two sides is through. */
export async function bridgeToStdio(
  at: Extract<ServerAt, { readonly _tag: "Address" }>,
  { stdin, stdout }: Pick<Terminal, "stdin" | "stdout">,
  aside: Aside,
  stop: AbortSignal
): Promise<number> {
  const near = stdio({ input: stdin, output: stdout, guardStdout: false, exit: false })
  const { headers } = at
  const far = isSocket(at) ? webSocket(at.url, { headers, reconnect: true }) : http(at.url, { headers })
  const relaying = between(near, far, (text) => aside.say(line(text)))
  stop.addEventListener("abort", () => void relaying.close(), { once: true })
  if (stop.aborted) void relaying.close()
  await relaying.closed
  return 0
}
