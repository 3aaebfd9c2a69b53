/** Fits text into columns of a terminal: measured, cut, wrapped and filled up, by what one sees and not by code units. */
import stringWidth from "fast-string-width"

/** How many columns it takes. */
export const widthOf = (text: string): number => stringWidth(text)

/** At most so wide; what is cut off is told by an ellipsis. */
export function shorten(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text
  return `${head(text, width - 1)}…`
}

export const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)))

/** Lines of at most that width, broken between words where possible. What is indented stays indented. */
export function wrap(text: string, width: number): ReadonlyArray<string> {
  return text.split("\n").flatMap((paragraph) => wrapped(paragraph.trimEnd(), Math.max(width, 8)))
}

/** At most `most` lines; the last then says how many more there are. */
export function cap(lines: ReadonlyArray<string>, most: number): ReadonlyArray<string> {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines, shown with --full`]
}

/** At most `most` lines of that width; an ellipsis ends the last where there were more. */
export function clip(lines: ReadonlyArray<string>, most: number, width: number): ReadonlyArray<string> {
  if (lines.length <= most) return lines
  const last = shorten(lines[most - 1]!, width - 1)
  return [...lines.slice(0, most - 1), last.endsWith("…") ? last : `${last}…`]
}

/** A text and its colour. */
export interface Part {
  readonly text: string
  readonly paint: (text: string) => string
}

/** Parts beside each other, on as many lines as that takes. */
export function flow(parts: ReadonlyArray<Part>, gap: string, width: number): ReadonlyArray<string> {
  const lines: Array<string> = []
  let used = 0
  for (const { text, paint } of parts) {
    const short = shorten(text, width)
    const wide = widthOf(short)
    const beside = lines.length > 0 && used + gap.length + wide <= width
    if (beside) lines.push(lines.pop()! + gap + paint(short))
    else lines.push(paint(short))
    used = beside ? used + gap.length + wide : wide
  }
  return lines
}

function wrapped(paragraph: string, width: number): ReadonlyArray<string> {
  if (widthOf(paragraph) <= width) return [paragraph]
  const indent = /^ {0,12}(?:[-*•] |\d{1,2}[.)] )?/.exec(paragraph)![0].length
  const hang = " ".repeat(Math.min(indent, Math.floor(width / 3)))
  const lines: Array<string> = []
  let open = ""
  for (const word of paragraph.split(/(?<=\S) +/)) {
    // A longer one is not measured each time: it may be a megabyte.
    if (open !== "" && word.length < 2 * width && widthOf(`${open} ${word}`) <= width) {
      open = `${open} ${word}`
      continue
    }
    if (open !== "") lines.push(open)
    const before = lines.length === 0 ? "" : hang
    const pieces = broken(word, width - before.length)
    for (const piece of pieces.slice(0, -1)) lines.push(before + piece)
    open = before + pieces.at(-1)!
  }
  return open.trim() === "" ? lines : [...lines, open]
}

/** One word in pieces that are no wider. */
function broken(word: string, width: number): ReadonlyArray<string> {
  if (word.length <= width && widthOf(word) <= width) return [word]
  const pieces: Array<string> = []
  let open = ""
  let used = 0
  for (const { segment } of characters(word)) {
    const wide = widthOf(segment)
    if (used + wide > width && open !== "") {
      pieces.push(open)
      open = ""
      used = 0
    }
    open += segment
    used += wide
  }
  return [...pieces, open]
}

/** The longest beginning of whole characters that is no wider; at least one character. */
function head(text: string, width: number): string {
  let taken = ""
  let used = 0
  for (const { segment } of characters(text)) {
    const wide = widthOf(segment)
    if (used + wide > width && taken !== "") break
    taken += segment
    used += wide
    if (used >= width) break
  }
  return taken
}

/** A segmenter takes time by the square of a text's length, so a long one is looked at in portions. */
function* characters(text: string): Generator<{ readonly segment: string }, void, undefined> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + PORTION, text.length)
    // Not between the halves of a pair.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end--
    yield* graphemes.segment(text.slice(at, end))
  }
}

const PORTION = 512

const graphemes = new Intl.Segmenter()
