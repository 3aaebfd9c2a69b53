/** Files shown in Markdown: the fence behind a line `<!-- file: examples/calculator/client.mjs -->` holds what the file holds. */

/** The same text with every such fence as its file is now; one that is missing is added. */
export function included(markdown: string, read: (path: string) => string): string {
  return markdown.replace(marked, (_, path: string) => {
    const text = read(path).trimEnd()
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
    return `<!-- file: ${path} -->\n\n${fence}${languageOf(path)}\n${text}\n${fence}\n`
  })
}

/** With the fence behind it, when there is one already. */
const marked = /^<!-- file: (\S+) -->\n(?:\n*(`{3,}).*\n(?:[^]*?\n)?\2(?:\n|$(?![^])))?/gm

/** Never `ts`: fences of that name are run as examples by themselves, and these files are run by tests of their own. */
const languageOf = (path: string): string => {
  const ending = path.slice(path.lastIndexOf(".") + 1)
  return { mjs: "js", ts: "tsx" }[ending] ?? ending
}
