/** A machine that remembers what it was told and asks for what the test says, driven over a channel by hand. */
import type { Machine } from "@parley/core"
import type { Closed } from "../src/channel.js"
import type { Common, Driving, Told } from "../src/drive.js"
import { drive } from "../src/drive.js"
import type { ByHand } from "./by-hand.js"
import { byHand } from "./by-hand.js"
import type { Simulated } from "./simulated.js"
import { simulated } from "./simulated.js"

export type Of = "wait"
export type Input =
  | Told<Of>
  | { readonly _tag: "Did"; readonly what: string }
  | { readonly _tag: "Ended"; readonly why: Closed }
export type Output = Common<Of> | { readonly _tag: "Do"; readonly what: string }
export type State = ReadonlyArray<string>

/** Something sent by the way of a frame, as an answer is. */
export const send = (method: string): Output => sent(method, "a")
/** Something sent of one's own accord. */
export const speak = (method: string): Output => sent(method, undefined)
const sent = (method: string, via: string | undefined): Output => ({
  _tag: "Send",
  message: { jsonrpc: "2.0", method },
  via,
  last: false,
  text: undefined
})
export const does = (what: string): Output => ({ _tag: "Do", what })

/** Remembers what it was told, and asks for what `asks` says. */
export const machine = (asks: (word: string) => ReadonlyArray<Output>): Machine<State, Input, Output> => ({
  initial: [],
  step: (state, input) => {
    const word = wordFor(input)
    return [[...state, word], asks(word)]
  },
  encode: (state) => [...state],
  decode: () => ({ ok: false, error: "malformed" }) as never
})

function wordFor(input: Input): string {
  switch (input._tag) {
    case "Received":
      return String(input.json)
    case "Garbled":
      return `garbled ${input.why} ${input.detail ?? ""}`
    case "TimerFired":
      return `fired ${input.timer.call}`
    case "Did":
      return input.what
    case "Ended":
      return `ended ${input.why._tag}`
  }
}

export interface Started {
  readonly channel: ByHand
  readonly clock: Simulated
  readonly done: Array<string>
  readonly driver: ReturnType<typeof drive<State, Input, Output, Of>>
}

export function start(
  asks: (word: string) => ReadonlyArray<Output>,
  perform?: (what: string, started: Started) => void,
  more: Partial<Driving<State, Input, Output, Of>> = {}
): Started {
  const channel = byHand()
  const clock = simulated()
  const done: Array<string> = []
  const driver = drive<State, Input, Output, Of>({
    machine: machine(asks),
    channel,
    clock,
    perform: (output) => {
      const { what } = output as { what: string }
      done.push(what)
      perform?.(what, started)
    },
    ended: (why) => ({ _tag: "Ended", why }),
    ...more
  })
  const started = { channel, clock, done, driver }
  return started
}

export const none = (): ReadonlyArray<Output> => []
