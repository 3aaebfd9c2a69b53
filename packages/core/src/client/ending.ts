/** The end of a session: every call is settled, every question taken back, once. */
import { values } from "../trie.js"
import { callOver, failed, questionOver, stop, takenBack } from "./outputs.js"
import type { Next, State } from "./state.js"
import { becoming, initial } from "./state.js"

export function close(state: State, why: string): Next {
  const calls = values(state.sent).toSorted((a, b) => a.call - b.call)
  const unanswered = values(state.questions).filter(({ response }) => response === undefined)
  const asks = [...values(state.asked), ...unanswered].toSorted((a, b) => a.ask - b.ask)
  return [
    becoming(initial, { phase: { _tag: "Closed", why }, last: state.last }),
    [
      ...(state.reopening === 0 ? [] : [stop("opening", 0)]),
      ...calls.flatMap((sent) => [...callOver(sent), failed(sent.call, { _tag: "Closed", method: sent.method, why })]),
      ...asks.flatMap((asked) => [...questionOver(asked), takenBack(asked.ask, why)]),
      { _tag: "Close", reason: why }
    ]
  ]
}
