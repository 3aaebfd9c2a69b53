/** What the command is run in: streams, variables, signals. A test gives its own. */
import type { EventEmitter } from "node:events"
import type { Readable, Writable } from "node:stream"

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Emits `SIGINT` for Ctrl-C, and is made to when Ctrl-C is typed at a question. */
  readonly signals: Pick<EventEmitter, "on" | "off" | "emit">
  /** Leaves at once, for whoever does not want to wait. */
  readonly exit: (code: number) => void
  /** This program's own. */
  readonly version: string
}

/** Whether there is somebody who can answer questions: they are put on stderr, and stdout stays for the result. */
export const attended = ({ stdin, stderr }: Terminal): boolean => stdin.isTTY === true && stderr.isTTY === true
