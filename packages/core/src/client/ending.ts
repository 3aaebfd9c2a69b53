/** The end of a session: every call is settled, every question taken back, once. */
import type { Step } from "../machine.js"
import { values } from "../trie.js"
import { failed, timersOff } from "./call.js"
import type { State } from "./state.js"
import { inPhase, withAsks, withSent } from "./state.js"
import { noAsks } from "./asks.js"
import type { Output } from "./vocabulary.js"
import { empty } from "../trie.js"

export function close(state: State, why: string): Step<State, Output> {
  const calls = values(state.sent).toSorted((a, b) => a.call - b.call)
  const asks = values(state.asks.open).toSorted((a, b) => a.ask - b.ask)
  return [
    inPhase(withAsks(withSent(state, empty(), state.last), noAsks), { _tag: "Closed", why }),
    [
      ...calls.flatMap((sent) => [...timersOff(sent), failed(sent.call, { _tag: "Closed", method: sent.method, why })]),
      ...asks.map(({ ask }): Output => ({ _tag: "WithdrawAsk", ask, reason: why })),
      { _tag: "Close", reason: why }
    ]
  ]
}
