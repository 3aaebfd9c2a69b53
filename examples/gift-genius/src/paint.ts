/** How the conversation looks: JSON that is laid out but short, colours where there is a terminal, and nothing that needs either. */
import { styleText } from "node:util"

export type Style = Parameters<typeof styleText>[0]

export interface Screen {
  readonly width: number
  readonly style: (style: Style, text: string) => string
  readonly line: (text?: string) => void
}

export function screen(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen {
  const coloured = out.isTTY && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb"
  return {
    width: Math.min(Math.max(out.columns ?? 100, 60), 120),
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    line: (text = "") => void out.write(`${text}\n`)
  }
}

/** On one line while it fits into `width`, else one member a line, as deep as needed. */
export function json(value: unknown, width: number): ReadonlyArray<string> {
  const short = inline(value)
  if (short.length <= width || typeof value !== "object" || value === null) return [short]
  const isArray = Array.isArray(value)
  const members = Object.entries(value).map(([key, member]) => {
    const [first = "", ...rest] = json(member, width - 2)
    return [isArray ? first : `${JSON.stringify(key)}: ${first}`, ...rest]
  })
  const lines = members.flatMap((member, i) =>
    member.map((line, j) => `  ${line}${j === member.length - 1 && i < members.length - 1 ? "," : ""}`)
  )
  return isArray ? ["[", ...lines, "]"] : ["{", ...lines, "}"]
}

/** Cut to `width`, saying how long it is when it was longer. */
export function cut(value: unknown, width: number): string {
  const text = inline(value)
  if (text.length <= width) return text
  const end = ` ... (${text.length} characters)`
  return text.slice(0, Math.max(0, width - end.length)) + end
}

function inline(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** `words` in lines of at most `width`; a longer word gets a line of its own. */
export function wrapped(words: string, width: number): ReadonlyArray<string> {
  const lines: Array<string> = []
  let line = ""
  for (const word of words.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ""
    }
    line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}
