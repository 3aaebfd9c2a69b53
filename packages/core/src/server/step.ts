/** What happens on each input, in a line each. */
import type { RequestId } from "../jsonrpc.js"
import { ask, askTimedOut } from "./ask.js"
import { closeExchange } from "./cancel.js"
import type { Compiled } from "./compiled.js"
import { abandon, drained, fallSilent, finish, resume } from "./ending.js"
import { running } from "./entry.js"
import { sealed, unsealed } from "./input.js"
import { log } from "./log.js"
import { announce, notify, updated } from "./notify.js"
import { ignored } from "./outputs.js"
import { overtaken } from "./overtaken.js"
import { progress } from "./progress.js"
import { garbled, receive } from "./receive.js"
import { argumentsRefused, failed, succeeded } from "./settle.js"
import type { InFlight, Next, State } from "./state.js"
import type { Call, Input } from "./vocabulary.js"

export function step(compiled: Compiled, state: State, input: Input): Next {
  if (state.phase._tag === "Closed") return [state, []]
  // The two of every call are not looked up.
  if (input._tag === "Received") return steps.Received(compiled, state, input)
  if (input._tag === "Succeeded") return steps.Succeeded(compiled, state, input)
  return steps[input._tag](compiled, state, input as never)
}

type Step<Tag extends Input["_tag"]> = (compiled: Compiled, state: State, input: Extract<Input, { _tag: Tag }>) => Next

/** A run of a handler is over, by one of its last words. One that comes too late finds nothing. */
const ran =
  <Word extends { readonly call: Call; readonly id: RequestId }>(
    act: (compiled: Compiled, state: State, entry: InFlight, word: Word) => Next
  ) =>
  (compiled: Compiled, state: State, word: Word): Next => {
    const entry = running(compiled, state, word)
    return entry === undefined
      ? ignored(state, undefined, word.id, "a handler's result came after its request had ended")
      : act(compiled, state, entry, word)
  }

const steps: { readonly [Tag in Input["_tag"]]: Step<Tag> } = {
  Received: receive,
  Garbled: garbled,
  Succeeded: ran(succeeded),
  Failed: ran<Extract<Input, { _tag: "Failed" }>>(failed),
  ArgumentsRefused: ran(argumentsRefused),
  NeedsInput: ran(ask),
  Sealed: sealed,
  Unsealed: unsealed,
  Progressed: progress,
  Logged: log,
  Updated: updated,
  Notified: notify,
  Changed: announce,
  Overtaken: overtaken,
  Resumed: resume,
  TimerFired: (compiled, state, { timer }) =>
    timer.of === "ask" ? askTimedOut(compiled, state, timer.call) : drained(compiled, state),
  Stopping: finish,
  InputEnded: fallSilent,
  ExchangeClosed: closeExchange,
  PeerClosed: abandon
}
