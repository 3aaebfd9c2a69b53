/** One POST of 2026-07-28 as a channel: its request comes in, its answer goes out, whole or as a stream. */
import type { Report } from "@parley/core"
import { serialise } from "@parley/core"
import type { Output } from "@parley/core/server"
import type { Channel, Outgoing } from "@parley/driver"
import type { Accepted } from "./accept.js"
import type { Exchange, Stream } from "./exchange.js"
import type { Beating } from "./pulse.js"
import { sseComment, sseEvent, streamHeaders } from "./sse.js"
import { jsonHeaders, statuses } from "./status.js"

export interface PostSettings {
  readonly streamAfterMs: number
  readonly keepAliveMs: number
}

/** The only exchange of its machine. */
export const via = "post"

export class Post implements Channel, Beating {
  readonly cancels = "exchange"
  readonly exchange: Exchange
  readonly #accepts: Accepted
  readonly #settings: PostSettings
  /** Called once, when the answer has ended or nobody waits for it any more. */
  onDone: (() => void) | undefined
  #status = 200
  #stream: Stream | undefined
  #done = false
  /** While the stream is full. */
  #full: Promise<void> | undefined
  /** Since when nothing was sent, by the clock of whoever beats. */
  #since = 0
  #spoke = false

  constructor(exchange: Exchange, accepts: Accepted, settings: PostSettings) {
    this.exchange = exchange
    this.#accepts = accepts
    this.#settings = settings
  }

  get done(): boolean {
    return this.#done
  }

  /** Nothing arrives here: whoever made the channel feeds what came. */
  open(): void {}

  abort(): void {}

  /** What a step comes to, before it is sent: the status follows from why something is refused. */
  stepped(outputs: ReadonlyArray<Output>): void {
    for (const output of outputs) if (output._tag === "Report") this.#judge(output.report)
  }

  #judge(report: Report): void {
    if (report._tag === "Refused") this.#status = statuses[report.failure._tag]
  }

  send({ message, last, text }: Outgoing): void | Promise<void> {
    if (this.#done) return
    const json = text ?? serialise(message)
    if (this.#stream === undefined) {
      // What is refused is said in JSON, whatever else the client would rather have.
      if (last && (this.#accepts.json || this.#status !== 200)) {
        this.#end()
        return this.exchange.respond(this.#status, jsonHeaders, json)
      }
      // Only the answer is of use to who takes no stream.
      if (!this.#accepts.events) return
    }
    return this.#write(sseEvent(json), last)
  }

  #write(text: string, last: boolean): void | Promise<void> {
    const stream = (this.#stream ??= this.exchange.stream(200, streamHeaders))
    this.#spoke = true
    const room = stream.write(text)
    if (last) {
      this.#end()
      stream.end()
      return
    }
    if (room === undefined) return
    this.#full = room
    void room.then(() => {
      if (this.#full === room) this.#full = undefined
    })
    return room
  }

  /** From now on others wait for it. */
  waits(now: number): void {
    this.#since = now
    if (this.#settings.streamAfterMs === 0) this.beat(now)
  }

  beat(now: number): void {
    if (this.#done) return
    const { streamAfterMs, keepAliveMs } = this.#settings
    if (this.#spoke) {
      this.#spoke = false
      this.#since = now
    } else if (now - this.#since >= (this.#stream === undefined ? streamAfterMs : keepAliveMs)) {
      this.#since = now
      // A reader that does not keep up is alive, or will be cut; what it need not read would only wait.
      if (this.#accepts.events && this.#full === undefined) void this.#write(sseComment, false)
    }
  }

  /** The client is gone. */
  gone(): void {
    this.#end()
  }

  async close(): Promise<void> {
    if (this.#done) return
    this.#end()
    // A machine that closes has answered what it could; a platform waits for an answer all the same.
    if (this.#stream === undefined) this.exchange.respond(503, jsonHeaders)
    else this.#stream.end()
  }

  #end(): void {
    if (this.#done) return
    this.#done = true
    this.onDone?.()
  }
}
