/** One server process and one pair of pipes that several clients, written by hand, share. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Heard } from "./hears.js"
import { hears } from "./hears.js"
import type { Wire } from "./recorded.js"

export interface OnePipe {
  /** Writes all of them in one go. */
  readonly send: (...messages: ReadonlyArray<object>) => void
  /** Resolves with the reply to that id, whether it came already or comes later. A request's id may be used again after its reply. */
  readonly reply: (id: string | number) => Promise<Wire>
  /** Resolves with the first message that came since `mark` and fits. */
  readonly told: (fits: (message: Wire) => boolean) => Promise<Wire>
  /** Everything the server has said since `mark`. */
  readonly said: () => ReadonlyArray<Wire>
  readonly mark: () => void
  readonly stderr: Heard
  /** Ends the server's input and resolves with all that it said, once it is gone. */
  readonly close: () => Promise<ReadonlyArray<Wire>>
}

export function onePipe(path: string, env: Readonly<Record<string, string>> = {}): OnePipe {
  const child = spawn(process.execPath, [path], { env, stdio: "pipe" })
  const gone = once(child, "close")
  const said: Array<Wire> = []
  const waiting = new Set<() => void>()
  let from = 0
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(JSON.parse(line))
    for (const look of waiting) look()
  })
  const found = (fits: (message: Wire) => boolean): Promise<Wire> =>
    new Promise((resolve) => {
      const look = (): void => {
        const message = said.slice(from).find(fits)
        if (message === undefined) return
        waiting.delete(look)
        resolve(message)
      }
      waiting.add(look)
      look()
    })
  return {
    send: (...messages) => void child.stdin.write(messages.map((one) => `${JSON.stringify(one)}\n`).join("")),
    reply: (id) => found((message) => message.id === id && message.method === undefined),
    told: found,
    said: () => said.slice(from),
    mark: () => void (from = said.length),
    stderr: hears(child.stderr),
    close: async () => {
      child.stdin.end()
      await gone
      return said
    }
  }
}

export const request = (id: string | number, method: string, params?: object): object => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params })
})
export const notification = (method: string, params?: object): object => ({
  jsonrpc: "2.0",
  method,
  ...(params && { params })
})

/** Params with a whole envelope of 2026-07-28. */
export const modern = (params: object = {}, capabilities: object = {}, meta: object = {}): object => ({
  ...params,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1.0.0" },
    ...meta
  }
})

export const initialize = (id: string | number, capabilities: object = {}, protocolVersion = "2025-11-25"): object =>
  request(id, "initialize", { protocolVersion, capabilities, clientInfo: { name: "legacy", version: "1.0.0" } })
