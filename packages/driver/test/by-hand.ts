/** A channel whose both ends are in the test's hands. */
import type { Channel, ChannelEvents, Outgoing } from "../src/channel.js"

export interface ByHand extends Channel {
  readonly sent: Array<Outgoing>
  readonly closings: Array<string | undefined>
  on: ChannelEvents
  /** What the next `send` answers. */
  room: Promise<void> | undefined
}

export function byHand(): ByHand {
  const channel: ByHand = {
    cancels: "message",
    sent: [],
    closings: [],
    room: undefined,
    on: { frame() {}, closed() {} },
    open: (on) => void (channel.on = on),
    send: (out) => {
      channel.sent.push(out)
      return channel.room
    },
    abort() {},
    close: async (why) => {
      channel.closings.push(why)
      channel.on.closed({ _tag: "Closed" })
    }
  }
  return channel
}

export const text = (json: unknown, via = "a") => ({ _tag: "Text", text: JSON.stringify(json), via }) as const
