/** What happens on each input, in a line each. */
import type { Step } from "../machine.js"
import { answer, decline, ignored } from "./ask.js"
import { call, failed, forgo, withdraw } from "./call.js"
import type { Setup } from "./definition.js"
import { close } from "./ending.js"
import { open, openingFailed, openingTimedOut } from "./opening.js"
import { receive } from "./receive.js"
import type { State } from "./state.js"
import type { ClientTimer, Input, Output } from "./vocabulary.js"

export function step(setup: Setup, state: State, input: Input): Step<State, Output> {
  if (state.phase._tag === "Closed") return afterwards(state, state.phase.why, input)
  switch (input._tag) {
    case "Open":
      return open(setup, state)
    case "Called":
      return call(setup, state, input)
    case "Received":
      return receive(setup, state, input.json, input.via)
    case "Abandoned": {
      const { reason } = input
      return withdraw(setup, state, input.call, ({ method }) => ({ _tag: "Abandoned", method, reason }), reason)
    }
    case "Unsent":
      return unsent(setup, state, input.call, input.why)
    case "Answered":
      return answer(setup, state, input.ask, input.id, input.result)
    case "Declined":
      return decline(setup, state, input.ask, input.id, input.error)
    case "Garbled":
      return ignored(
        state,
        undefined,
        `something that is not JSON (${input.why})${input.detail === undefined ? "" : `: ${input.detail}`}`
      )
    case "TimerFired":
      return fired(setup, state, input.timer)
    case "Stopping":
      return end(state, "the client closed it")
    case "PeerClosed":
      return end(state, input.detail)
  }
}

/** After the end a call is refused, so that every call is settled; nothing else has an effect. */
function afterwards(state: State, why: string, input: Input): Step<State, Output> {
  if (input._tag !== "Called") return [state, []]
  return [state, [failed(input.call, { _tag: "NotOpen", method: input.method, why })]]
}

function unsent(setup: Setup, state: State, call: number, why: string): Step<State, Output> {
  const problem = { at: "", expected: `JSON: ${why}` }
  if (state.phase._tag === "Opening" && call === state.phase.id)
    return openingFailed(state, { _tag: "ParamsInvalid", method: "initialize", problem })
  return forgo(setup, state, call, ({ method }) => ({ _tag: "ParamsInvalid", method, problem }))
}

function fired(setup: Setup, state: State, timer: ClientTimer): Step<State, Output> {
  switch (timer.of) {
    case "opening":
      return openingTimedOut(setup, state)
    case "request":
      return withdraw(
        setup,
        state,
        timer.call,
        ({ method, timeoutMs }) => ({ _tag: "TimedOut", method, ms: timeoutMs, total: false }),
        "timed out"
      )
    case "total":
      return withdraw(
        setup,
        state,
        timer.call,
        ({ method, totalMs }) => ({ _tag: "TimedOut", method, ms: totalMs ?? 0, total: true }),
        "timed out"
      )
  }
}

const end = (state: State, why: string): Step<State, Output> =>
  state.phase._tag === "Opening"
    ? openingFailed(state, { _tag: "Closed", method: "initialize", why })
    : close(state, why)
