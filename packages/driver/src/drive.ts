/** Runs one machine over one channel: a step for each thing that happens, and then what the step asks for, in order. */
import type { Machine, Message, Timer } from "@parley/core"
import type { Channel, Closed, Frame, Via } from "./channel.js"
import type { Clock } from "./clock.js"
import { systemClock } from "./clock.js"
import { timers } from "./timers.js"

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
  | { readonly _tag: "Received"; readonly json: unknown; readonly via: Via }
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
   * Performs what the driver does not. May call `feed`; what it feeds is stepped after the outputs at hand. What it throws
   * stops nothing: it is thrown again in a microtask of its own, as an uncaught error.
   */
  readonly perform: (output: Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>) => void
  /** What the end of the channel is to this machine. */
  readonly ended: (why: Closed) => Input
  /** Where to go on from; the machine's initial state when absent. */
  readonly state?: State
  readonly clock?: Clock
}

export interface Driver<State, Input, Output> {
  /** Takes one step. */
  readonly feed: (input: Input) => void
  /** The state after the last step. */
  readonly state: () => State
  /** Settles when the machine has closed the channel and the channel is closed, with what ended the conversation. Never rejects. */
  readonly closed: Promise<Closed>
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
  let waiting: Array<Input | Told<Of>> = []
  let pressure: Promise<void> | undefined
  const deadlines = timers<Of>(driving.clock ?? systemClock, (timer) => feed({ _tag: "TimerFired", timer }))
  let why: Closed = { _tag: "Closed" }
  let settle: (why: Closed) => void
  const closed = new Promise<Closed>((resolve) => (settle = resolve))

  function feed(input: Input | Told<Of>): void {
    if (stepping) {
      waiting.push(input)
      return
    }
    stepping = true
    try {
      take(input)
      for (let i = 0; i < waiting.length; i++) take(waiting[i]!)
    } finally {
      if (waiting.length > 0) waiting = []
      stepping = false
    }
  }

  function take(input: Input | Told<Of>): void {
    const [next, outputs] = machine.step(state, input)
    state = next
    for (let i = 0; i < outputs.length; i++) put(outputs[i]!)
  }

  function put(output: Output | Common<Of>): void {
    const common = output as Common<Of>
    switch (common._tag) {
      case "Send":
        return push(channel.send(common))
      case "StartTimer":
        return deadlines.start(common.timer, common.ms)
      case "StopTimer":
        return deadlines.stop(common.timer)
      case "Close":
        return close(common.reason)
      default:
        return performed(output as Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>)
    }
  }

  function performed(output: Exclude<Output, { readonly _tag: Common<Of>["_tag"] }>): void {
    try {
      perform(output)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  function close(reason: string): void {
    deadlines.clear()
    void channel.close(reason).then(() => settle(why))
  }

  /** The channel is full: reading stops until there is room. */
  function push(room: void | Promise<void>): void {
    if (room === undefined) return
    pressure = room
    void room.then(() => {
      if (pressure === room) pressure = undefined
    })
  }

  function frame(frame: Frame): void | Promise<void> {
    switch (frame._tag) {
      case "Text":
        received(frame.text, frame.via)
        break
      case "Garbled":
        feed(frame)
        break
      case "Refused":
      case "SessionLost":
        break
    }
    return pressure
  }

  function received(text: string, via: Via): void {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return feed({ _tag: "Garbled", why: "json", via, detail: text.slice(0, 200) })
    }
    feed({ _tag: "Received", json, via })
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
    replace: (next) => {
      machine = next as unknown as typeof machine
    }
  }
}
