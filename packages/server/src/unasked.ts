/** What a client is told unasked while it does not read: one of each kind, told when it reads again, and so many logs. */
import type { Family, JsonObject, LoggingLevel, Message } from "@parley/core"
import { member, told } from "@parley/core"
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
  let others = new Map<string, Extract<Input, { readonly _tag: "Notified" }>>()
  let logged = 0
  let lost: { count: number; level: LoggingLevel } | undefined

  function spare(message: Message): boolean {
    if (!("method" in message)) return false
    const { method, params } = message
    const [, about, what] = method.split("/")
    if (!(method in newest.server)) return isTold(params) && kept(method, params)
    if (what === "list_changed") return !!changed.add(about as Family)
    if (method === "notifications/resources/updated") return !!updated.add(params!["uri"] as string)
    if (about !== "message") return false
    logged += JSON.stringify(params).length
    if (logged <= most) return false
    lost = { count: (lost?.count ?? 0) + 1, level: params!["level"] as LoggingLevel }
    return true
  }

  /** What an extension tells on several streams is told once more, on all of them. */
  function kept(method: string, { _meta, ...params }: JsonObject): true {
    others.set(JSON.stringify([method, params]), { _tag: "Notified", method, params })
    if (others.size > 1_000) others.delete(others.keys().next().value!)
    return true
  }

  function eased(): void {
    const [families, uris, told, left] = [changed, updated, others, lost]
    changed = new Set()
    updated = new Set()
    others = new Map()
    logged = 0
    lost = undefined
    // While there is surely room for it. Its level is one that the client wants to hear.
    if (left !== undefined)
      feed({ _tag: "Logged", level: left.level, data: `${left.count} log messages were left out: nobody read them` })
    if (families.size > 0) feed({ _tag: "Changed", families: [...families] })
    for (const uri of uris) feed({ _tag: "Updated", uri })
    for (const one of told.values()) feed(one)
  }

  return { spare, eased }
}

/** Whether it goes to a stream: what is no notification of the specification's is an extension's then. */
const isTold = (params: JsonObject | undefined): params is JsonObject =>
  member(params?.["_meta"], "io.modelcontextprotocol/subscriptionId") !== undefined

/** Why a log message of that level is none, when it is none. */
export function levelRefused(level: unknown): string | undefined {
  const problem = newest.server["notifications/message"]!.params({ level, data: null })
  return problem && told(problem)
}
