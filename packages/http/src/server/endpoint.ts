/** All of MCP over HTTP on the server's side: who may ask, what came, and which way of serving it goes to. */
import type { Definition } from "@parley/core"
import { eraOf } from "@parley/core/server"
import { systemClock, tooManyValues } from "@parley/driver"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import { host } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import { accepted, isJson } from "./accept.js"
import { inContext, preflight, readable } from "./cors.js"
import type { Body, Exchange } from "./exchange.js"
import { admitted, guard } from "./guards.js"
import type { Authentication, HttpOptions } from "./options.js"
import { settingsOf } from "./options.js"
import { Pulse } from "./pulse.js"
import { heed, isThenable } from "./reporter.js"
import { sessions } from "./sessions.js"
import { stateless } from "./stateless.js"
import { jsonHeaders, refuse, turnAway } from "./status.js"
import { versionHeader } from "../mirror.js"

export interface Endpoint {
  /** Answers the exchange, now or later. Never throws. */
  readonly handle: (exchange: Exchange) => void
  /** Settles when exchanges are answered at once; what comes before waits. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Takes no further requests (503), answers those that were accepted (within `drainMs`), and ends streams and sessions. */
  readonly close: () => Promise<void>
  readonly count: () => Open
}

/** What is open: answers of 2026-07-28 that are not whole yet, and sessions of older revisions that this process knows of. */
export interface Open {
  readonly answers: number
  readonly sessions: number
}

/**
 * Options are taken as they are; `checkOptions` looks at them. A host that is given is used as it is: the options that are the
 * server's own are then its affair. `apart`: each exchange has timers of its own, where one ends with the request that made it.
 */
export function endpoint(subject: Server | Live | Host, options: HttpOptions, apart = false): Endpoint {
  const settings = settingsOf(options)
  const { authenticate, clock = systemClock, maxInFlight = 16_384 } = options
  const hosting = "performer" in subject ? subject : host(subject, options)
  const guards = guard(options)
  const fresh = (): Pulse => new Pulse(clock, Math.min(settings.streamAfterMs || Infinity, settings.keepAliveMs))
  const pulse = fresh()
  const modern = stateless(hosting, Object.assign({ maxInFlight }, settings), clock, apart ? fresh : () => pulse)
  const older = sessions(hosting, options, apart)
  /** Requests of which `authenticate` is still to say who asks: each ends the wait. */
  const asking = new Set<() => void>()
  let isReady = false
  let closing: Promise<void> | undefined
  const ready = hosting.ready.then(() => void (isReady = true))
  ready.catch(() => undefined)

  /** Whether revisions with sessions are spoken, and which way a message goes. */
  let seen: Definition | undefined
  let era: ReturnType<typeof eraOf>
  let hasSessions = false
  let perRequest: ReadonlySet<string | undefined> = new Set()
  function look(): void {
    const { definition } = hosting.server()
    if (definition === seen) return
    seen = definition
    era = eraOf(definition)
    const { revisions } = definition
    hasSessions = revisions.some(({ opening }) => opening === "handshake")
    perRequest = new Set(revisions.filter(({ opening }) => opening === "request").map(({ name }) => name))
  }

  function handle(exchange: Exchange): void {
    if (isReady) return begin(exchange)
    ready.then(
      () => begin(exchange),
      (error: unknown) => failed(exchange, error)
    )
  }

  function begin(exchange: Exchange): void {
    try {
      receive(exchange)
    } catch (error) {
      failed(exchange, error)
    }
  }

  /** A fault of ours, or of a function among the options, is nobody's business but the operator's. */
  function failed(exchange: Exchange, error: unknown): void {
    hosting.crashed("an HTTP request", error)
    exchange.respond(500, jsonHeaders, internal)
  }

  function receive(asked: Exchange): void {
    const refused = guards.refuses(asked)
    if (refused !== undefined) return turnAway(asked, ...refused)
    look()
    const { method } = asked
    const origin = asked.header("origin")
    const exchange = origin === undefined ? asked : readable(asked, origin)
    const version = exchange.header(versionHeader)
    const inSession = hasSessions && !perRequest.has(version)
    if (method === "OPTIONS" && origin !== undefined && asked.header("access-control-request-method") !== undefined)
      return preflight(asked, origin, hasSessions ? "POST, GET, DELETE" : "POST")
    if (method !== "POST" && !(inSession && (method === "GET" || method === "DELETE")))
      return disallow(exchange, inSession ? "POST, GET, DELETE" : "POST")
    if (closing !== undefined) return refuse(exchange, { _tag: "Stopping" })
    if (authenticate === undefined) return admit(exchange, version, undefined)
    const { target, from, context } = exchange
    const said = authenticate({ method, target, from, context, header: (name) => exchange.header(name.toLowerCase()) })
    const then = (said: Authentication): void => {
      const who = admitted(exchange, said)
      if (who === undefined) return
      admit("context" in who ? inContext(exchange, heed(who.context)) : exchange, version, who.principal)
    }
    if (!isThenable(said)) return then(said)
    const isWanted = awaited(exchange)
    Promise.resolve(said).then(
      (said) => {
        if (!isWanted()) return
        try {
          then(said)
        } catch (error) {
          failed(exchange, error)
        }
      },
      (error: unknown) => {
        if (isWanted()) failed(exchange, error)
        else hosting.crashed("an HTTP request", error)
      }
    )
  }

  /** `authenticate` has the time that is set, and no longer than this endpoint is open. Whether it came in time. */
  function awaited(exchange: Exchange): () => boolean {
    const give = (up: () => void) => (): void => {
      if (isWanted()) up()
    }
    const alarm = clock.after(settings.authenticateMs, give(late))
    // The connection keeps the process alive, not the wait.
    alarm.hold(false)
    const stop = give(() => refuse(exchange, { _tag: "Stopping" }))
    function isWanted(): boolean {
      alarm.cancel()
      return asking.delete(stop)
    }
    function late(): void {
      hosting.crashed("an HTTP request", new Error(`authenticate took longer than ${settings.authenticateMs} ms`))
      turnAway(exchange, 503, "The server is too busy to see who asks: try again later")
    }
    asking.add(stop)
    return isWanted
  }

  function close(): Promise<void> {
    const closed = Promise.all([modern.close(), older.close()]).then(() => undefined)
    for (const stop of asking) stop()
    return closed
  }

  function admit(exchange: Exchange, version: string | undefined, principal: string | undefined): void {
    const { method } = exchange
    if (method === "GET") return older.get(exchange, principal)
    if (method === "DELETE") return older.delete(exchange, principal)
    if (!isJson(exchange.header("content-type")))
      return turnAway(exchange, 415, "Unsupported media type: Content-Type must be application/json")
    const accepts = accepted(exchange.header("accept"))
    if (!accepts.json && !accepts.events)
      return turnAway(exchange, 406, "Not acceptable: answers are application/json or text/event-stream")
    exchange.body(settings.maxBodyBytes, settings.bodyMs, (body) => {
      try {
        came(exchange, body, version, principal, accepts)
      } catch (error) {
        failed(exchange, error)
      }
    })
  }

  function came(
    exchange: Exchange,
    body: Body,
    version: string | undefined,
    principal: string | undefined,
    accepts: Accepted
  ): void {
    switch (body._tag) {
      case "Text":
        return parse(exchange, body.text, version, principal, accepts)
      case "Garbled":
        return refuse(exchange, { _tag: "ParseFailed", why: "utf8" })
      case "TooLarge":
        return refuse(exchange, { _tag: "TooLarge" })
      case "Coded":
        return turnAway(exchange, 415, "Unsupported media type: the body must come without a Content-Encoding")
      case "TooSlow":
        return turnAway(exchange, 408, `Request timeout: the body took longer than ${settings.bodyMs} ms`)
      case "Gone":
        return exchange.respond(400, jsonHeaders)
      case "Failed":
        return failed(exchange, body.error)
    }
  }

  function parse(
    exchange: Exchange,
    text: string,
    version: string | undefined,
    principal: string | undefined,
    accepts: Accepted
  ): void {
    if (closing !== undefined) return refuse(exchange, { _tag: "Stopping" })
    if (tooManyValues(text)) return refuse(exchange, { _tag: "TooLarge" })
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return refuse(exchange, { _tag: "ParseFailed", why: "json" })
    }
    const open = exchange.header("mcp-session-id") !== undefined
    if (era(json, version, open) === "request") modern.post(exchange, json, version, principal, accepts)
    else older.post(exchange, json, principal, accepts)
  }

  return {
    handle,
    ready,
    close: () => (closing ??= close()),
    count: () => ({ answers: modern.count(), sessions: older.count() })
  }
}

const disallow = (exchange: Exchange, methods: string): void =>
  turnAway(exchange, 405, `Method not allowed: there are ${methods}`, { allow: methods })

const internal = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}'
