/** One POST of 2026-07-28: its request comes in, its answer goes out, whole or as a stream. */
import type { Report } from "@parley/core"
import { serialise } from "@parley/core"
import type { Input, Output, ServerMachine, ServerState } from "@parley/core/server"
import type { Channel, Outgoing } from "@parley/driver"
import type { Hosted } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import type { Exchange, Stream } from "./exchange.js"
import type { Desk } from "./desk.js"
import type { Beating } from "./pulse.js"
import { sseComment, sseEvent, streamHeaders } from "./sse.js"
import { jsonHeaders, refuse, statuses } from "./status.js"

export interface PostSettings {
  readonly streamAfterMs: number
  readonly keepAliveMs: number
}

/** The only exchange of its machine. */
export const via = "post"

/**
 * Most are answered by one reply, sooner or later: for these its machine is stepped here, and no more is made. As soon as
 * anything else happens, such as progress or the end of the server, it is a channel that is served like any other.
 */
export class Post implements Channel, Beating {
  readonly cancels = "exchange"
  readonly exchange: Exchange
  readonly #accepts: Accepted
  readonly #settings: PostSettings
  readonly #desk: Desk
  readonly #machine: ServerMachine
  #state: ServerState
  #hosted: Hosted | undefined
  /** While a step is taken, and what it asks for is done: what happens meanwhile waits. */
  #stepping = false
  #waiting: Array<Input> | undefined
  /** The number of the handler's run. */
  call = 0
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

  constructor(exchange: Exchange, accepts: Accepted, settings: PostSettings, desk: Desk, machine: ServerMachine) {
    this.exchange = exchange
    this.#accepts = accepts
    this.#settings = settings
    this.#desk = desk
    this.#machine = machine
    this.#state = machine.initial
  }

  get done(): boolean {
    return this.#done
  }

  /** Nothing arrives here: whoever made the channel feeds what came. */
  open(): void {}

  abort(): void {}

  /** From now on it is served as a channel. `follow`: whether it hears of the server's changes. */
  serve(follow: boolean): Hosted {
    return (this.#hosted ??= this.#desk.serve(this, this.#machine, this.#state, follow))
  }

  feed(input: Input): void {
    if (this.#hosted === undefined && !plain.has(input._tag)) this.serve(false)
    if (this.#hosted !== undefined) {
      // Progress that nobody reads in time is left out rather than kept.
      if (input._tag !== "Progressed" || !this.#hosted.congested()) this.#hosted.feed(input)
      return
    }
    if (this.#stepping) return void (this.#waiting ??= []).push(input)
    this.#stepping = true
    try {
      this.#take(input)
    } finally {
      this.#stepping = false
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) for (const one of waiting) this.feed(one)
  }

  #take(input: Input): void {
    const before = this.#state
    const [next, outputs] = this.#machine.step(before, input)
    this.#state = next
    if (outputs.length > 1) this.stepped(outputs)
    for (const output of outputs) {
      switch (output._tag) {
        case "Send":
          try {
            void this.send(output)
          } catch {
            // It can not be written. Who serves channels knows what is said then: a step may be taken again.
            this.#state = before
            return this.serve(false).feed(input)
          }
          break
        case "StartTimer":
        case "StopTimer":
        case "Close":
          // Only a machine that stops, or asks by messages, has these.
          break
        default:
          this.#desk.perform(this, output, input)
      }
    }
  }

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
    if (this.#done) return
    this.#end()
    this.feed({ _tag: "ExchangeClosed", via })
  }

  /** What was accepted is answered, within the time for that. */
  async stop(): Promise<void> {
    const hosted = this.serve(false)
    hosted.feed({ _tag: "Stopping" })
    await hosted.closed
  }

  async close(): Promise<void> {
    if (this.#done) return
    this.#end()
    // A machine that closes has answered what it could; a platform waits for an answer all the same.
    if (this.#stream === undefined) refuse(this.exchange, { _tag: "Stopping" })
    else this.#stream.end()
  }

  #end(): void {
    if (this.#done) return
    this.#done = true
    this.onDone?.()
  }
}

/** What leads to nothing but a reply, or to the next run of a handler. */
const plain: ReadonlySet<Input["_tag"]> = new Set([
  "Received",
  "Succeeded",
  "Failed",
  "ArgumentsRefused",
  "NeedsInput",
  "Sealed",
  "Unsealed"
])
