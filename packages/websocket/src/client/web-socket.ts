/** The client's side: a channel to the server at an address. */
import type { Channel } from "@parley/driver"
import { dial, headless, platformOf } from "./dial.js"
import { lasting } from "./lasting.js"
import type { WebSocketOptions } from "./options.js"
import { addressed, settled } from "./options.js"

/**
 * A channel to the server at this address. Nothing is sent before it is opened. One channel is for one session, of whichever
 * revision; with `reconnect` it goes on over further connections.
 *
 * ```ts no-run
 * import { connect } from "@parley/client"
 * import { webSocket } from "@parley/websocket"
 *
 * const client = await connect(webSocket("wss://example.com/mcp", { token: process.env.TOKEN!, reconnect: true }), {
 *   clientInfo: { name: "demo", version: "1.0.0" }
 * })
 * ```
 *
 * A connection that can not be opened, or is lost, closes the channel: `closed` says why, for a person. With `reconnect`, one that
 * is lost after the server has answered is opened again, later and later. What was asked and not answered comes up as
 * `Refused`, with status 0, for nobody can know whether it was done; what is asked meanwhile waits. Up to 2025-11-25 the session is
 * lost as well (`SessionLost`), and the client begins another one. A refusal by HTTP, such as 401, is not tried again, but for 408, 429
 * and from 500 on. Redirects are not followed.
 *
 * @throws TypeError when the address or an option can not be used
 */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Channel {
  const address = addressed(url)
  const settings = settled(options)
  if (platformOf() === "page" && Object.keys(settings.headers).length > 0) throw new TypeError(headless)
  return lasting((make, signal) => dial(address, settings, make, signal), settings)
}
