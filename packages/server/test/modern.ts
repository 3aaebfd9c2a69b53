/** A client of 2026-07-28 by hand: every request says its version and what its client can do, and is made again with the answers. */
import type { ServeOptions } from "../src/index.js"
import type { Talk } from "./talk.js"
import { talk } from "./talk.js"

type Subject = Parameters<typeof talk>[0]
type Ask = Talk["ask"]
type Heard = Awaited<ReturnType<Ask>>

export interface Modern extends Talk {
  /** The result of a tool call, or its error. `more`: further params, such as answers. */
  readonly tool: (name: string, args?: object, more?: object) => Promise<Heard>
}

export interface Client {
  readonly capabilities?: object
  readonly info?: object
  /** Further members of `_meta`. */
  readonly meta?: object
}

const key = (name: string): string => `io.modelcontextprotocol/${name}`

export const envelope = ({ capabilities = {}, info, meta }: Client = {}): object => ({
  [key("protocolVersion")]: "2026-07-28",
  [key("clientCapabilities")]: capabilities,
  ...(info === undefined ? {} : { [key("clientInfo")]: info }),
  ...meta
})

export const serverInfo = key("serverInfo")
export const subscriptionId = key("subscriptionId")
export const logLevel = key("logLevel")

export const modern = (subject: Subject, client: Client = {}, options: ServeOptions = {}): Modern =>
  asking(talk(subject, options), client)

/** The same channel, on which another client may have spoken. */
export function asking(talk: Talk, client: Client = {}): Modern {
  const ask: Ask = (method, params = {}, id) => talk.ask(method, { ...params, _meta: envelope(client) }, id)
  return {
    ...talk,
    ask,
    tool: async (name, args = {}, more = {}) => {
      const reply = await ask("tools/call", { name, arguments: args, ...more })
      return reply.result ?? reply.error
    }
  }
}

/** What a retry brings: the state as it came, and answers by key. */
export const answering = ({ requestState }: { readonly requestState?: string }, answers: object): object => ({
  requestState,
  inputResponses: answers
})

export const accept = (content: object): object => ({ action: "accept", content })
