/** Reports as lines for people: who connected, which version is in force, what was refused and why. */
import type { JsonObject, Peer, Report } from "@parley/core"
import { errorOf } from "@parley/core"

/** One conversation with one client. */
export interface Session {
  /** The sessions of this process are numbered from 1 on. */
  readonly number: number
  /**
   * The client: whose request it is about; for what is about none, who opened the session, or where nobody did, whoever asked last
   * (since 2026-07-28 every request says who asks).
   */
  readonly peer: Peer | undefined
}

/**
 * Makes one readable line of each report. On stdio, write them to stderr: stdout is the protocol's.
 *
 * ```ts
 * import { logger } from "@parley/server"
 *
 * const lines: Array<string> = []
 * const report = logger((line) => lines.push(line))
 * report({ _tag: "Ignored", method: "notifications/x", id: undefined, why: "no such notification" }, { number: 1, peer: undefined })
 * lines // => ["session 1: ignored notifications/x: no such notification"]
 * ```
 */
export const logger =
  (write: (line: string) => void) =>
  (report: Report, session: Session): void =>
    write(`session ${session.number}: ${inWords(report)}`)

function inWords(report: Report): string {
  switch (report._tag) {
    case "Agreed":
      return agreed(report)
    case "Refused": {
      const { code, message } = errorOf(report.failure)
      const what = report.method === undefined ? "a message" : shown(report.method)
      return `refused ${what}${numbered(report.id)}: ${shown(message)} (${code})`
    }
    case "Ignored":
      return `ignored ${report.method === undefined ? "a message" : shown(report.method)}${numbered(report.id)}: ${shown(report.why)}`
    case "Cancelled":
      return `${shown(report.method)}${numbered(report.id)} was cancelled${report.reason === undefined ? "" : `: ${shown(report.reason)}`}`
    case "Unsendable":
      return `could not send what ${shown(report.method)} came to: ${shown(report.why)}`
  }
}

function agreed({ asked, peer, wrong }: Extract<Report, { readonly _tag: "Agreed" }>): string {
  const client = peer.info === undefined ? "a client without a name" : named(peer.info)
  const version =
    asked === peer.revision
      ? `${client} speaks ${peer.revision}`
      : `version mismatch: ${client} asked for ${shown(asked)}, was offered ${peer.revision}`
  const able = Object.keys(peer.capabilities).map(shown).join(", ")
  const declared = able === "" ? "it declares nothing" : `it declares ${able}`
  return [version, declared, ...wrong.map((name) => `${shown(name)} was not understood`)].join("; ")
}

const named = ({ name, version }: JsonObject): string => shown(`${String(name)} ${String(version)}`)

const numbered = (id: string | number | undefined): string =>
  id === undefined ? "" : ` (id ${shown(JSON.stringify(id))})`

/** A peer's own words: without anything that would end the line or colour the terminal, and not too many. */
const shown = (text: string): string => {
  const plain = text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (odd) => `\\u${odd.codePointAt(0)!.toString(16).padStart(4, "0")}`
  )
  return plain.length <= 300 ? plain : `${plain.slice(0, 300)}...`
}
