/** What went over the pipes of every process that was started under a recorder, read back as it was written. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture } from "../pairs.js"

// oxlint-disable-next-line typescript/no-explicit-any -- what went over the wire is looked at as it is
export type Wire = any

interface Entry {
  readonly process: number
  readonly from: "client" | "server" | "recorder"
  readonly text: string
}

export interface Recording {
  /** What plain node is started with to run the program under the recorder. */
  readonly args: ReadonlyArray<string>
  /** How many processes were started. */
  readonly starts: () => number
  /** What the side has written so far, of the process that was started as that one; of the last one when no number is given. */
  readonly said: (from: "client" | "server", start?: number) => ReadonlyArray<Wire>
  readonly remove: () => void
}

export function recorded(...program: ReadonlyArray<string>): Recording {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  const file = join(folder, "wire")
  const entries = (): ReadonlyArray<Entry> =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Entry)
      : []
  const started = (): ReadonlyArray<number> =>
    entries().flatMap(({ from, process }) => (from === "recorder" ? [process] : []))
  return {
    args: [fixture("recorder.mjs"), file, ...program],
    starts: () => started().length,
    said: (from, start) => {
      const process = started().at(start ?? -1)
      return entries().flatMap((entry) =>
        entry.process === process && entry.from === from ? [JSON.parse(entry.text)] : []
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** The request of that method that was sent last, with its reply. */
export function exchange(recording: Recording, method: string, start?: number): { request: Wire; reply: Wire } {
  const request = recording.said("client", start).findLast((message) => message.method === method)
  const reply = recording.said("server", start).find((message) => message.id === request?.id && !("method" in message))
  return { request, reply }
}
