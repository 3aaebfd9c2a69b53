/** The server side as a function of `req` and `res`, for a server of node:http of one's own and for frameworks. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import type { Open } from "../server/endpoint.js"
import { endpoint } from "../server/endpoint.js"
import type { HttpOptions } from "../server/options.js"
import { checkOptions, named } from "../server/options.js"
import { heed, reporter } from "../server/reporter.js"
import { Patience } from "./patience.js"
import type { Take } from "./requests.js"
import { requests } from "./requests.js"

export interface NodeOptions extends HttpOptions {
  /** Made of each request, before anything of it is judged, and handed to handlers as `call.context`. What it throws is answered with 500. */
  readonly context?: (request: IncomingMessage, response: ServerResponse) => unknown
  /**
   * Who asks, as far as it can be told without asking: caps are counted by it. Default: the address at the other end of the
   * connection. Behind a proxy of yours that is the proxy, for everybody: take what the proxy says then, and nothing a client
   * could have written itself, such as `(request) => request.headers["x-real-ip"]`.
   */
  readonly from?: (request: IncomingMessage) => string | string[] | undefined
  /** How long a client may take nothing of an answer that waits for it, in ms; then its connection is cut. Default 60,000. */
  readonly stallMs?: number
}

/** The options that only `node:http` has. */
export const nodeOptions = { context: "a function", from: "a function", stallMs: 1 } as const

export interface NodeHandler {
  /** Answers a request; at whichever path it is mounted. Further arguments, such as the `next` of Express, are not looked at. */
  (request: IncomingMessage, response: ServerResponse): void
  /** Those of `node:http2` too: `:authority` is then the host. */
  (request: Http2ServerRequest, response: Http2ServerResponse): void
  /** Settles when requests are answered at once; what comes before waits. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Takes no further requests, answers those that were accepted (within `drainMs`), ends streams. Connections stay their server's affair. */
  readonly close: () => Promise<void>
  /** What is open now: answers of 2026-07-28 that are not whole yet, and sessions of older revisions. */
  readonly count: () => Open
}

/**
 * Answers requests of a server of your own, or of a framework on top of it. Bodies are best left unread: then they are read here, within
 * `maxBodyBytes` and `bodyMs`, and one that is no JSON gets the protocol's own error. One that a framework has read already
 * is taken from `request.rawBody` or `request.body`.
 *
 * ```ts
 * import { createServer } from "node:http"
 * import { nodeHandler } from "@parley/http/node"
 * import { defineServer } from "@parley/server"
 *
 * const mcp = nodeHandler(defineServer({ name: "empty", version: "1.0.0" }, []), { allowedHosts: ["mcp.example.com"] })
 * const server = createServer(mcp) // server.listen(...)
 * await mcp.close()
 * ```
 *
 * @throws TypeError for an option that is none, or is of another kind
 */
export function nodeHandler(server: Server | Live, options: NodeOptions = {}): NodeHandler {
  checkOptions("nodeHandler", options, nodeOptions)
  const { take, ready, close, count } = taking(server, options)
  const answer = (
    ...[request, response]: [IncomingMessage, ServerResponse] | [Http2ServerRequest, Http2ServerResponse]
  ): void => take(request as IncomingMessage, response as ServerResponse)
  return Object.assign(answer, { ready, close, count })
}

export interface TakingServer {
  readonly take: Take
  readonly ready: Promise<void>
  readonly close: () => Promise<void>
  readonly count: () => Open
}

/** A header that came several times. */
const joined = (who: string | string[] | undefined): string | undefined => (Array.isArray(who) ? who.join() : who)

/** Options that were looked at already. */
export function taking(server: Server | Live | Host, options: NodeOptions, path?: string): TakingServer {
  const { context, from, stallMs = 60_000, ...http } = options
  const { handle, ready, close, count } = endpoint(server, http)
  let closing = false
  const take = requests({
    handle,
    stallMs,
    closing: () => closing,
    patience: new Patience(),
    path,
    from: from && ((request) => named(joined(from(request)))),
    context: context && ((request, response) => heed(context(request, response))),
    crashed: reporter(options.crashed)
  })
  return {
    take,
    ready,
    count,
    close: () => {
      closing = true
      return close()
    }
  }
}
