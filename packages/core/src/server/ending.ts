/** The end of a session: in peace, when what was accepted is answered, or at once, when nobody can hear the answers. */
import { member } from "../json.js"
import { empty } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { changed, inOrder, interrupt, waits } from "./entry.js"
import { staged } from "./input.js"
import { invocation } from "./invoke.js"
import { endListens } from "./listen.js"
import { inTurn, start, stop, timerOf } from "./outputs.js"
import { fail } from "./settle.js"
import type { InFlight, Next, State } from "./state.js"
import { becoming, closed } from "./state.js"
import { drain } from "./vocabulary.js"

/** Takes no further requests, waits for those in flight, then closes. */
export function finish(compiled: Compiled, state: State): Next {
  if (state.stopping) return [state, []]
  const [quiet, outputs] = endListens(compiled, state)
  if (state.inFlight.size === 0) return [closed(quiet), [...outputs, { _tag: "Close", reason: "stopped" }]]
  return [becoming(quiet, { stopping: true }), [...outputs, start(drain, compiled.limits.drainMs)]]
}

/** Takes no further requests either, and answers what waits for the client: it will not answer any more. */
export function fallSilent(compiled: Compiled, state: State): Next {
  const [stopping, outputs] = finish(compiled, state)
  const silent = becoming(stopping, { silent: true })
  const [next, refusals] = inTurn(silent, inOrder(silent).filter(waits), (now, entry) =>
    fail(compiled, now, entry, { _tag: "Stopping" })
  )
  return [next, [...outputs, ...refusals]]
}

/** The wait is over: what still runs is interrupted and answered with an error. A timer that fires late finds nothing to do. */
export function drained(compiled: Compiled, state: State): Next {
  if (!state.stopping) return [state, []]
  return inTurn(state, inOrder(state), (now, entry) => {
    const [next, outputs] = fail(compiled, now, entry, { _tag: "Stopping" })
    return [next, [...interrupt(entry, "the server is stopping"), ...outputs]]
  })
}

/** Nobody hears us: handlers are interrupted and nothing is sent. */
export function abandon(_: Compiled, state: State): Next {
  const entries = inOrder(state)
  const interrupts = entries.flatMap((entry) => interrupt(entry, "the client is gone"))
  const timers = entries.flatMap(asksOf).map(stop)
  if (state.stopping) timers.push(stop(drain))
  return [closed(state), [...interrupts, ...timers, { _tag: "Close", reason: "the client is gone" }]]
}

/**
 * What ran where this state comes from is run again when its tool says that is harmless, and settled as failed otherwise.
 * A request that waits for the client's answers goes on waiting. A stream goes on where its exchange did not end with the process.
 */
export function resume(compiled: Compiled, state: State): Next {
  const { askMs, drainMs, cancels } = compiled.limits
  const left = cancels === "message" ? state : becoming(state, { listens: empty() })
  const [next, outputs] = inTurn(left, inOrder(left), (now, entry) => {
    if (waits(entry)) return [now, asksOf(entry).map((timer) => start(timer, askMs))]
    const again = staged(entry)
    if (again !== undefined) return [now, again]
    if (!harmless(compiled, entry)) return fail(compiled, now, entry, { _tag: "Interrupted" })
    return [changed(compiled, now, entry, { passed: 0 }), [invocation(entry)]]
  })
  // The wait of the other process went with it.
  return [next, next.stopping && next.phase._tag !== "Closed" ? [start(drain, drainMs), ...outputs] : outputs]
}

function harmless({ tools }: Compiled, { method, params }: InFlight): boolean {
  const tool = method === "tools/call" ? tools.get(params?.["name"] as string) : undefined
  return member(tool?.["annotations"], "idempotentHint") === true
}

/** The timers of its open questions. */
const asksOf = ({ asking }: InFlight) => (asking?.open ?? []).map(({ ask }) => timerOf(ask))
