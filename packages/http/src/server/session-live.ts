/** A session whose state is in this process: each message is a step, and what it comes to is done at once. */
import type { Input, Send, ServerState } from "@parley/core/server"
import type { Accepted } from "./accept.js"
import type { Exchange, Headers } from "./exchange.js"
import type { Common } from "./session-common.js"
import type { Outward } from "./session-streaming.js"
import { json } from "./session-text.js"
import { Session } from "./session.js"

export class LiveSession extends Session {
  state: ServerState
  protected readonly stays = true
  /** Told once, when the machine has accepted the session and before its client knows. */
  #begins: ((session: LiveSession) => void) | undefined
  #stepping = false
  /** Inside the machine, where no other step can be taken. */
  #deciding = false
  #waiting: Array<Input> | undefined

  constructor(
    common: Common,
    id: string,
    principal: string | undefined,
    client: string | undefined,
    begins: (session: LiveSession) => void
  ) {
    super(common, id, principal, client)
    this.state = common.machine().initial
    this.#begins = begins
  }

  /** What came by one POST. */
  post(exchange: Exchange, came: unknown, accepts: Accepted): void {
    // What comes while a handler runs waits until that has returned.
    if (this.#stepping) return queueMicrotask(() => this.post(exchange, came, accepts))
    const current = this.currentOf(exchange, came, accepts)
    this.current = current
    this.feed(this.received(current))
    this.current = undefined
    if (!current.answered) {
      if (this.answers(current)) this.open(current)
      else exchange.respond(202, {})
    }
    this.rest()
  }

  /** The session's own stream, or the rest of one that was cut. Says whether what was asked for is there; if not, nothing is answered. */
  async get(exchange: Exchange, lastEventId: string | undefined): Promise<boolean> {
    if (lastEventId !== undefined && (await this.comeBack(exchange, lastEventId))) return true
    if (lastEventId !== undefined && !this.wasOutward(lastEventId)) return false
    this.listen(exchange)
    return true
  }

  feed(input: Input): void {
    if (this.#stepping) {
      const waiting = (this.#waiting ??= [])
      waiting.push(input)
      // What a handler says before it returns is not kept until then when it is very much.
      if (!this.#deciding && waiting.length >= most) this.#catchUp()
      return
    }
    this.#stepping = true
    try {
      this.#take(input)
      this.#catchUp()
    } finally {
      this.#waiting = undefined
      this.#stepping = false
      this.#deciding = false
    }
  }

  #catchUp(): void {
    for (let waiting = this.#waiting; waiting !== undefined; waiting = this.#waiting) {
      this.#waiting = undefined
      for (const input of waiting) this.#take(input)
    }
  }

  #take(input: Input): void {
    this.#deciding = true
    const [next, outputs] = this.common.machine().step(this.state, input)
    this.#deciding = false
    this.state = next
    this.put(outputs, input)
    if (this.outlets !== undefined) this.endCancelled(outputs)
  }

  protected headers(message: Send["message"]): Headers {
    if (this.#begins === undefined || !("result" in message)) return json
    this.#begins(this)
    this.#begins = undefined
    return { "content-type": "application/json", "mcp-session-id": this.id }
  }

  /** Whoever waited for it is gone, or is not known here. */
  protected elsewhere(): void {}

  protected interrupted(): void {}

  /** What is said goes on being said where it was asked. */
  protected working(): undefined {}

  protected unasked(text: string): void {
    const { outward } = this
    if (outward === undefined) return
    outward.reader?.comes(text.length)
    void this.append(outward.via, text, false)
  }

  /** It may come back for what is told meanwhile, for a while. */
  protected unheard(outward: Outward): void {
    this.common.deadlines.after(this.common.resumeMs, () => {
      if (outward.reader !== undefined || this.outward !== outward) return
      this.outward = undefined
      void this.append(outward.via, "", true)
    })
  }
}

/** Inputs that may wait for what is being performed to return. */
const most = 32
