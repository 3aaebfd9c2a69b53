/** One session as far as this process has to do with it: its exchanges, its streams, its handlers. Where its state is, others know. */
import type { Message, Peer } from "@parley/core"
import type { Input, Output, Send, ServerState, ServerTimer } from "@parley/core/server"
import type { Performable, Performer } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import type { Exchange, Headers } from "./exchange.js"
import { Astray } from "./session-astray.js"
import type { Common, Current } from "./session-common.js"
import { Outlet } from "./session-outlet.js"
import { Runs } from "./session-runs.js"
import { Streaming } from "./session-streaming.js"
import { isAsked, json, statusOf, textOf } from "./session-text.js"

export abstract class Session extends Streaming {
  /** Whose it is, for those who count. */
  readonly client: string | undefined
  /** When its last activity ended. */
  idleSince: number
  protected current: Current | undefined
  #performer: Performer | undefined
  #timers: Map<string, () => void> | undefined
  #astray: Astray | undefined
  #runs: Runs | undefined

  constructor(common: Common, id: string, principal: string | undefined, client: string | undefined) {
    super(common, id, principal)
    this.client = client
    this.idleSince = common.now()
  }

  abstract feed(input: Input): void
  /** The state as it was last seen here. */
  abstract readonly state: ServerState
  /** Whether replies to a client that has gone are kept here: otherwise whoever has the session keeps them. */
  protected abstract readonly stays: boolean
  /** A message for an exchange that is not held here. */
  protected abstract elsewhere(via: string, text: string, last: boolean): void
  /** A handler's work is not wanted any more; it may run elsewhere. */
  protected abstract interrupted(call: number, reason: string | undefined): void
  /** Settles when nothing is done here any more whose end is kept for clients that have gone; nothing where that is so. */
  protected abstract working(): Promise<void> | undefined
  /** What a reply to what is being looked at has as its headers. */
  protected abstract headers(message: Send["message"]): Headers

  get peer(): Peer | undefined {
    const { phase } = this.state
    return "peer" in phase ? phase.peer : undefined
  }

  /** Whether an exchange, a stream or a handler of it is under way here. */
  get busy(): boolean {
    return this.outlets !== undefined || this.reads || this.current !== undefined
  }

  /** It is not used at present: what can be made again is let go. */
  shrink(): void {
    if (this.#performer?.quiet() === true && this.state.inFlight.size === 0) this.#performer = undefined
  }

  /** A page was visited. */
  completed(elicitationId: string): void {
    this.#performer?.visits.completed(elicitationId)
  }

  /** What came by one POST. */
  currentOf(exchange: Exchange, came: unknown, accepts: Accepted): Current {
    return { via: this.nextVia(), exchange, came, accepts, answered: false }
  }

  /** What it is to the machine. */
  received({ via, came, exchange }: Current, principal = this.principal): Input {
    const header = exchange.header("mcp-protocol-version")
    const { context } = exchange
    return { _tag: "Received", json: came, via, principal, header, context } as Input
  }

  /** From now on its answer may take its time. */
  protected open({ via, exchange, came, accepts: given }: Current): Outlet {
    const { common, id, primed, append, stays } = this
    // The session's id comes with its opening, and is not known to be good before that is answered: it is answered whole.
    const accepts = this.state.phase._tag === "Unopened" ? wholly : given
    const enters = (): (() => void) => this.enter()
    const astray = (text: string): void => this.#goAstray(JSON.parse(text) as Message, text)
    const done = (): void => {
      late?.()
      this.outlets?.delete(via)
      if (this.outlets?.size === 0) this.outlets = undefined
      this.rest()
    }
    let late: (() => void) | undefined
    const working = (): Promise<void> | undefined => this.working()
    const { reading } = common
    const of = { reading, session: id, via, came, accepts, primed, stays, append, enters, astray, done, working }
    const outlet = new Outlet(of, exchange)
    if (outlet.over) return outlet
    ;(this.outlets ??= new Map()).set(via, outlet)
    late = common.deadlines.after(common.streamAfterMs, () => void outlet.stream())
    return outlet
  }

  protected rest(): void {
    if (!this.busy) this.idleSince = this.common.now()
  }

  protected put(outputs: ReadonlyArray<Output>, because: Input): void {
    for (const output of outputs) {
      switch (output._tag) {
        case "Send":
          this.#send(output)
          break
        case "StartTimer": {
          const { timer, ms } = output
          const due = (): void => {
            this.#stop(timer)
            this.feed({ _tag: "TimerFired", timer })
          }
          this.#stop(timer)
          ;(this.#timers ??= new Map()).set(named(timer), this.common.deadlines.after(ms, due))
          break
        }
        case "StopTimer":
          this.#stop(output.timer)
          break
        case "Close":
          this.close()
          break
        case "Interrupt":
          this.#runs?.end(output.call)
          this.interrupted(output.call, output.reason)
          this.#perform(output, because)
          break
        case "Report":
          if (this.common.reports || output.report._tag === "Unsendable") this.#perform(output, because)
          break
        case "Invoke": {
          const goesOn = this.current?.exchange.goesOn
          if (goesOn !== undefined) (this.#runs ??= new Runs()).began(output.call, goesOn)
          this.#perform(output, because)
          break
        }
        case "Seal":
        case "Unseal":
        case "Notice":
          this.#perform(output, because)
          break
      }
    }
  }

  #stop(timer: ServerTimer): void {
    const timers = this.#timers
    const name = named(timer)
    timers?.get(name)?.()
    timers?.delete(name)
    if (timers?.size === 0) this.#timers = undefined
  }

  #perform(output: Performable, because: Input): void {
    this.#performer ??= this.common.host.performer({
      feed: (input) => {
        this.feed(input)
        this.#runs?.heard(input, () => this.working())
      },
      peer: () => this.peer,
      congested: () => this.#slow(),
      listens: () => this.hears,
      moves: !this.stays,
      release: (id, retryMs) => this.#release(id, retryMs)
    })
    try {
      this.#performer.perform(output, because)
    } catch (error) {
      this.common.failed(error)
    }
  }

  /** A handler of this process is not wanted any more. */
  protected interruptHere(call: number, reason: string | undefined): void {
    this.#perform({ _tag: "Interrupt", call, reason }, { _tag: "PeerClosed" })
  }

  #send(out: Send): void {
    const { via, last, message } = out
    const text = textOf(out, (why) => this.#unsent(why))
    if (text === undefined) return
    if (via === undefined) return this.outwards(text)
    const { current } = this
    if (current?.via === via && !current.answered && !(this.outlets?.has(via) ?? false)) {
      current.answered = true
      if (last && (current.accepts.json || this.state.phase._tag !== "Ready"))
        return current.exchange.respond(statusOf(message, current.came), this.headers(message), text)
      this.open(current)
    }
    const outlet = this.outlets?.get(via)
    if (outlet === undefined) this.elsewhere(via, text, last)
    else if (last) outlet.send(statusOf(message, outlet.came), this.headers(message), text, last)
    else if (!outlet.hears) this.#goAstray(message as Message, text)
    else if (!outlet.hopeless || !isLog(message)) outlet.send(200, json, text, last)
  }

  #goAstray(message: Message, text: string): void {
    this.#astray ??= new Astray({
      deadlines: this.common.deadlines,
      hears: () => this.hears,
      say: (text) => this.outwards(text),
      feed: (input) => this.feed(Object.assign({ via: this.nextVia(), principal: this.principal }, input))
    })
    this.#astray.comes(message, text)
  }

  protected override listen(exchange: Exchange, via = this.nextOutward()): void {
    super.listen(exchange, via)
    this.#astray?.heard()
  }

  #unsent(why: string): void {
    const report = { _tag: "Unsendable", method: "a message", why } as const
    this.#perform({ _tag: "Report", report }, { _tag: "Stopping" })
  }

  /** Whether somebody here reads more slowly than there is to read. */
  #slow(): boolean {
    if (this.outward?.reader?.slow === true) return true
    for (const outlet of this.outlets?.values() ?? []) if (outlet.slow) return true
    return false
  }

  #release(id: string | number, retryMs: number | undefined): void {
    const via = this.underWay().find((one) => one.id === id)?.via
    const { current } = this
    if (via === undefined) return
    if (current?.via === via && !current.answered && !(this.outlets?.has(via) ?? false)) {
      current.answered = true
      this.open(current)
    }
    this.outlets?.get(via)?.release(retryMs)
  }

  /** What is not answered yet, by the exchanges that it came by. */
  protected underWay(state = this.state): ReadonlyArray<{ readonly via: string; readonly id?: string | number }> {
    const { inFlight, batches } = this.common.machine().encode(state) as unknown as UnderWay
    return [...inFlight, ...batches.map(({ via }) => ({ via }))]
  }

  /** Whether a reply is to come. Of a batch all members may have been withdrawn. */
  protected answers({ came, via }: Current): boolean {
    return isAsked(came) && (!Array.isArray(came) || this.underWay().some((one) => one.via === via))
  }

  /** What was cancelled is not answered: its exchanges end without. */
  protected endCancelled(outputs: ReadonlyArray<Output>): void {
    if (!outputs.some(isCancelled)) return
    const left = new Set(this.underWay().map(({ via }) => via))
    for (const [via, outlet] of this.outlets ?? []) if (!left.has(via)) outlet.end("withdrawn")
  }

  /** This process has no more to do with it. `ended`: nor has any other. */
  protected drop(ended: boolean): void {
    for (const stop of this.#timers?.values() ?? []) stop()
    this.#timers = undefined
    this.#astray?.clear()
    this.#runs?.endAll()
    void this.#performer?.end()
    this.#performer = undefined
    this.common.over(this, ended)
  }

  /** Nothing is sent any more: whoever waits learns of it by the end of its connection. */
  protected close(): void {
    for (const outlet of this.outlets?.values() ?? []) outlet.end("gone")
    const { outward } = this
    this.outward = undefined
    if (outward !== undefined) void this.append(outward.via, "", true)
    outward?.reader?.end()
    this.drop(true)
  }
}

const wholly: Accepted = { json: true, events: false }

interface UnderWay {
  readonly inFlight: ReadonlyArray<{ readonly via: string; readonly id: string | number }>
  readonly batches: ReadonlyArray<{ readonly via: string }>
}

export const isCancelled = (output: Output): boolean => output._tag === "Report" && output.report._tag === "Cancelled"

const isLog = (message: Send["message"]): boolean =>
  "method" in message && (message as { readonly method: string }).method === "notifications/message"

const named = ({ of, call }: ServerTimer): string => `${of} ${call}`
