/** A server by hand: answers as it is told to, and keeps everything that it was sent. */
import type { Channel } from "@parley/driver"
import { link } from "@parley/driver"

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages as they came
type Heard = any

/** A result, or `{ error }` for an error, or nothing for silence. */
export type Answer = (params: Heard, id: number) => object | undefined | void

export interface Hand {
  readonly channel: Channel
  readonly heard: Array<Heard>
  readonly gone: Promise<void>
  readonly answers: Record<string, Answer>
  readonly send: (message: object) => void
  readonly tell: (method: string, params?: object) => void
  /** Resolves with the first message that fits, whether it came already or comes later. */
  readonly until: (fits: (message: Heard) => boolean) => Promise<Heard>
  /** All that was asked by this method. */
  readonly asked: (method: string) => Array<Heard>
  readonly leave: () => Promise<void>
}

export interface HandOptions {
  /** What it offers; one without a handshake knows `server/discover` and nothing of `initialize`. */
  readonly revision?: string
  readonly capabilities?: object
  readonly answers?: Record<string, Answer>
}

export const tool = (name: string, more: object = {}): object => ({ name, inputSchema: { type: "object" }, ...more })

export const serverInfo = { name: "hand", version: "1.0.0" }

/** What a server says of itself that speaks 2026-07-28. */
export const discovered = (capabilities: object, more: object = {}): object => ({
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities,
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
  ...more
})

export function hand(options: HandOptions = {}): Hand {
  const [channel, far] = link()
  const heard: Array<Heard> = []
  const waiting = new Set<() => void>()
  const capabilities = options.capabilities ?? { tools: {} }
  const stamp = options.revision === "2026-07-28" ? { resultType: "complete" } : {}
  const answers: Record<string, Answer> = {
    ...(options.revision === "2026-07-28" && { "server/discover": () => discovered(capabilities) }),
    initialize: (params: { protocolVersion: string }) => ({
      protocolVersion: options.revision ?? params.protocolVersion,
      capabilities,
      serverInfo
    }),
    ping: () => ({}),
    "tools/list": () => ({ tools: [tool("it")] }),
    "tools/call": () => ({ content: [] }),
    ...options.answers
  }
  const send = (message: object): void => void far.send({ message: message as never, via: undefined, last: false })
  const take = (message: Heard): void => {
    heard.push(message)
    if (message.id !== undefined && message.method !== undefined) {
      const answer = Object.hasOwn(answers, message.method)
        ? answers[message.method]!(message.params, message.id)
        : undefined
      if (answer !== undefined && "error" in answer) send({ jsonrpc: "2.0", id: message.id, ...answer })
      else if (answer !== undefined) send({ jsonrpc: "2.0", id: message.id, result: { ...stamp, ...answer } })
    }
    for (const look of waiting) look()
  }
  const gone = new Promise<void>((resolve) =>
    far.open({
      frame: (frame) => {
        if (frame._tag === "Text") take(JSON.parse(frame.text))
      },
      closed: () => resolve()
    })
  )
  return {
    channel,
    heard,
    gone,
    answers,
    send,
    tell: (method, params) =>
      send(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }),
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = heard.find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    asked: (method) => heard.filter((message) => message.method === method),
    leave: () => far.close()
  }
}
