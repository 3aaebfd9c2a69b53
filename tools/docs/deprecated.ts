/** What the specification means to take out one day, by the capability that a row needs, and what to do instead. */
import type { RevisionName, Row } from "@parley/core"

export interface Deprecated {
  readonly needs: string
  readonly title: string
  readonly since: RevisionName
  readonly instead: string
}

// 2026-07-28 deprecated.
export const deprecated: ReadonlyArray<Deprecated> = [
  {
    needs: "client.roots",
    title: "roots",
    since: "2026-07-28",
    instead: "take folders and files as arguments, as resources, or from the server's own settings"
  },
  {
    needs: "client.sampling",
    title: "sampling",
    since: "2026-07-28",
    instead: "let the server call a model's provider itself"
  },
  {
    needs: "server.logging",
    title: "logging",
    since: "2026-07-28",
    instead: "write to standard error, or trace with OpenTelemetry"
  }
]

/** Since when what the row needs is deprecated, if it is. */
export const deprecatedSince = ({ needs }: Row): RevisionName | undefined =>
  deprecated.find((one) => needs === one.needs || needs?.startsWith(`${one.needs}.`) === true)?.since
