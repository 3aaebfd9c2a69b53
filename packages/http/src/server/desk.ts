/** Where all POSTs of 2026-07-28 are served: each has a machine's state of its own, and one performer does the work of all. */
import type { Input, ServerMachine, ServerState } from "@parley/core/server"
import type { Clock } from "@parley/driver"
import type { Host, Hosted, Performable, Performer, Voice } from "@parley/server/host"
import type { Post } from "./post.js"

export class Desk {
  readonly #host: Host
  readonly #clock: Clock
  #performer: Performer | undefined
  /** Posts whose handlers run, by the numbers of their runs; but for the one that begins now. */
  readonly #running = new Map<number, Post>()
  #beginning: Post | undefined
  #voice: Voice | undefined
  #next = 1

  constructor(host: Host, clock: Clock) {
    this.#host = host
    this.#clock = clock
  }

  /** All are one conversation in reports. */
  get voice(): Voice {
    return (this.#voice ??= this.#host.voice())
  }

  /** The server's machine as it is now, with its calls numbered through. */
  machine(): ServerMachine {
    const { initial, step, encode, decode } = this.#host.machine("exchange")
    return {
      initial,
      encode,
      decode,
      step: (state, input) => {
        const taken = step(numberedFrom(state, this.#next), input)
        this.#next = Math.max(this.#next, taken[0].next)
        return taken
      }
    }
  }

  /** Takes what came. `streams`: its answer hears of the server's changes. */
  begin(post: Post, received: Input, streams: boolean): void {
    const { together } = this.#host
    if (streams || together === undefined) post.serve(streams)
    else this.#performer ??= together({ feed: this.#fed, peer: nobody, congested: never, voice: this.voice })
    const before = this.#beginning
    this.#beginning = post
    try {
      post.feed(received)
    } finally {
      this.#beginning = before
    }
  }

  /** It is not answered yet. */
  keep(post: Post): void {
    if (post.call > 0) this.#running.set(post.call, post)
  }

  /** It is answered, or nobody waits for it any more. */
  forget(post: Post): void {
    this.#running.delete(post.call)
  }

  perform(post: Post, output: Performable, because: Input): void {
    // Whoever does this comes back by that number.
    if ("call" in output && output._tag !== "Interrupt") this.#runs(post, output.call)
    try {
      this.#performer!.perform(output, because)
    } catch (error) {
      // As everywhere: it stops nothing, and is no secret.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  /** Serves a POST as a channel, from that state on. */
  serve(post: Post, machine: ServerMachine, state: ServerState, follow: boolean): Hosted {
    return this.#host.serve(post, {
      follow,
      state,
      running: follow || this.#performer === undefined ? undefined : { machine, performer: this.#of(post) },
      voice: this.voice,
      stepped: (outputs) => post.stepped(outputs),
      clock: this.#clock
    })
  }

  #of(post: Post): Performer {
    const perform: Performer["perform"] = (output, because) => this.perform(post, output, because)
    return Object.assign({}, this.#performer!, { perform })
  }

  #runs(post: Post, call: number): void {
    if (post === this.#beginning) {
      post.call = call
      return
    }
    this.#running.delete(post.call)
    post.call = call
    this.#running.set(call, post)
  }

  /** A handler says something. */
  readonly #fed = (input: Input): void => {
    const call = callOf(input)
    const post = this.#beginning?.call === call ? this.#beginning : this.#running.get(call)
    if (post !== undefined) return post.feed(input)
    // Its request has ended: what is to be said of that, any state says.
    const { step, initial } = this.#host.machine("exchange")
    for (const output of step(initial, input)[1]) if (output._tag === "Report") this.#performer!.perform(output, input)
  }
}

const nobody = (): undefined => undefined

/** Each looks to its own. */
const never = (): boolean => false

/** The number of the run that says it. */
const callOf = (input: Input): number =>
  "call" in input ? input.call : "about" in input && input.about !== undefined ? input.about.call : 0

/** Written out whole. */
const numberedFrom = (state: ServerState, next: number): ServerState => ({
  phase: state.phase,
  inFlight: state.inFlight,
  batches: state.batches,
  asked: state.asked,
  subscriptions: state.subscriptions,
  listens: state.listens,
  level: state.level,
  next,
  stopping: state.stopping,
  silent: state.silent
})
