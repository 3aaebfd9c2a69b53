/** What happens on each input, in a line each. */
import type { Step } from "../machine.js"
import { announce } from "./announce.js"
import type { Compiled } from "./compiled.js"
import { abandon, drained, resume, stop } from "./ending.js"
import { progress } from "./progress.js"
import { receive } from "./receive.js"
import { refuse } from "./reply.js"
import { argumentsRefused, failed, succeeded } from "./settle.js"
import type { State } from "./state.js"
import type { Input, Output } from "./vocabulary.js"

export function step(compiled: Compiled, state: State, input: Input): Step<State, Output> {
  if (state.phase._tag === "Closed") return [state, []]
  switch (input._tag) {
    case "Received":
      return receive(compiled, state, input.json, input.via)
    case "Succeeded":
      return succeeded(compiled, state, input.call, input.id, input.result)
    case "Failed":
      return failed(compiled, state, input.call, input.id, input.failure)
    case "ArgumentsRefused":
      return argumentsRefused(compiled, state, input.call, input.id, input.why)
    case "Progressed":
      return progress(compiled, state, input)
    case "Changed":
      return announce(compiled, state, input.families)
    case "Garbled":
      return garbled(compiled, state, input)
    case "Resumed":
      return resume(compiled, state)
    case "TimerFired":
      return drained(compiled, state)
    case "Stopping":
      return stop(compiled, state)
    case "ExchangeClosed":
      // 2025-03-26 basic/transports: disconnection SHOULD NOT be interpreted as the client cancelling its request.
      return [state, []]
    case "PeerClosed":
      return abandon(state)
  }
}

function garbled(
  compiled: Compiled,
  state: State,
  { why, via }: Extract<Input, { _tag: "Garbled" }>
): Step<State, Output> {
  const failure = why === "tooLarge" ? ({ _tag: "TooLarge" } as const) : ({ _tag: "ParseFailed", why } as const)
  return refuse(compiled, state, { via, batch: undefined }, undefined, failure)
}
