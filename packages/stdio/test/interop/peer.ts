/** An official server of the npm registry as a child process, and our client that talks to it. */
import type { Report } from "@parley/core"
import type { Client, ConnectOptions, TellingRoots } from "@parley/client"
import { connect } from "@parley/client"
import { tap } from "@parley/driver"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { command } from "../../src/command.js"

export interface Talk {
  readonly client: Client
  readonly sent: ReadonlyArray<{ readonly method?: string; readonly id?: unknown; readonly result?: unknown }>
  readonly reports: ReadonlyArray<Report>
  /** Tells the server that the roots changed, where that was promised. */
  readonly rootsChanged: () => void
  /** Resolves with the first notification of that method, whether it came already or comes later. */
  readonly told: (method: string, fits?: (params: never) => boolean) => Promise<unknown>
}

export interface TalkOptions extends Partial<ConnectOptions> {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** Every server that was started by `talk` and not closed. */
const open = new Set<Client>()

export async function talk(name: string, { args = [], env, ...options }: TalkOptions = {}): Promise<Talk> {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)
  const sent: Array<Talk["sent"][number]> = []
  const reports: Array<Report> = []
  const heard: Array<readonly [method: string, params: unknown]> = []
  const waiting = new Set<() => void>()
  const server = command(process.execPath, [join(dirname(manifest), "dist", "index.js"), ...args], {
    stderr: "pipe",
    // Some of them do not leave at the end of their input.
    graceMs: 50,
    ...(env && { env })
  })
  const client = await connect(tap(server, { sent: (message) => sent.push(message as Talk["sent"][number]) }), {
    clientInfo: { name: "parley", version: "1.0.0" },
    report: (report) => reports.push(report),
    onNotification: (method, params) => {
      heard.push([method, params])
      for (const look of waiting) look()
    },
    ...options
  })
  open.add(client)
  const told: Talk["told"] = (method, fits = () => true) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find(([one, params]) => one === method && fits(params as never))
        if (found === undefined) return
        waiting.delete(look)
        resolve(found[1])
      }
      waiting.add(look)
      look()
    })
  const rootsChanged = (): void => (client as Client & Partial<TellingRoots>).rootsChanged?.()
  return { client, sent, reports, told, rootsChanged }
}

export async function closeAll(): Promise<void> {
  await Promise.all([...open].map((client) => client.close()))
  open.clear()
}

/** The text of a result's blocks. */
export const textOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n")
