/** HTTP as a carrier: a client of a few lines on web standards, strict about what comes by which exchange and with which status. */
import type { Json, RequestId } from "@parley/core"
import { protocolVersion } from "../asker.js"
import { own, reading } from "../envelope.js"
import { cancelled } from "./bare.js"
import type { Heard, Way } from "./carrier.js"
import { eventsOf } from "./events.js"
import { headersOf } from "./headers.js"
import type { Stage } from "./stage.js"
import { isStatus } from "./statuses.js"

/** What answers requests: a handler on web standards, or the platform's `fetch` and a server that listens somewhere. */
export interface Site {
  readonly url: string
  readonly answer: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
  /** Answers begin at once, as streams where need be: what is under way is then known to be. */
  readonly isPrompt?: boolean
}

export const byHttp = (name: string, open: (stage: Stage) => Promise<Site>): Way => ({
  name,
  inOrder: false,
  begin: async (stage, hear) => {
    const site = await open(stage)
    const client = new Posts(site, hear)
    return {
      say: (message, deed, wrong) => client.say(message, deed, wrong),
      garble: (text, deed) => client.post(text, {}, deed, (status) => status === 400),
      cancel: ({ id, deed, enveloped }, at) => (enveloped ? client.abort(deed) : client.withdraw(id, deed, at)),
      close: async () => {
        await client.close()
        await site.close()
      }
    }
  }
})

class Posts {
  readonly #site: Site
  readonly #hear: (heard: Heard) => void
  /** Requests of a session that were withdrawn end without an answer. */
  readonly #withdrawn = new Set<number>()
  readonly #open = new Map<number | undefined, AbortController>()
  readonly #begun = new Map<number, Promise<undefined>>()
  /** What belongs to every request of the session. */
  #session: Record<string, string> = {}

  constructor(site: Site, hear: (heard: Heard) => void) {
    this.#site = site
    this.#hear = hear
  }

  /** Waits only for what is not answered by a message. */
  say(message: Json, deed: number, wrong?: "envelope"): Promise<string | undefined> | undefined {
    const version = own(own(own(Array.isArray(message) ? message[0] : message, "params"), "_meta"), protocolVersion)
    const enveloped = typeof version === "string"
    const headers = enveloped ? headersOf(message, version) : this.#session
    const asks = (Array.isArray(message) ? message : [message]).some((one) => reading(one).kind === "request")
    const fits = (status: number, said: Json | undefined): boolean =>
      said === undefined ? status === 202 : isStatus(status, said, message, enveloped, wrong)
    const taken = this.post(JSON.stringify(message), headers, deed, fits)
    if (asks) return this.#site.isPrompt === true ? this.#begun.get(deed) : undefined
    return own(message, "method") === "notifications/initialized" ? taken.then((why) => why ?? this.#listen()) : taken
  }

  async post(
    body: string,
    headers: Record<string, string>,
    deed: number,
    fits: (status: number, said: Json | undefined) => boolean
  ): Promise<string | undefined> {
    const sent = this.#send("POST", { "content-type": "application/json", ...headers }, body, deed)
    this.#begun.set(
      deed,
      sent.then(() => undefined)
    )
    const response = await sent
    if (response === undefined) return undefined
    const { status } = response
    const id = response.headers.get("mcp-session-id")
    if (id !== null) this.#session = { "mcp-session-id": id }
    if (isStream(response)) {
      if (status !== 200) this.#odd(deed, `a stream with status ${status}`)
      await this.#read(response, deed)
      return undefined
    }
    const text = await response.text().catch(() => "")
    const said = text === "" ? undefined : (JSON.parse(text) as Json)
    const isGone = this.#open.get(deed)?.signal.aborted === true || (said === undefined && this.#withdrawn.has(deed))
    if (!isGone && !fits(status, said)) this.#odd(deed, `status ${status} for ${text}`)
    if (said !== undefined) this.#take(said, deed)
    return undefined
  }

  /** The session's own stream, once it is open. */
  async #listen(): Promise<string | undefined> {
    const response = await this.#send("GET", this.#session, null, undefined)
    if (response === undefined || !isStream(response)) return `a GET that is answered with ${response?.status}`
    void this.#read(response, undefined)
    return undefined
  }

  async #send(
    method: string,
    headers: Record<string, string>,
    body: string | null,
    deed: number | undefined
  ): Promise<Response | undefined> {
    const controller = new AbortController()
    this.#open.set(deed, controller)
    const { url, answer } = this.#site
    const accept = { accept: "application/json, text/event-stream" }
    const request = new Request(url, { method, headers: { ...accept, ...headers }, body, signal: controller.signal })
    try {
      return await answer(request)
    } catch (error) {
      if (!controller.signal.aborted) this.#odd(deed, `no answer: ${String(error)}`)
      return undefined
    }
  }

  async #read(response: Response, deed: number | undefined): Promise<void> {
    try {
      await eventsOf(response, (data) => this.#take(JSON.parse(data) as Json, deed))
    } catch (error) {
      if (this.#open.get(deed)?.signal.aborted !== true) this.#odd(deed, `a stream that breaks: ${String(error)}`)
    }
  }

  #take(message: Json, deed: number | undefined): void {
    if (this.#open.get(deed)?.signal.aborted === true) return
    const version = own(own(message, "result"), "protocolVersion")
    if (typeof version === "string") this.#session = { ...this.#session, "mcp-protocol-version": version }
    this.#hear({ by: deed, message })
  }

  /** What no client should meet is heard as a message that no server says. */
  #odd(deed: number | undefined, what: string): void {
    this.#hear({ by: deed, message: { odd: what } })
  }

  withdraw(id: RequestId, deed: number, at: number): Promise<string | undefined> | undefined {
    this.#withdrawn.add(deed)
    return this.say(cancelled(id), at)
  }

  abort(deed: number): undefined {
    this.#open.get(deed)?.abort()
    return undefined
  }

  async close(): Promise<void> {
    for (const controller of this.#open.values()) controller.abort()
    if ("mcp-session-id" in this.#session) await this.#send("DELETE", this.#session, null, -1)
  }
}

const isStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true
