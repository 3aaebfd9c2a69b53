/** What a client is told unasked while it does not read: one of each kind, told when it reads again, and so many logs. */
import type { Family, LoggingLevel, Message } from "@parley/core"
import { told } from "@parley/core"
import type { Input } from "@parley/core/server"
import { newest } from "./declared.js"

export interface Sparing {
  /** Whether this is left out for now. */
  readonly spare: (message: Message) => boolean
  /** There is room again. */
  readonly eased: () => void
}

/** Characters of log messages that may wait for a client: a burst is not lost on one that reads. */
const most = 4 * 1024 * 1024

/** What was left out is fed again, so that the client hears of nothing that it does not want any more. */
export function sparing(feed: (input: Input) => void): Sparing {
  let changed = new Set<Family>()
  let updated = new Set<string>()
  let logged = 0
  let lost: { count: number; level: LoggingLevel } | undefined

  function spare(message: Message): boolean {
    if (!("method" in message)) return false
    const { method, params } = message
    const [, about, what] = method.split("/")
    if (what === "list_changed") return !!changed.add(about as Family)
    if (what === "updated") return !!updated.add(params!["uri"] as string)
    if (about !== "message") return false
    logged += JSON.stringify(params).length
    if (logged <= most) return false
    lost = { count: (lost?.count ?? 0) + 1, level: params!["level"] as LoggingLevel }
    return true
  }

  function eased(): void {
    const [families, uris, left] = [changed, updated, lost]
    changed = new Set()
    updated = new Set()
    logged = 0
    lost = undefined
    // While there is surely room for it. Its level is one that the client wants to hear.
    if (left !== undefined)
      feed({ _tag: "Logged", level: left.level, data: `${left.count} log messages were left out: nobody read them` })
    if (families.size > 0) feed({ _tag: "Changed", families: [...families] })
    for (const uri of uris) feed({ _tag: "Updated", uri })
  }

  return { spare, eased }
}

/** Why a log message of that level is none, when it is none. */
export function levelRefused(level: unknown): string | undefined {
  const problem = newest.server["notifications/message"]!.params({ level, data: null })
  return problem && told(problem)
}
