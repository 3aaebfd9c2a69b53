/** What a channel needs of a socket, whichever platform's it is. */

export interface Line {
  /** Whether its silence says something. A browser can not send pings; until it is open nothing has to be asked. */
  readonly pings: boolean
  /** Tells of all that comes, from now on. Called once. */
  listen(to: LineEvents): void
  /** Sends one text frame, where the line is still there. */
  send(text: string): void
  /** How much of what was sent the system has not taken yet, in bytes. */
  waiting(): number
  /** Grows with each byte that comes, before a message is whole as well; does not where nobody can tell. */
  received(): number
  /** Changes with each byte that the system takes of a message, where `waiting` only does when it is gone as a whole. */
  held(): number
  /** Stops reading, where the platform can; what is on its way comes all the same. */
  pause(): void
  resume(): void
  ping(): void
  /** Whether the other side showed that it is there, by anything, since this was last asked. */
  heard(): boolean
  /** Nothing is under way: what can be made again is let go of. */
  rest(): void
  /** Begins the closing handshake, after what was sent. */
  close(code: number, reason: string): void
  /** Ends it at once, with whatever is on its way. */
  cut(): void
}

export interface LineEvents {
  /** A message came whole. */
  text(text: string): void
  /** What no message may be came: the line is to be closed with this code. */
  wrong(code: 1003 | 1009, what: string): void
  /** The system took something of what waited. */
  moved(): void
  /** Nothing more comes; `detail` says why, to a person. May come more than once: the first counts. */
  ended(detail: string): void
  /** The connection is no more. Called once, last. */
  closed(): void
}

/** A WebSocket's `readyState` when it is no more. */
export const CLOSED = 3

/** For a line that was gone before anybody listened: no event tells of it. In a moment, when whoever listens is ready for it. */
export function endedBefore(to: LineEvents): void {
  queueMicrotask(() => {
    to.ended("the connection was closed before it was served")
    to.closed()
  })
}
