/** Listens in on a channel without touching what goes through it. */
import type { Channel, Frame, Outgoing } from "./channel.js"

export interface Tap {
  /** What goes out, before the channel gets it. A batch is told as one. */
  readonly sent?: (message: Outgoing["message"]) => void
  /** What came in, before whoever opened the channel gets it. */
  readonly received?: (frame: Frame) => void
}

/**
 * The same channel, with both directions told to `tap` in the order in which they happen. What `tap` throws is its own affair
 * and must not happen: it would end up in whoever sends or reads.
 *
 * ```ts
 * import { link, tap } from "@parley/driver"
 *
 * const seen: Array<unknown> = []
 * const [near] = link()
 * const channel = tap(near, { sent: (message) => seen.push(message) })
 * void channel.send({ message: { jsonrpc: "2.0", method: "notifications/initialized" }, via: undefined, last: false })
 * seen // => [{ jsonrpc: "2.0", method: "notifications/initialized" }]
 * ```
 */
export const tap = (channel: Channel, { sent, received }: Tap): Channel => ({
  cancels: channel.cancels,
  ...(channel.headers === true && { headers: true }),
  ...(channel.returns === true && { returns: true }),
  open: (on) =>
    channel.open({
      frame: (frame) => {
        received?.(frame)
        return on.frame(frame)
      },
      closed: (why) => on.closed(why)
    }),
  send: (out) => {
    sent?.(out.message)
    return channel.send(out)
  },
  abort: (id) => channel.abort(id),
  close: (why) => channel.close(why)
})
