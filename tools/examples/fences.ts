/** Finds the TypeScript examples of a text: fences in Markdown, and fences inside the docstrings of a source file. */

export interface Fence {
  readonly line: number
  readonly code: string
  /** False when it is tagged `no-run`, or would take over this process's standard streams. */
  readonly runs: boolean
}

export const fencesOfMarkdown = (text: string): ReadonlyArray<Fence> => collect(text.split("\n"), 1)

export function fencesOfSource(text: string): ReadonlyArray<Fence> {
  const fences: Array<Fence> = []
  for (const match of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const first = text.slice(0, match.index).split("\n").length
    const lines = match[0].split("\n").map((line) => line.replace(/^\s*\*(?!\/) ?/, ""))
    fences.push(...collect(lines, first))
  }
  return fences
}

/** A fence tagged `continued` starts with all that the fences before it, back to an untagged one, have said. */
function collect(lines: ReadonlyArray<string>, first: number): ReadonlyArray<Fence> {
  const fences: Array<Fence> = []
  let open: { indent: string; line: number; tags: ReadonlyArray<string>; body: Array<string> } | undefined
  for (const [index, text] of lines.entries()) {
    const mark = /^(\s*)```\s*(.*)$/.exec(text)
    if (open !== undefined && mark !== null) {
      const { line, tags, body } = open
      if (tags[0] === "ts" || tags[0] === "typescript") {
        const before = tags.includes("continued") ? (fences.at(-1)?.code ?? "") : ""
        const code = before + body.join("\n") + "\n"
        fences.push({ line, code, runs: !tags.includes("no-run") && !/\bstdio\(/.test(code) })
      }
      open = undefined
    } else if (mark !== null) {
      open = { indent: mark[1]!, line: first + index, tags: mark[2]!.split(/\s+/), body: [] }
    } else if (open !== undefined) {
      open.body.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text)
    }
  }
  return fences
}
