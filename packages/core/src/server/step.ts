/** What happens on each input, in a line each. */
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
import { receive, unread } from "./receive.js"
import { refuse } from "./reply.js"
import { argumentsRefused, failed, succeeded } from "./settle.js"
import type { Next, State } from "./state.js"
import type { Input } from "./vocabulary.js"

export function step(compiled: Compiled, state: State, input: Input): Next {
  if (state.phase._tag === "Closed") return [state, []]
  switch (input._tag) {
    case "Received":
      return receive(compiled, state, input.json, input)
    case "Succeeded":
    case "Failed":
    case "ArgumentsRefused":
    case "NeedsInput":
      return ran(compiled, state, input)
    case "Sealed":
      return sealed(compiled, state, input)
    case "Unsealed":
      return unsealed(compiled, state, input)
    case "Progressed":
      return progress(compiled, state, input)
    case "Logged":
      return log(compiled, state, input)
    case "Updated":
      return updated(compiled, state, input.uri)
    case "Notified":
      return notify(compiled, state, input.method, input.params)
    case "Changed":
      return announce(compiled, state, input.families)
    case "Garbled": {
      const { why, via } = input
      const failure = why === "tooLarge" ? ({ _tag: "TooLarge" } as const) : ({ _tag: "ParseFailed", why } as const)
      return refuse(compiled, state, unread(state, via), failure)
    }
    case "Overtaken":
      return overtaken(compiled, state, input.id, input.taskId)
    case "Resumed":
      return resume(compiled, state)
    case "TimerFired":
      return input.timer.of === "ask" ? askTimedOut(compiled, state, input.timer.call) : drained(compiled, state)
    case "Stopping":
      return finish(compiled, state)
    case "InputEnded":
      return fallSilent(compiled, state)
    case "ExchangeClosed":
      return closeExchange(compiled, state, input.via)
    case "PeerClosed":
      return abandon(state)
  }
}

/** A run of a handler is over, by one of its last words. One that comes too late finds nothing. */
function ran(compiled: Compiled, state: State, input: LastWord): Next {
  const entry = running(compiled, state, input.call, input.id)
  if (entry === undefined)
    return ignored(state, undefined, input.id, "a handler's result came after its request had ended")
  switch (input._tag) {
    case "Succeeded":
      return succeeded(compiled, state, entry, input.result)
    case "Failed":
      return failed(compiled, state, entry, input.failure)
    case "ArgumentsRefused":
      return argumentsRefused(compiled, state, entry, input.why)
    case "NeedsInput":
      return ask(compiled, state, entry, input)
  }
}

type LastWord = Extract<Input, { _tag: "Succeeded" | "Failed" | "ArgumentsRefused" | "NeedsInput" }>
