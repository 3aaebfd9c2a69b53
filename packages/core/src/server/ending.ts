/** The end of a session: in peace, when what was accepted is answered, or at once, when nobody can hear the answers. */
import type { Step } from "../machine.js"
import { values } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { fail } from "./settle.js"
import type { InFlight, State } from "./state.js"
import { closed, stopped } from "./state.js"
import type { Output } from "./vocabulary.js"
import { drain } from "./vocabulary.js"

/** Takes no further requests, waits for those in flight, then closes. */
export function stop(compiled: Compiled, state: State): Step<State, Output> {
  if (state.stopping) return [state, []]
  if (state.inFlight.size === 0) return [closed(state), [{ _tag: "Close", reason: "stopped" }]]
  return [stopped(state), [{ _tag: "StartTimer", timer: drain, ms: compiled.limits.drainMs }]]
}

/** The wait is over: what still runs is interrupted and answered with an error. A timer that fires late finds nothing to do. */
export function drained(compiled: Compiled, state: State): Step<State, Output> {
  if (!state.stopping) return [state, []]
  return endAll(state, (now, entry) => {
    const [next, outputs] = fail(compiled, now, entry, { _tag: "Stopping" })
    return [next, [{ _tag: "Interrupt", call: entry.call, reason: "the server is stopping" }, ...outputs]]
  })
}

/** Nobody hears us: handlers are interrupted and nothing is sent. */
export function abandon(state: State): Step<State, Output> {
  const interrupts = inOrder(state).map((entry): Output => ({
    _tag: "Interrupt",
    call: entry.call,
    reason: "the client is gone"
  }))
  const timers: ReadonlyArray<Output> = state.stopping ? [{ _tag: "StopTimer", timer: drain }] : []
  return [closed(state), [...interrupts, ...timers, { _tag: "Close", reason: "the client is gone" }]]
}

/** What ran where this state comes from is run again when its tool says that is harmless, and settled as failed otherwise. */
export function resume(compiled: Compiled, state: State): Step<State, Output> {
  return endAll(state, (now, entry) => {
    if (entry.again === undefined || !compiled.tools.has(entry.tool ?? "") || !("peer" in now.phase))
      return fail(compiled, now, entry, { _tag: "Interrupted" })
    const { arguments: given, _meta: meta } = entry.again as { arguments?: {}; _meta?: {} }
    const target = { _tag: "Tool", name: entry.tool!, arguments: given ?? {} } as const
    const { call, id, token } = entry
    return [now, [{ _tag: "Invoke", call, id, target, peer: now.phase.peer, meta, progress: token !== undefined }]]
  })
}

function endAll(state: State, end: (state: State, entry: InFlight) => Step<State, Output>): Step<State, Output> {
  const outputs: Array<Output> = []
  let now = state
  for (const entry of inOrder(state)) {
    const [next, more] = end(now, entry)
    for (const output of more) outputs.push(output)
    now = next
  }
  return [now, outputs]
}

const inOrder = (state: State): ReadonlyArray<InFlight> => values(state.inFlight).toSorted((a, b) => a.call - b.call)
