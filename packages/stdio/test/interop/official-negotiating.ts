/** The second official client, in each of its ways of agreeing on a version, started with a server whose wire is recorded. */
import type { ClientOptions } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { Heard } from "./hears.js"
import { hears } from "./hears.js"
import type { Recording } from "./recorded.js"
import { recorded } from "./recorded.js"

export const auto: ClientOptions = { versionNegotiation: { mode: "auto" } }
export const pinned: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } }
export const legacy: ClientOptions = { versionNegotiation: { mode: "legacy" } }

export const ways: ReadonlyArray<readonly [name: string, options: ClientOptions]> = [
  ["auto", auto],
  ["pinned to 2026-07-28", pinned]
]

export interface Negotiating {
  readonly client: Client
  readonly recording: Recording
  readonly stderr: Heard
  /** Settles when the two have agreed; rejects when they do not. */
  readonly agreed: Promise<void>
}

export function negotiating(server: string, eras: "legacy" | "modern" | "dual", options: ClientOptions): Negotiating {
  const recording = recorded(server)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...recording.args],
    env: { ERAS: eras },
    stderr: "pipe"
  })
  const stderr = hears(transport.stderr)
  const client = new Client({ name: "official", version: "1.0.0" }, { capabilities: { elicitation: {} }, ...options })
  return { client, recording, stderr, agreed: client.connect(transport) }
}
