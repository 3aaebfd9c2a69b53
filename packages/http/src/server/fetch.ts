/** The server side as a function from `Request` to `Response`: for Workers, Deno, Bun, and frameworks on web standards. */
import type { Live, Server } from "@parley/server"
import type { Open } from "./endpoint.js"
import { endpoint } from "./endpoint.js"
import { FetchExchange } from "./fetch-exchange.js"
import type { HttpOptions } from "./options.js"
import { checkOptions, named } from "./options.js"
import { heed, reporter } from "./reporter.js"

/** `Env` and `Ctx` are what the platform passes beside the request: on Workers the bindings and the execution context. */
export interface FetchOptions<Env = unknown, Ctx = unknown> extends HttpOptions {
  /** Made of each request, before anything of it is judged, and handed to handlers as `call.context`. What it throws is answered with 500. */
  readonly context?: (request: Request, env: Env, ctx: Ctx) => unknown
  /**
   * Who asks, as far as it can be told without asking: caps are counted by it. Default: the address that Cloudflare, Deno or
   * Bun knows; elsewhere nothing is known, and clients without a principal are not counted one by one.
   */
  readonly from?: (request: Request, env: Env, ctx: Ctx) => string | undefined
}

export interface FetchHandler<Env = unknown, Ctx = unknown> {
  /** Answers a request; at whichever path it is mounted. Never rejects. */
  (request: Request, env?: Env, ctx?: Ctx): Promise<Response>
  /** Settles when requests are answered at once; what comes before waits. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Takes no further requests, answers those that were accepted (within `drainMs`), and ends streams. */
  readonly close: () => Promise<void>
  /** What is open now: answers of 2026-07-28 that are not whole yet, and sessions of older revisions. */
  readonly count: () => Open
}

/**
 * Answers requests by web standards alone. The host of a deployment has to be allowed by its name; where a request's URL has
 * another host than its `Host` header, both have to be.
 *
 * Sessions (revisions up to 2025-11-25) are kept in the isolate that opened them; where a client's next request may get to
 * another one, as on Workers, give `sessions` and `events`. 2026-07-28 has no sessions and needs nothing. `ctx.waitUntil`, where
 * the platform has it, is given what goes on after an answer.
 *
 * ```ts
 * import { fetchHandler } from "@parley/http/server"
 * import { defineServer } from "@parley/server"
 *
 * const mcp = fetchHandler(defineServer({ name: "empty", version: "1.0.0" }, []), { allowedHosts: ["mcp.example.com"] })
 * const answer = await mcp(new Request("https://mcp.example.com/mcp", { method: "PUT" }))
 * answer.status // => 405
 * await mcp.close()
 * ```
 *
 * On Workers, `export default { fetch: mcp }`; with Deno `Deno.serve(mcp)`; with Bun `Bun.serve({ fetch: mcp })`.
 *
 * @throws TypeError for an option that is none, or is of another kind
 */
export function fetchHandler<Env = unknown, Ctx = unknown>(
  server: Server | Live,
  options: FetchOptions<Env, Ctx> = {}
): FetchHandler<Env, Ctx> {
  checkOptions("fetchHandler", options, { context: "a function", from: "a function" })
  const { context, from = addressOf, ...http } = options
  const { handle, ready, close, count } = endpoint(server, http, true)
  const crashed = reporter(options.crashed)
  const answer = (request: Request, env: Env, ctx: Ctx): Promise<Response> => {
    try {
      if (request.bodyUsed) throw new TypeError(spent)
      const who = named(from(request, env, ctx))
      const exchange = new FetchExchange(request, who, heed(context?.(request, env, ctx)))
      handle(exchange)
      // A stream's work goes on after its response was handed over, and also when its client has left.
      const platform = ctx as Waiting | undefined
      if (platform?.waitUntil !== undefined) platform.waitUntil(exchange.ended)
      return exchange.response
    } catch (error) {
      crashed("an HTTP request", error)
      return Promise.resolve(new Response(internal, { status: 500, headers: { "content-type": "application/json" } }))
    }
  }
  return Object.assign((request: Request, env?: Env, ctx?: Ctx) => answer(request, env as Env, ctx as Ctx), {
    ready,
    close,
    count
  })
}

interface Waiting {
  readonly waitUntil?: (work: Promise<unknown>) => void
}

/** What the second argument has of addresses: with Deno the connection, with Bun the server. */
interface Platform {
  readonly remoteAddr?: { readonly hostname?: string }
  readonly requestIP?: (request: Request) => { readonly address: string } | null
}

function addressOf(request: Request, platform: unknown): string | undefined {
  // Cloudflare sets the header whatever the client sent; elsewhere anybody could.
  if ("cf" in request && request.cf !== undefined) return request.headers.get("cf-connecting-ip") ?? undefined
  if (typeof platform !== "object" || platform === null) return undefined
  const { remoteAddr, requestIP } = platform as Platform
  if (typeof requestIP === "function") return requestIP.call(platform, request)?.address
  return remoteAddr?.hostname
}

const internal = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}'

const spent = "The body was read before this handler: hand it the request unread, or a clone of it"
