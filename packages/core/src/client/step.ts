/** What happens on each input, in a line each. */
import { answer, decline } from "./ask.js"
import { progressed, timedOut } from "./asking.js"
import { call, isAwaited, unsent, withdraw } from "./call.js"
import type { Setup } from "./definition.js"
import { close } from "./ending.js"
import { notify, rootsChanged } from "./notify.js"
import { open, openingClosed, openingReplied, openingTimedOut, probeTimedOut } from "./opening.js"
import { doubt } from "./explain.js"
import { failed, ignored } from "./outputs.js"
import { isUnproven, vouched } from "./prior.js"
import { receive } from "./receive.js"
import { sessionLost, unserved } from "./reopening.js"
import { paused } from "./rounds.js"
import type { Next, State } from "./state.js"
import type { CallError, ClientTimer, Input } from "./vocabulary.js"

export function step(setup: Setup, state: State, input: Input): Next {
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
    case "Unsent": {
      const problem = { at: "", expected: `JSON: ${input.why}` }
      const failure = (method: string): CallError => ({ _tag: "ParamsInvalid", method, problem })
      const reply = { _tag: "Broken", failure } as const
      return openingReplied(setup, state, input.call, reply) ?? unsent(setup, state, input.call, problem)
    }
    case "Refused":
      return unserved(setup, state, input)
    case "SessionLost":
      return sessionLost(setup, state, input.id)
    case "Answered":
      return answer(setup, state, input)
    case "Declined":
      return decline(setup, state, input)
    case "AskProgressed":
      return progressed(setup, state, input)
    case "Notified":
      return notify(setup, state, input.method, input.params)
    case "RootsChanged":
      return [state, rootsChanged(setup, state)]
    case "Garbled": {
      const detail = input.detail === undefined ? "" : `: ${input.detail}`
      return ignored(state, undefined, undefined, `something that is not JSON (${input.why})${detail}`)
    }
    case "TimerFired":
      return fired(setup, state, input.timer)
    case "Stopping":
      return end(state, "the client closed it")
    case "PeerClosed":
      return end(state, isUnproven(state) ? `${doubt}; ${input.detail}` : input.detail)
  }
}

/** After the end a call is refused, so that every call is settled; nothing else has an effect. */
const afterwards = (state: State, why: string, input: Input): Next => [
  state,
  input._tag === "Called" ? [failed(input.call, { _tag: "NotOpen", method: input.method, why })] : []
]

function fired(setup: Setup, state: State, { of, call: number }: ClientTimer): Next {
  switch (of) {
    case "opening":
      return openingTimedOut(setup, state)
    case "probe":
      return probeTimedOut(setup, state)
    case "retry":
      return paused(setup, state, number)
    case "ask":
      return timedOut(setup, state, number)
    case "request":
    case "total": {
      const total = of === "total"
      if (!total && !isAwaited(setup, state, number)) return [state, []]
      const over = withdraw(
        setup,
        state,
        number,
        ({ method, timeoutMs, totalMs }) => {
          const ms = total ? (totalMs ?? 0) : timeoutMs
          return isUnproven(state)
            ? { _tag: "TimedOut", method, ms, total, unproven: true }
            : { _tag: "TimedOut", method, ms, total }
        },
        "timed out"
      )
      // The server may be one that does not understand us: it is asked, once.
      return over[0] === state ? over : vouched(setup, over, false)
    }
  }
}

const end = (state: State, why: string): Next => openingClosed(state, why) ?? close(state, why)
