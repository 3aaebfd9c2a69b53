/** A session that several processes serve: each step is kept where all of them find it, and only then is done what follows from it. */
import type { RequestId } from "@parley/core"
import type { Input, Output, Send, ServerState } from "@parley/core/server"
import type { Exchange, Headers } from "./exchange.js"
import { attempt } from "./reporter.js"
import { Aside } from "./session-aside.js"
import { lastWords, turnAway } from "./session-admission.js"
import { Calls, stopped, stopping } from "./session-calls.js"
import type { Common, Current } from "./session-common.js"
import type { Outward } from "./session-streaming.js"
import type { Admit, Came, Decided, Written } from "./session-written.js"
import { read, write } from "./session-written.js"
import { json } from "./session-text.js"
import { isCancelled, Session } from "./session.js"
import type { SessionStore } from "./store.js"

/** So often a step is taken anew because another process was faster. */
const most = 1_000

export class SharedSession extends Session {
  state: ServerState
  protected readonly stays = false
  readonly #store: SessionStore
  readonly #ttlMs: number
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** The handlers that run here. */
  readonly #calls = new Calls()
  /** What runs here may be withdrawn elsewhere. */
  readonly #aside: Aside
  /** The session's own stream, whichever process holds it. */
  #outward: string | undefined
  /** When it was last written here. */
  #kept = -Infinity
  #left = false
  #fresh = false

  readonly #rested: () => void

  /** `rested` is called whenever something that was under way here is not any more. */
  constructor(common: Common, store: SessionStore, ttlMs: number, id: string, rested: () => void) {
    super(common, id, undefined, undefined)
    this.#rested = rested
    this.#store = store
    this.#ttlMs = ttlMs
    const withdrawn = (call: number, reason: string | undefined): void => this.#withdrawn(call, reason)
    this.#aside = new Aside(common.reading.events, id, withdrawn, common.failed)
    this.state = common.machine().initial
  }

  /** Whether anything is to be waited for before this process ends. */
  get works(): boolean {
    return this.#waiting > 0 || this.#calls.size > 0
  }

  protected override get hears(): boolean {
    return this.#outward !== undefined
  }

  override get busy(): boolean {
    return super.busy || this.#waiting > 0 || this.#calls.size > 0
  }

  /** An `initialize`. Says whether a session began. */
  async begin(current: Current, principal: string | undefined): Promise<boolean> {
    const input = this.received(current, principal)
    const [next, outputs] = this.common.machine().step(this.state, input)
    const opens = next.phase._tag === "Opened"
    try {
      if (opens && !(await this.#create(next, principal))) throw new Error(`the session ${this.id} is there already`)
    } catch (error) {
      this.common.failed(error)
      turnAway(current.exchange, "unkept", current.came)
      return false
    }
    this.principal = principal
    this.#fresh = opens
    this.#kept = this.common.now()
    this.#perform(this.state, next, outputs, input, current)
    return opens
  }

  #create(state: ServerState, principal: string | undefined): Promise<string | undefined> {
    const text = write(this.common.machine(), { state, principal, outward: undefined })
    return this.#store.create(this.id, text, this.#ttlMs)
  }

  feed(input: Input): void {
    this.#calls.ended(input)
    void this.step(input).then((came) => {
      // What a handler came to could not be kept: who waits for it is not to wait for ever.
      if (came !== "unkept" || !("id" in input)) return
      const via = this.underWay().find(({ id }) => id === input.id)?.via
      if (via !== undefined) this.outlets?.get(via)?.leave((exchange) => turnAway(exchange, "unkept"))
    })
  }

  /** One step after the other: `current` is what it is about, if it came by a POST. */
  step(input: Input, current?: Current, admit?: Admit): Promise<Came> {
    return this.#inTurn(() =>
      this.#change(admit, ({ state, principal, outward }) => {
        const [next, outputs] = this.common.machine().step(state, input)
        return {
          next: next === state ? undefined : { state: next, principal, outward },
          act: () => this.#perform(state, next, outputs, input, current)
        }
      })
    )
  }

  /** The session's own stream, or the rest of one that was cut. */
  async get(exchange: Exchange, lastEventId: string | undefined, admit: Admit): Promise<Came> {
    const came = await this.#inTurn(() => this.#change(admit, () => ({ next: undefined, act: () => undefined })))
    if (came !== "done") return came
    if (lastEventId !== undefined) {
      if (lastEventId.startsWith(`${this.#outward}.`)) this.outward ??= { via: this.#outward!, reader: undefined }
      if (await this.comeBack(exchange, lastEventId)) return "done"
      if (!this.wasOutward(lastEventId)) return "lost"
    }
    const via = this.nextOutward()
    return this.#inTurn(() =>
      this.#change(admit, ({ state, principal, outward }) => ({
        next: { state, principal, outward: via },
        act: () => {
          // Of two streams the newer one is the session's, whoever holds the other.
          if (outward !== undefined && outward !== this.outward?.via) void this.append(outward, "", true)
          this.#outward = via
          this.listen(exchange, via)
        }
      }))
    )
  }

  #inTurn(work: () => Promise<Came>): Promise<Came> {
    this.#waiting++
    const turn = this.#turn.then(work).catch((error: unknown): Came => {
      this.common.failed(error)
      return "unkept"
    })
    this.#turn = turn
    return turn.finally(() => {
      this.#waiting--
      this.rest()
    })
  }

  /** Reads, decides and writes, again when another process wrote meanwhile; `act` is called once it is written. */
  async #change(admit: Admit | undefined, decide: (written: Written) => Decided): Promise<Came> {
    for (let tries = 0; tries < most; tries++) {
      const stored = await this.#store.load(this.id)
      const written = stored && read(this.common.machine(), stored.text)
      if (written === undefined) {
        this.#gone()
        return "gone"
      }
      const why = admit?.(written)
      if (why !== undefined) return why
      const { next, act } = decide(written)
      if (next?.state.phase._tag === "Closed") await this.#store.delete(this.id)
      else if (next !== undefined) {
        const text = write(this.common.machine(), next)
        if ((await this.#store.swap(this.id, stored!.version, text, this.#ttlMs)) === undefined) continue
        this.#kept = this.common.now()
      }
      this.principal = written.principal
      this.#outward = written.outward
      this.state = written.state
      act()
      return "done"
    }
    throw new Error(`the session ${this.id} could not be written: others always were faster`)
  }

  #perform(before: ServerState, next: ServerState, outputs: ReadonlyArray<Output>, because: Input, current?: Current) {
    this.state = next
    this.current = current
    this.#calls.began(outputs)
    if (next.phase._tag === "Closed") this.#endAll(before)
    this.put(outputs, because)
    this.current = undefined
    if (outputs.some(isCancelled)) this.#endWithdrawn(before, outputs)
    if (current !== undefined && !current.answered) this.#await(current)
    this.#endStray()
    if (this.#calls.size > 0) this.#aside.listen()
  }

  #await(current: Current): void {
    if (this.answers(current)) this.open(current)
    else current.exchange.respond(202, {})
  }

  /** What was withdrawn is not answered: whoever holds its exchange is told that it has ended. */
  #endWithdrawn(before: ServerState, outputs: ReadonlyArray<Output>): void {
    const left = new Set(this.underWay().map(({ via }) => via))
    for (const output of outputs) if (output._tag === "Send" && output.last) left.add(output.via!)
    for (const via of new Set(this.underWay(before).map((one) => one.via)))
      if (!left.has(via)) this.#endVia(via, "withdrawn")
  }

  /** What was withdrawn in another process, before there was a stream by which that could be told here. */
  #endStray(): void {
    if (this.outlets === undefined) return
    const left = new Set(this.underWay().map(({ via }) => via))
    for (const [via, outlet] of this.outlets) if (!outlet.reads && !left.has(via)) outlet.end("withdrawn")
  }

  #endVia(via: string, why: "gone" | "withdrawn", id?: RequestId): void {
    const outlet = this.outlets?.get(via)
    if (outlet === undefined) this.elsewhere(via, lastWords(why, id), true)
    else outlet.end(why)
  }

  #endAll(before: ServerState): void {
    // Of a batch its members have an id each, and the whole has none.
    const all = new Map(this.underWay(before).map(({ via, id }) => [via, id]))
    for (const [via, id] of all) this.#endVia(via, "gone", id)
    if (this.#outward !== undefined && this.outward === undefined) this.elsewhere(this.#outward, "", true)
  }

  /** Another process, or time, has ended it. */
  #gone(): void {
    this.#interruptAll("the session has ended")
    this.close()
  }

  #interruptAll(why: string): ReturnType<Calls["take"]> {
    const all = this.#calls.take()
    for (const [call] of all) this.interruptHere(call, why)
    return all
  }

  /** This process ends: handlers that run here and were waited for long enough are interrupted, and their calls answered. */
  drained(): void {
    for (const one of this.#interruptAll(stopping)) this.feed(stopped(...one))
  }

  #withdrawn(call: number, reason: string | undefined): void {
    if (!this.#calls.delete(call)) return
    this.interruptHere(call, reason)
    const act = (): void => this.#endStray()
    void this.#inTurn(() => this.#change(undefined, () => ({ next: undefined, act })))
  }

  protected override rest(): void {
    if (this.#calls.size === 0) this.#aside.stop()
    super.rest()
    this.#rested()
    if (!this.#left && !this.busy && this.common.now() - this.#kept > this.#ttlMs / 4) this.touch()
  }

  /** It is in use, or was until now. */
  touch(): void {
    this.#kept = this.common.now()
    attempt(() => this.#store.touch(this.id, this.#ttlMs), this.common.failed)
  }

  /** This process ends, and the session does not: clients find the rest of their streams elsewhere. */
  leave(): void {
    for (const outlet of this.outlets?.values() ?? []) outlet.leave((exchange) => turnAway(exchange, "stopping"))
    const { outward } = this
    this.outward = undefined
    outward?.reader?.end()
    this.#interruptAll(stopping)
    this.drop()
  }

  protected override drop(): void {
    this.#left = true
    this.#aside.stop()
    super.drop()
  }

  protected headers(message: Send["message"]): Headers {
    if (!this.#fresh || !("result" in message)) return json
    this.#fresh = false
    return { "content-type": "application/json", "mcp-session-id": this.id }
  }

  protected elsewhere(via: string, text: string, last: boolean): void {
    void this.append(via, text, last)
  }

  protected interrupted(call: number, reason: string | undefined): void {
    if (!this.#calls.delete(call)) this.#aside.tell(this.append, call, reason)
  }

  protected unasked(text: string): void {
    if (this.#outward === undefined) return
    if (this.outward?.via === this.#outward) this.outward.reader?.comes(text.length)
    void this.append(this.#outward, text, false)
  }

  /** The store goes on keeping what is told meanwhile. */
  protected unheard(outward: Outward): void {
    if (this.outward === outward) this.outward = undefined
  }
}
