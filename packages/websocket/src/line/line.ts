/** What a channel needs of a socket, whichever platform's it is. */

export interface Line {
  /** Whether this side can send pings: a browser can not. */
  readonly pings: boolean
  /** Tells of all that comes, from now on. Called once. */
  listen(to: LineEvents): void
  /** Sends one text frame, where the line is still there. */
  send(text: string): void
  /** How much of what was sent the system has not taken yet, in bytes. */
  waiting(): number
  /** Stops reading, where the platform can; what is on its way comes all the same. */
  pause(): void
  resume(): void
  ping(): void
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
  /** The other side showed that it is there, by anything. */
  heard(): void
  /** The system took something of what waited. */
  moved(): void
  /** Nothing more comes; `detail` says why, to a person. May come more than once: the first counts. */
  ended(detail: string): void
  /** The connection is no more. Called once, last. */
  closed(): void
}
