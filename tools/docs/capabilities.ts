/** The table of the capabilities: what each lets either side send, read from the revisions' rows. */
import type { Revision, Row } from "@parley/core"
import { code, table } from "./markdown.ts"
import { span } from "./methods.ts"

/** Those that `party` declares, in the order of the newest revision. */
export function capabilitiesTable(oldestFirst: ReadonlyArray<Revision>, party: "client" | "server"): string {
  const names = oldestFirst.map(({ name }) => name)
  const found = new Map<string, Capability>()
  for (const revision of oldestFirst.toReversed())
    for (const from of ["client", "server"] as const)
      for (const [method, row] of Object.entries(revision[from]))
        for (const [needs, words] of needsOf(method, row)) {
          if (!needs.startsWith(`${party}.`)) continue
          const path = needs.slice(party.length + 1)
          const one = found.get(path) ?? { client: new Set(), server: new Set(), where: new Set() }
          found.set(path, one)
          one[from].add(words)
          one.where.add(revision.name)
        }
  return table(
    ["capability", "the client may send", "the server may send", ""],
    ordered([...found.keys()]).map((path) => {
      const { client, server, where } = found.get(path)!
      const those = names.filter((name) => where.has(name))
      return [code(path), joined(client), joined(server), those.length === names.length ? "" : span(those, names)]
    })
  )
}

interface Capability {
  readonly client: Set<string>
  readonly server: Set<string>
  /** The revisions in which something needs it. */
  readonly where: Set<string>
}

function needsOf(method: string, row: Row): ReadonlyArray<readonly [needs: string, words: string]> {
  const words = row.kind === "notification" ? `*${code(method)}*` : code(method)
  const own = row.needs === undefined ? [] : [[row.needs, words] as const]
  return row.kind === "request" && row.task !== undefined ? [...own, [row.task.needs, `${words} as a task`]] : own
}

/** What belongs to one capability stands together, itself first. */
const ordered = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const heads = [...new Set(paths.map(headOf))]
  return heads.flatMap((head) => paths.filter((path) => headOf(path) === head).toSorted(byDepth))
}

const headOf = (path: string): string => path.split(".")[0]!
const byDepth = (a: string, b: string): number => a.split(".").length - b.split(".").length
const joined = (words: Iterable<string>): string => [...words].join(", ")
