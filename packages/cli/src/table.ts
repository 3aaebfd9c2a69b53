/** Columns of text within a width: the last one takes what is left, and stands below where too little is left. */
import { cap, clip, pad, shorten, widthOf, wrap } from "./layout.js"

export interface Cell {
  readonly text: string
  readonly paint: (text: string) => string
}

export interface Limits {
  readonly width: number
  readonly indent: number
  /** For each column but the last, its greatest width. */
  readonly widest: ReadonlyArray<number>
  /** Lines of the last column. */
  readonly lines: number
}

const GAP = 2
const READABLE = 24
const NARROW = 8

export function table(rows: ReadonlyArray<ReadonlyArray<Cell>>, limits: Limits): ReadonlyArray<string> {
  const { indent, widest } = limits
  const columns = widest.map((most, at) => Math.min(most, Math.max(0, ...rows.map((row) => widthOf(row[at]!.text)))))
  const sum = (): number => indent + columns.reduce((sum, wide) => sum + (wide === 0 ? 0 : wide + GAP), 0)
  // The widest gives way first.
  while (sum() - GAP > limits.width && Math.max(...columns) > NARROW) columns[columns.indexOf(Math.max(...columns))]!--
  const taken = sum()
  const left = limits.width - taken
  const below = left < READABLE
  return rows.flatMap((row) => {
    const last = row[widest.length]!
    const cells = widest.map((_, at) => {
      const { text, paint } = row[at]!
      return clip(wrap(text, columns[at]!), 4, columns[at]!).map((part) => ({
        width: columns[at]!,
        text: shorten(part, columns[at]!),
        paint
      }))
    })
    const room = below ? limits.width - indent - 4 : left
    const words = last.text === "" ? [] : cap(wrap(last.text, room), limits.lines)
    const height = Math.max(1, ...cells.map((cell) => cell.length), below ? 1 : words.length)
    const lines = Array.from({ length: height }, (_, at) => {
      const parts = cells.flatMap((cell, column) => {
        if (columns[column] === 0) return []
        const part = cell[at]
        if (part === undefined) return [" ".repeat(columns[column]! + GAP)]
        return [part.paint(part.text) + pad("", columns[column]! + GAP - widthOf(part.text))]
      })
      const word = below ? "" : (words[at] ?? "")
      return trimmed(" ".repeat(indent) + parts.join("") + (word === "" ? "" : last.paint(word)))
    })
    return below ? [...lines, ...words.map((word) => " ".repeat(indent + 4) + last.paint(word))] : lines
  })
}

const trimmed = (text: string): string => text.replace(/ +$/, "")
