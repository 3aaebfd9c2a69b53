/** Waits for a line on another process's stderr: events in place of sleeps. */
import type { Stream } from "node:stream"

export interface Heard {
  /** Resolves with the first line that begins so, whether it came already or comes later. */
  readonly line: (start: string) => Promise<string>
}

export function hears(stderr: Stream | null): Heard {
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  let rest = ""
  stderr?.on("data", (chunk: Uint8Array) => {
    const parts = (rest + Buffer.from(chunk).toString("utf8")).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    for (const look of waiting) look()
  })
  return {
    line: (start) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((line) => line.startsWith(start))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
  }
}
