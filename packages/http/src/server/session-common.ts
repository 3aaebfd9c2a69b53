/** What the sessions of one endpoint have in common, and what they say of each exchange. */
import type { ServerMachine } from "@parley/core/server"
import type { Host } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import type { Exchange } from "./exchange.js"
import type { Crowd } from "./session-crowd.js"
import type { Deadlines } from "./session-deadlines.js"
import type { Reading } from "./session-reader.js"

/** What the sessions of one endpoint have in common. */
export interface Common {
  readonly host: Host
  readonly machine: () => ServerMachine
  readonly reading: Reading
  readonly deadlines: Deadlines
  readonly now: () => number
  readonly crowd: Crowd
  readonly streamAfterMs: number
  readonly resumeMs: number
  /** How long a store may take for one thing. */
  readonly storeMs: number
  /** Whether somebody is told of what the protocol sees. */
  readonly reports: boolean
  /** Told of what the stores could not do. */
  readonly failed: (error: unknown) => void
  /** Names of streams begin with it: no two processes have the same. */
  readonly tag: string
  /** This process has no more to do with it: whoever knows of it forgets it. `ended`: and so does every other process. */
  readonly over: (session: { readonly id: string }, ended: boolean) => void
}

/** What came by one POST, while it is looked at. */
export interface Current {
  readonly via: string
  readonly exchange: Exchange
  readonly came: unknown
  readonly accepts: Accepted
  answered: boolean
}
