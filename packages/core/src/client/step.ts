/** What happens on each input, and when each timer fires, in a line each. */
import { answer, askTimedOut, decline } from "./ask.js"
import { progressed } from "./asking.js"
import { abandoned, call, callTimedOut, unsent } from "./call.js"
import type { Setup } from "./definition.js"
import { doubt } from "./explain.js"
import { notify, rootsChanged } from "./notify.js"
import { end, open, openingTimedOut, probeTimedOut } from "./opening.js"
import { failed, ignored } from "./outputs.js"
import { isUnproven } from "./prior.js"
import { receive } from "./receive.js"
import { sessionLost, unserved } from "./reopening.js"
import { paused } from "./rounds.js"
import type { Next, State } from "./state.js"
import type { ClientTimer, Input } from "./vocabulary.js"

export function step(setup: Setup, state: State, input: Input): Next {
  const { phase } = state
  if (phase._tag !== "Closed") return (inputs[input._tag] as Does<Input>)(setup, state, input)
  // After the end a call is refused, so that every call is settled; nothing else has an effect.
  if (input._tag !== "Called") return [state, []]
  return [state, [failed(input.call, { _tag: "NotOpen", method: input.method, why: phase.why })]]
}

type Does<A> = (setup: Setup, state: State, what: A) => Next

const inputs: { readonly [Tag in Input["_tag"]]: Does<Extract<Input, { readonly _tag: Tag }>> } = {
  Open: open,
  Called: call,
  Received: receive,
  Abandoned: abandoned,
  Unsent: unsent,
  Refused: unserved,
  SessionLost: sessionLost,
  Answered: answer,
  Declined: decline,
  AskProgressed: progressed,
  Notified: notify,
  RootsChanged: rootsChanged,
  Garbled: (_, state, { why, detail }) =>
    ignored(state, `something that is not JSON (${why})${detail === undefined ? "" : `: ${detail}`}`),
  TimerFired: (setup, state, { timer }) => timers[timer.of](setup, state, timer),
  Stopping: (_, state) => end(state, "the client closed it"),
  PeerClosed: (_, state, { detail }) => end(state, isUnproven(state) ? `${doubt}; ${detail}` : detail)
}

const timers: { readonly [Of in ClientTimer["of"]]: Does<ClientTimer> } = {
  opening: openingTimedOut,
  probe: probeTimedOut,
  request: callTimedOut,
  total: callTimedOut,
  ask: askTimedOut,
  retry: paused
}
