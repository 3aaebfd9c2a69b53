/** Runs one machine over one channel: a step for each thing that happens, and then what the step asks for, in order. */
import type { Machine, Message, Timer } from "@parley/core"
import { spelled } from "@parley/core"
import type { Came, Channel, Closed, Frame, Outgoing, Unserved, Via } from "./channel.js"
import type { Clock } from "./clock.js"
import { systemClock } from "./clock.js"
import { timers } from "./timers.js"
import { tooManyValues } from "./weight.js"

/** What every machine's outputs have in common; the driver performs these itself. */
export type Common<Of extends string> =
  | {
      readonly _tag: "Send"
      readonly message: Message | ReadonlyArray<Message>
      readonly via: Via | undefined
      readonly last: boolean
      readonly text: string | undefined
    }
  | { readonly _tag: "StartTimer"; readonly timer: Timer<Of>; readonly ms: number }
  | { readonly _tag: "StopTimer"; readonly timer: Timer<Of> }
  | { readonly _tag: "Close"; readonly reason: string }

/** What every machine can be told. */
export type Told<Of extends string> =
  | ({ readonly _tag: "Received"; readonly json: unknown; readonly via: Via } & Came)
  | {
      readonly _tag: "Garbled"
      readonly why: "utf8" | "json" | "tooLarge"
      readonly via: Via
      readonly detail?: string
    }
  | { readonly _tag: "TimerFired"; readonly timer: Timer<Of> }

export interface Driving<State, Input, Output, Of extends string> {
  readonly machine: Machine<State, Input | Told<Of>, Output | Common<Of>>
  readonly channel: Channel
  /**
   * Performs what the driver does not. May call `feed`; what it feeds is stepped after the outputs at hand, or sooner when it
   * feeds very much. What it throws stops nothing: it is thrown again in a microtask of its own, as an uncaught error.
   * `because`: the input whose step put it out.
   */
  readonly perform: (output: Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>, because: Input | Told<Of>) => void
  /** Told what a step comes to, before any of it is done. */
  readonly stepped?: ((outputs: ReadonlyArray<Output | Common<Of>>) => void) | undefined
  /** What the end of the channel is to this machine. */
  readonly ended: (why: Closed) => Input
  /** What the end of one exchange is to this machine, where it is something. */
  readonly hungUp?: (via: Via) => Input
  /** What it is to this machine that something was not served, where it is something. */
  readonly unserved?: (frame: Unserved) => Input
  /** What a channel with headers is to say in them of this message. */
  readonly headed?: (message: Outgoing["message"]) => Pick<Outgoing, "revision" | "mirror">
  /** Where to go on from; the machine's initial state when absent. */
  readonly state?: State
  readonly clock?: Clock
  /**
   * Answers that may wait while the channel is full, before reading stops. Default 0: a server takes no more work than it can
   * answer. Somebody must go on reading when both directions are full, or both wait for ever; that is the client, whose own
   * requests never keep it from reading the replies.
   */
  readonly patience?: number
  /** Told of what the channel could not write as JSON; a reply is replaced by an error before. */
  readonly unsent?: (message: Message, error: unknown) => void
  /** Asked of each message while the channel is full: `true` leaves it out. What nobody waits for would else wait without bound. */
  readonly spare?: (message: Message) => boolean
  /** Told each time a full channel has room again. May call `feed`. */
  readonly eased?: () => void
}

export interface Driver<State, Input, Output> {
  /** Takes one step. */
  readonly feed: (input: Input) => void
  /** The state after the last step. */
  readonly state: () => State
  /** Settles when the machine has closed the channel and the channel is closed, with what ended the conversation. Never rejects. */
  readonly closed: Promise<Closed>
  /** Whether the channel has asked to wait: what can be left out should be. */
  readonly congested: () => boolean
  /** Another machine over the same state, from the next step on. */
  readonly replace: (machine: Machine<State, Input, Output>) => void
}

export function drive<State, Input, Output, Of extends string>(
  driving: Driving<State, Input, Output, Of>
): Driver<State, Input, Output> {
  const { channel, perform } = driving
  let { machine } = driving
  let state = driving.state ?? machine.initial
  let stepping = false
  /** Inside the machine, where no other step can be taken. */
  let deciding = false
  let waiting: Array<Input | Told<Of>> = []
  /** How many of those were taken. */
  let taken = 0
  let pressure: Promise<void> | undefined
  /** Answers given since the channel is full. */
  let owed = 0
  const patience = driving.patience ?? 0
  const headed = channel.headers === true ? driving.headed : undefined
  const deadlines = timers<Of>(driving.clock ?? systemClock, (timer) => feed({ _tag: "TimerFired", timer }))
  let why: Closed = { _tag: "Closed" }
  let settle: (why: Closed) => void
  const closed = new Promise<Closed>((resolve) => (settle = resolve))

  function feed(input: Input | Told<Of>): void {
    if (stepping) {
      waiting.push(input)
      // What performs an output may say very much before it returns: that is not kept until then.
      if (!deciding && waiting.length - taken >= most) catchUp()
      return
    }
    stepping = true
    try {
      take(input)
      catchUp()
    } finally {
      if (waiting.length > 0) waiting = []
      taken = 0
      stepping = false
      deciding = false
    }
  }

  function catchUp(): void {
    while (taken < waiting.length) take(waiting[taken++]!)
    if (taken > 0) waiting = []
    taken = 0
  }

  function take(input: Input | Told<Of>): void {
    deciding = true
    const [next, outputs] = machine.step(state, input)
    deciding = false
    state = next
    driving.stepped?.(outputs)
    for (let i = 0; i < outputs.length; i++) put(outputs[i]!, input)
  }

  function put(output: Output | Common<Of>, because: Input | Told<Of>): void {
    const common = output as Common<Of>
    switch (common._tag) {
      case "Send":
        return send(common)
      case "StartTimer":
        return deadlines.start(common.timer, common.ms)
      case "StopTimer":
        return deadlines.stop(common.timer)
      case "Close":
        return close(common.reason)
      default:
        return performed(output as Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>, because)
    }
  }

  function performed(output: Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>, because: Input | Told<Of>): void {
    try {
      perform(output, because)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  function close(reason: string): void {
    deadlines.clear()
    void Promise.resolve(channel.close(reason)).then(() => settle(why))
  }

  function send(out: Outgoing): void {
    if (pressure !== undefined && spared(out.message)) return
    let room: void | Promise<void>
    try {
      room = channel.send(headed === undefined ? out : { ...out, ...headed(out.message) })
    } catch (error) {
      return resend(out, error)
    }
    // A channel without types may return anything, such as how much it holds.
    if (!isThenable(room)) return
    const full = (pressure = Promise.resolve(room))
    if (out.via !== undefined) owed++
    void full.then(() => {
      if (pressure !== full) return
      pressure = undefined
      owed = 0
      driving.eased?.()
    })
  }

  const spared = (message: Outgoing["message"]): boolean =>
    !Array.isArray(message) && driving.spare?.(message as Message) === true

  /** Something in there is no JSON, such as a bigint or a circle: who waits for it is told, and the rest still goes out. */
  function resend(out: Outgoing, error: unknown): void {
    const { via, last } = out
    const messages: ReadonlyArray<Message> = Array.isArray(out.message) ? out.message : [out.message as Message]
    const sendable = messages.flatMap((message) => plain(message) ?? instead(message, error))
    if (sendable.length > 0) send({ message: Array.isArray(out.message) ? sendable : sendable[0]!, via, last })
  }

  function instead(message: Message, error: unknown): ReadonlyArray<Message> {
    driving.unsent?.(message, error)
    if (!("result" in message)) return []
    return [{ jsonrpc: "2.0", id: message.id, error: spelled({ _tag: "ResultInvalid", method: "the request" }) }]
  }

  function frame(frame: Frame): void | Promise<void> {
    switch (frame._tag) {
      case "Text":
        received(frame.text, frame)
        break
      case "Parsed":
        receivedJson(frame.json, frame)
        break
      case "ExchangeClosed":
        if (driving.hungUp !== undefined) feed(driving.hungUp(frame.via))
        break
      case "Garbled":
        feed(frame)
        break
      case "Refused":
      case "SessionLost":
        if (driving.unserved !== undefined) feed(driving.unserved(frame))
        break
    }
    return owed > patience ? pressure : undefined
  }

  function received(text: string, frame: Arrived): void {
    const { via } = frame
    if (tooManyValues(text)) return feed({ _tag: "Garbled", why: "tooLarge", via, detail: "it holds too many values" })
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return feed({ _tag: "Garbled", why: "json", via, detail: text.slice(0, 200) })
    }
    receivedJson(json, frame)
  }

  function receivedJson(json: unknown, { via, principal, header, context }: Arrived): void {
    feed({ _tag: "Received", json, via, principal, header, context })
  }

  channel.open({
    frame,
    closed: (reason) => {
      why = reason
      feed(driving.ended(reason))
    }
  })

  return {
    feed,
    state: () => state,
    closed,
    congested: () => pressure !== undefined,
    replace: (next) => {
      machine = next as unknown as typeof machine
    }
  }
}

type Arrived = Came & { readonly via: Via }

const isThenable = (value: unknown): value is PromiseLike<void> =>
  typeof value === "object" && value !== null && "then" in value

/** Inputs that may wait for what is being performed to return. */
const most = 32

/** The message as JSON has it, which can be written whatever its own members do the next time; nothing when it is no JSON. */
function plain(message: Message): ReadonlyArray<Message> | undefined {
  try {
    return [JSON.parse(JSON.stringify(message)) as Message]
  } catch {
    return undefined
  }
}
