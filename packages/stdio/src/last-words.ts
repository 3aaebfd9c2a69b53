/** The last lines a server wrote to stderr, kept for the moment it dies. */

export interface LastWords {
  push(chunk: string): void
  /** At most 20 lines and some 8 KiB, oldest first. */
  lines(): ReadonlyArray<string>
}

/** Each completed line is also told to `line`; the text after the last line end counts as a line in `lines`. */
export function lastWords(line: (text: string) => void): LastWords {
  let kept: Array<string> = []
  let open = ""

  const keep = (text: string): void => {
    line(text)
    if (text.trim() === "") return
    kept.push(shorten(text))
    if (kept.length > LINES) kept.shift()
  }

  return {
    push(chunk) {
      const parts = chunk.split(/\r?\n/)
      parts[0] = open + (parts[0] ?? "")
      open = parts.pop() ?? ""
      for (const part of parts) keep(part)
      // A line without end is not collected for ever.
      if (open.length > OPEN) {
        keep(open)
        open = ""
      }
    },
    lines() {
      const all = open.trim() === "" ? kept : [...kept, shorten(open)]
      return all.slice(-LINES)
    }
  }
}

const shorten = (text: string): string => (text.length > WIDTH ? text.slice(0, WIDTH) + "..." : text)

const LINES = 20
const WIDTH = 400
const OPEN = 64 * 1024
