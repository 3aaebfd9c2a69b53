/** The last lines a server wrote to stderr, kept for the moment it dies. */

export interface LastWords {
  push(chunk: string): void
  /** At most 20 lines and some 8 KiB, oldest first, without anything that a terminal would obey or a reader can not see. */
  lines(): ReadonlyArray<string>
}

/** Each completed line is also told to `line`; the text after the last line end counts as a line in `lines`. */
export function lastWords(line: (text: string) => void): LastWords {
  let kept: Array<string> = []
  let open = ""

  const keep = (text: string): void => {
    line(text)
    const seen = visible(text)
    if (seen === "") return
    kept.push(shorten(seen))
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
      const seen = visible(open)
      const all = seen === "" ? kept : [...kept, shorten(seen)]
      return all.slice(-LINES)
    }
  }
}

const visible = (text: string): string =>
  text.replace(sequences, "").replace(controls, " ").replace(unseen, "").trimEnd()

/** Terminal sequences as a whole, so that no remains of them are left between the words. */
const sequences =
  // eslint-disable-next-line no-control-regex -- finding them is the purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g

const controls = /[^\P{Cc}\t]/gu

/** Direction overrides, line separators, invisible marks and tags; the joiner of emoji stays. */
const unseen =
  /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

const shorten = (text: string): string => (text.length > WIDTH ? text.slice(0, WIDTH) + "..." : text)

const LINES = 20
const WIDTH = 400
const OPEN = 64 * 1024
