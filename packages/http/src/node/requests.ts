/** Makes an exchange of each request of node:http, and has it answered. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Exchange } from "../server/exchange.js"
import { isSpent, spent } from "./body.js"
import type { Manners } from "./exchange.js"
import { NodeExchange, targetOf, urlOf } from "./exchange.js"

export interface Taking extends Manners {
  readonly handle: (exchange: Exchange) => void
  /** The only path that is answered; any where absent. */
  readonly path: string | undefined
  readonly from: ((request: IncomingMessage) => string | undefined) | undefined
  readonly context: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined
  readonly crashed: (what: string, error: unknown) => void
}

export type Take = (req: IncomingMessage, res: ServerResponse, awaited?: boolean) => void

/** `awaited`: the client waits for "100 Continue", and Node has not sent it. */
export function requests(taking: Taking): Take {
  const { handle, path, from, context, crashed } = taking
  return (req, res, awaited = false) => {
    if (res.headersSent) {
      crashed("an HTTP request", new Error(begun))
      if (!res.writableEnded) res.end()
      return
    }
    const at = (who: string | undefined, what: unknown): Exchange =>
      new NodeExchange(req, res, taking, who, what, awaited)
    try {
      if (path !== undefined && !isAt(targetOf(req), path))
        return at(undefined, undefined).respond(404, json, '{"error":"Nothing is served at this path"}')
      if (isElsewhere(req)) return at(undefined, undefined).respond(400, json, elsewhere)
      if (isSpent(req)) throw new TypeError(spent)
      const who = from === undefined ? req.socket.remoteAddress : from(req)
      handle(at(who, context?.(req, res)))
    } catch (error) {
      crashed("an HTTP request", error)
      at(undefined, undefined).respond(500, json, internal)
    }
  }
}

/**
 * RFC 9112 section 3.2.2, and RFC 9113 section 8.3.1: a whole address, and `:authority`, have the host that counts. One that Host
 * contradicts got past whoever looks at that alone.
 */
function isElsewhere(req: IncomingMessage): boolean {
  const url = urlOf(req)
  const { host, ":authority": authority, ":scheme": scheme } = req.headers as Record<string, string | undefined>
  if (authority !== undefined && host !== undefined && differ(scheme, authority, host)) return true
  if (url.startsWith("/")) return false
  const whole = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(url)
  return whole !== null && differ(whole[1], whole[2], host ?? authority)
}

function differ(scheme: string | undefined, authority: string | undefined, host: string | undefined): boolean {
  const usual = scheme?.toLowerCase() === "https" ? /:443$/ : /:80$/
  const bare = (name: string | undefined): string | undefined => name?.toLowerCase().replace(usual, "")
  return bare(authority) !== bare(host)
}

const elsewhere =
  '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Bad request: the target of the request, or :authority, has another host than Host"}}'

const begun =
  "The answer was begun before this handler: whoever answers a request must not pass it on; what was begun is ended"

const isAt = (target: string, path: string): boolean =>
  target.startsWith(path) && (target.length === path.length || target[path.length] === "?")

const json = { "content-type": "application/json" }

const internal = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}'
