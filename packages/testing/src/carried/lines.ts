/** A channel as a carrier: all messages come by one way, one after the other. */
import type { Json, Message } from "@parley/core"
import type { Channel } from "@parley/driver"
import { serve } from "@parley/server"
import { cancelled } from "./bare.js"
import type { Way } from "./carrier.js"

/** Two ends of a channel: the client's, and the server's. */
export interface Ends {
  readonly near: Channel
  readonly far: Channel
  /** Puts a text on the way to the server that is no JSON. Not there: nothing but messages can be sent. */
  readonly garble?: (text: string) => void
}

export const byChannel = (name: string, open: () => Ends | Promise<Ends>): Way => ({
  name,
  inOrder: true,
  begin: async ({ live }, hear) => {
    const { near, far, garble } = await open()
    const { channel, taken } = counted(far)
    await live.server.ready
    const serving = serve(live, channel, { crashed: () => undefined, report: () => undefined, drainMs: 1 })
    near.open({
      frame: (frame) => {
        if (frame._tag === "Text") hear({ by: undefined, message: JSON.parse(frame.text) as Json })
      },
      closed: () => undefined
    })
    // It may be taken before this returns.
    const taking = (work: () => unknown): Promise<undefined> => {
      const there = taken()
      void work()
      return there
    }
    const send = (message: Json): Promise<undefined> =>
      taking(() => near.send({ message: message as unknown as Message, via: undefined, last: false }))
    return {
      say: send,
      garble: garble && ((text) => taking(() => garble(text))),
      cancel: ({ id }) => send(cancelled(id)),
      close: async () => {
        await Promise.all([near.close(), serving.close()])
      }
    }
  }
})

/** The channel, and a promise for each frame that the server takes, in their order. */
function counted(channel: Channel): { readonly channel: Channel; readonly taken: () => Promise<undefined> } {
  const waiting: Array<() => void> = []
  const taken = (): Promise<undefined> => new Promise((resolve) => waiting.push(() => resolve(undefined)))
  const opened: Channel = {
    cancels: channel.cancels,
    open: (on) =>
      channel.open({
        frame: (one) => {
          const room = on.frame(one)
          waiting.shift()?.()
          return room
        },
        closed: (why) => on.closed(why)
      }),
    send: (out) => channel.send(out),
    abort: (id) => channel.abort(id),
    close: (why) => channel.close(why)
  }
  return { channel: opened, taken }
}
