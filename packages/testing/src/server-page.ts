/** The pages of a server's ledger while they are written: all that was entered so far, and how to find it. */
import type { Definition, RequestId, RevisionName } from "@parley/core"
import type { Call } from "@parley/core/server"
import { askerOf } from "./asker.js"
import type { Read } from "./envelope.js"
import type { BatchEntry, Entry, Ledger, Moment, Reply, SealEntry, Spoken } from "./ledger.js"
import { isLive, isOpenStream } from "./ledger.js"
import type { ServerStep } from "./run.js"

export type InputOf<Tag extends ServerStep["input"]["_tag"]> = Extract<ServerStep["input"], { _tag: Tag }>
export type OutputOf<Tag extends ServerStep["outputs"][number]["_tag"]> = Extract<
  ServerStep["outputs"][number],
  { _tag: Tag }
>

export class Page implements Ledger {
  readonly entries: Array<Entry> = []
  readonly strays: Array<Reply> = []
  readonly spoken: Array<Spoken> = []
  readonly seals: Array<SealEntry> = []
  readonly orphans: Array<{ readonly at: number; readonly call: number }> = []
  readonly strayed: Array<{ readonly at: number; readonly entry: Entry }> = []
  readonly batches: Array<BatchEntry> = []
  readonly discovered: Array<Ledger["discovered"][number]> = []
  opened: Ledger["opened"]
  closedAt: number | undefined
  readonly moments: Array<Moment> = []
  stoppingAt: number | undefined
  silentAt: number | undefined
  moment: Moment = "unopened"
  /** Requests with a handler that are not answered, and streams that are open. */
  live: Array<Entry> = []
  definition: Definition

  constructor(definition: Definition) {
    this.definition = definition
  }

  /** A message that may be answered. */
  add(read: Read, from: Origin, at: number, batch?: BatchEntry): Entry {
    const asker =
      read.kind === "request" ? askerOf(this.definition, read, from.header, this.opened !== undefined) : undefined
    const entry: Entry = {
      read,
      at,
      via: from.via,
      batch,
      moment: asker === undefined ? this.moment : "ready",
      revision: asker === undefined ? this.revision() : asker.revision,
      asker,
      client: asker === undefined ? this.opened?.client : asker.client,
      principal: from.principal,
      definition: this.definition,
      inUse: read.id !== undefined && this.isInUse(read.id),
      stopping: this.stoppingAt !== undefined,
      crowd: this.live.filter(isLive).length,
      replies: [],
      runs: [],
      asks: [],
      pauses: []
    }
    this.entries.push(entry)
    batch?.members.push(entry)
    return entry
  }

  /** By a request whose handler runs, by a stream, or by a request whose reply waits for the rest of its batch. */
  isInUse(id: RequestId): boolean {
    const same = (other: Entry): boolean => other.read.id === id && !other.inUse
    return (
      this.live.some((other) => same(other) && (isLive(other) || isOpenStream(other))) ||
      this.batches.some(
        ({ members, sentAt }) =>
          sentAt === undefined && members.some((other) => same(other) && other.cancelledAt === undefined)
      )
    )
  }

  /** The request that a handler's word is about. */
  about({ call, id }: { readonly call: Call; readonly id: RequestId }): Entry | undefined {
    return this.live.find((entry) => entry.call === call && entry.read.id === id && isLive(entry))
  }

  /** The session's, once there is one. */
  revision(): RevisionName | undefined {
    return this.opened?.result["protocolVersion"] as RevisionName | undefined
  }
}

/** How a message came. */
export interface Origin {
  readonly via: string
  readonly principal?: string | undefined
  readonly header?: string | undefined
}
