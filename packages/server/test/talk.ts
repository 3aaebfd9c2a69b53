/** A client by hand: sends what it is told to, keeps everything that comes back, and waits for events. */
import type { Closed } from "@parley/driver"
import { link } from "@parley/driver"
import type { ServeOptions, Serving } from "../src/index.js"
import { serve as serveOver } from "../src/index.js"

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages as they came
type Heard = any

export interface Talk {
  readonly serving: Serving
  /** Everything that came back, in order. */
  readonly heard: Array<Heard>
  /** What handlers threw. */
  readonly crashes: Array<readonly [tool: string, error: unknown]>
  readonly gone: Promise<Closed>
  /** The client goes. */
  readonly leave: () => Promise<void>
  readonly send: (message: object) => void
  readonly tell: (method: string, params?: object) => void
  /** Resolves with the reply; rejects when the server goes without one. */
  readonly ask: (method: string, params?: object, id?: number | string) => Promise<Heard>
  /** The result of a tool call, or its error. */
  readonly call: (name: string, args?: object, meta?: object) => Promise<Heard>
  /** Resolves with the first message that fits, whether it came already or comes later. */
  readonly until: (fits: (message: Heard) => boolean) => Promise<Heard>
  readonly open: (revision?: string, capabilities?: object) => Promise<Heard>
  /** Answers the server's next question of that method, and resolves with it. */
  readonly answer: (method: string, result: object) => Promise<Heard>
}

type Subject = Parameters<typeof serveOver>[0]

export function talk(subject: Subject, options: ServeOptions = {}, serve = serveOver): Talk {
  const [near, far] = link()
  const heard: Array<Heard> = []
  const crashes: Array<readonly [string, unknown]> = []
  const waiting = new Set<() => void>()
  const serving = serve(subject, far, {
    crashed: (tool, error) => void crashes.push([tool, error]),
    ...options
  })
  const gone = new Promise<Closed>((closed) =>
    near.open({
      frame: (frame) => {
        if (frame._tag === "Text") heard.push(JSON.parse(frame.text))
        for (const look of waiting) look()
      },
      closed
    })
  )
  let last = 0
  const answered = new Set<unknown>()
  const send = (message: object): void => void near.send({ message: message as never, via: undefined, last: false })
  const until = (fits: (message: Heard) => boolean): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = heard.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      void gone.then(() => reject(new Error("the server is gone")))
    })
  const ask: Talk["ask"] = (method, params, id = ++last) => {
    const before = heard.length
    send(params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params })
    return until((message) => message.id === id && message.method === undefined && heard.indexOf(message) >= before)
  }
  const tell: Talk["tell"] = (method, params) =>
    send(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params })
  return {
    serving,
    heard,
    crashes,
    gone,
    leave: () => near.close(),
    send,
    tell,
    until,
    ask,
    call: async (name, args, meta) => {
      const reply = await ask("tools/call", {
        name,
        ...(args === undefined ? {} : { arguments: args }),
        ...(meta === undefined ? {} : { _meta: meta })
      })
      return reply.result ?? reply.error
    },
    answer: async (method, result) => {
      const question = await until((message) => message.method === method && !answered.has(message.id))
      answered.add(question.id)
      const reply = "code" in result ? { error: result } : { result }
      send({ jsonrpc: "2.0", id: question.id, ...reply })
      return question
    },
    open: async (revision = "2025-11-25", capabilities = {}) => {
      const reply = await ask("initialize", {
        protocolVersion: revision,
        capabilities,
        clientInfo: { name: "hand", version: "1.0.0" }
      })
      tell("notifications/initialized")
      return reply.result
    }
  }
}

/** A server of these tools, opened. */
export async function talking(
  subject: Subject,
  options: ServeOptions = {},
  revision?: string,
  capabilities?: object
): Promise<Talk> {
  const conversation = talk(subject, options)
  await conversation.open(revision, capabilities)
  return conversation
}
