/** Generated tables in pages written by hand: what stands behind a line `<!-- table: NAME -->` is the table of that name. */
import { handshakeRevisions } from "@parley/core/revisions"
import { capabilitiesTable } from "./capabilities.ts"

/** Every table that a page may ask for, by name. */
export function tables(): ReadonlyMap<string, string> {
  const oldestFirst = [...handshakeRevisions].reverse()
  return new Map([
    ["server capabilities", capabilitiesTable(oldestFirst, "server")],
    ["client capabilities", capabilitiesTable(oldestFirst, "client")]
  ])
}

/** The same text with every such table as it is now; one that is missing is added. */
export const tabled = (markdown: string, tableOf: (name: string) => string): string =>
  markdown.replace(marked, (_, name: string) => `<!-- table: ${name} -->\n\n${tableOf(name).trimEnd()}\n`)

/** With the table behind it, when there is one already. */
const marked = /^<!-- table: (.+) -->\n(?:\n*\|.*(?:\n\|.*)*(?:\n|$(?![^])))?/gm
