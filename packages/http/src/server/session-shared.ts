/** A session that several processes serve: each step is kept where all of them find it, and only then is done what follows from it. */
import type { Input, Output, Send, ServerState } from "@parley/core/server"
import type { Exchange, Headers } from "./exchange.js"
import { attempt } from "./reporter.js"
import { Aside } from "./session-aside.js"
import { turnAway } from "./session-admission.js"
import { Calls, stopped, stopping } from "./session-calls.js"
import type { Common, Current } from "./session-common.js"
import { EndingSession } from "./session-ending.js"
import { patient } from "./session-patience.js"
import type { Outward } from "./session-streaming.js"
import type { Admit, Came, Decided, Written } from "./session-written.js"
import { read, write } from "./session-written.js"
import { json } from "./session-text.js"
import { isCancelled } from "./session.js"
import type { SessionStore } from "./store.js"

/** So often a step is taken anew because another process was faster. */
const most = 1_000

export class SharedSession extends EndingSession {
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
  readonly #idlers: Array<() => void> = []
  readonly #rested: () => void

  /** `rested` is called whenever something that was under way here is not any more. */
  constructor(common: Common, store: SessionStore, ttlMs: number, id: string, rested: () => void) {
    super(common, id, undefined, undefined)
    this.#rested = rested
    this.#store = patient(store, this.patience)
    this.#ttlMs = ttlMs
    this.#aside = new Aside(common.reading.events, id, (...what) => this.#withdrawn(...what), common.failed)
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
      const text = write(this.common.machine(), { state: next, principal, outward: undefined })
      if (opens && !(await this.#store.create(this.id, text, this.#ttlMs)))
        throw new Error(`the session ${this.id} is there already`)
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
    const came = await this.#look(admit, () => undefined)
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

  /** Nothing is written: what is done is done where the session is still there. */
  #look(admit: Admit | undefined, act: () => void): Promise<Came> {
    return this.#inTurn(() => this.#change(admit, () => ({ next: undefined, act })))
  }

  #inTurn(work: () => Promise<Came>): Promise<Came> {
    this.#waiting++
    const turn = this.#turn.then(work).catch((error: unknown): Came => {
      this.common.failed(error)
      return "unkept"
    })
    this.#turn = turn
    return turn.finally(() => this.#waited())
  }

  #waited(): void {
    this.#waiting--
    this.rest()
  }

  /** Reads, decides and writes, again when another process wrote meanwhile; `act` is called once it is written. */
  async #change(admit: Admit | undefined, decide: (written: Written) => Decided): Promise<Came> {
    for (let tries = 0; tries < most; tries++) {
      const stored = await this.#store.load(this.id)
      const written = stored && read(this.common.machine(), stored.text)
      if (written === undefined) {
        // Another process, or time, has ended it.
        this.#interruptAll("the session has ended")
        this.close()
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
    if (next.phase._tag === "Closed") this.endAll(before, this.#outward)
    this.put(outputs, because)
    this.current = undefined
    if (outputs.some(isCancelled)) this.endWithdrawn(before, outputs)
    if (current !== undefined && !current.answered) {
      if (this.answers(current)) this.open(current)
      else current.exchange.respond(202, {})
    }
    this.endStray()
    if (this.#calls.size > 0) this.#aside.listen()
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
    void this.#look(undefined, () => this.endStray())
  }

  protected override rest(): void {
    if (this.#calls.size === 0) this.#aside.stop()
    super.rest()
    if (!this.works) for (const idle of this.#idlers.splice(0)) idle()
    this.#rested()
    if (!this.#left && !this.busy && this.common.now() - this.#kept > this.#ttlMs / 4) this.touch()
  }

  /** It is in use, or was until now. */
  touch(): void {
    this.#kept = this.common.now()
    attempt(() => this.#store.touch(this.id, this.#ttlMs), this.common.failed)
  }

  /** Nobody has used it here for as long as it is kept. Elsewhere somebody may have. */
  expire(): void {
    void this.#look(undefined, () => this.leave())
  }

  /** This process ends, and the session does not: clients find the rest of their streams elsewhere. */
  leave(): void {
    for (const outlet of this.outlets?.values() ?? []) outlet.leave((exchange) => turnAway(exchange, "stopping"))
    const { outward } = this
    this.outward = undefined
    outward?.reader?.end()
    this.#interruptAll(stopping)
    this.patience.end()
    this.drop(false)
  }

  protected override drop(ended: boolean): void {
    this.#left = true
    this.#aside.stop()
    // Of one that was never found here, nothing is known to be forgotten.
    super.drop(ended && this.#kept > -Infinity)
  }

  protected headers(message: Send["message"]): Headers {
    if (!this.#fresh || !("result" in message)) return json
    this.#fresh = false
    return { "content-type": "application/json", "mcp-session-id": this.id }
  }

  protected elsewhere(via: string, text: string, last: boolean): void {
    const kept = this.append(via, text, last)
    if (typeof kept === "string") return
    this.#waiting++
    void kept.then(() => this.#waited())
  }

  protected working(): Promise<void> | undefined {
    return this.works ? new Promise((resolve) => void this.#idlers.push(resolve)) : undefined
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
