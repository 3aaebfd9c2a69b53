/** A task went on while its questions waited for answers: they are taken back, and who waits for its result looks again. */
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { changed, waits } from "./entry.js"
import { invocation } from "./invoke.js"
import type { Next, State } from "./state.js"
import type { Input } from "./vocabulary.js"
import { withdraw } from "./withdraw.js"

/** Nothing when that request is over, runs, or is about another task: its id may be in use again. */
export function overtaken(
  compiled: Compiled,
  state: State,
  { id, taskId }: Extract<Input, { _tag: "Overtaken" }>
): Next {
  const entry = lookup(state.inFlight, id, compiled.limits.salt)
  if (entry?.asking === undefined || !waits(entry) || entry.params?.["taskId"] !== taskId) return [state, []]
  const [quiet, withdrawals] = withdraw(compiled, state, entry, "the task has gone on without an answer")
  const { answers, once } = entry.asking
  const next = changed(compiled, quiet, entry, { asking: { open: [], answers, once }, passed: 0 })
  const again = lookup(next.inFlight, id, compiled.limits.salt)!
  return [next, [...withdrawals, invocation(again)]]
}
