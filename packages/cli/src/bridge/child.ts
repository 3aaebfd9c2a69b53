/** A server on standard streams that the bridge has started: messages to it and from it, and word of its end. */
import type { Message } from "@parley/core"
import type { Channel } from "@parley/driver"

export interface Child {
  /** Writes a message, or a batch, as it is. Says whether it could be written: what is nested too deep can not. */
  readonly send: (json: unknown) => boolean
  /** Whether it is behind with reading. */
  readonly behind: () => boolean
  readonly close: () => Promise<void>
}

export interface ChildEvents {
  /** While the promise is pending nothing more is read. `text`: as it was written. */
  readonly message: (json: unknown, text: string) => void | Promise<void>
  /** It is gone without having been closed; once. */
  readonly lost: (why: string) => void
  /** A line of its output that is no message. */
  readonly stray: (text: string) => void
}

/** Messages that may wait for it to read before it is given up. */
const most = 10_000
/** From so many on nothing more is asked of it. */
const many = 1_000

export function child(channel: Channel, on: ChildEvents): Child {
  let waiting = 0
  let over = false

  const lost = (why: string): void => {
    if (over) return
    over = true
    on.lost(why)
  }

  channel.open({
    frame: (frame) => {
      if (over) return
      if (frame._tag === "Garbled") return on.stray(frame.detail ?? `(not readable: ${frame.why})`)
      if (frame._tag !== "Text") return
      let json: unknown
      try {
        json = JSON.parse(frame.text)
      } catch {
        return on.stray(frame.text)
      }
      if (typeof json !== "object" || json === null) return on.stray(frame.text)
      return on.message(json, frame.text)
    },
    closed: (why) => lost(why._tag === "Gone" ? why.detail : "the server ended")
  })

  return {
    behind: () => waiting >= many,
    send: (json) => {
      if (over) return true
      let text: string
      try {
        text = JSON.stringify(json)
      } catch {
        return false
      }
      const room = channel.send({ message: json as Message, text, via: undefined, last: false })
      if (room === undefined) return true
      void room.then(() => waiting--)
      if (++waiting < most) return true
      lost(`the server did not read the last ${most} messages, and was ended`)
      void channel.close()
      return true
    },
    close: () => {
      over = true
      return channel.close()
    }
  }
}
