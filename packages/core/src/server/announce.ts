/** A list changed: the client hears of it if we promised so, as soon as it may hear anything. */
import type { Family } from "../definition.js"
import { announced } from "../definition.js"
import type { Step } from "../machine.js"
import type { Compiled } from "./compiled.js"
import { spokenIn } from "./gate.js"
import type { State } from "./state.js"
import { inPhase } from "./state.js"
import type { Output } from "./vocabulary.js"

export function announce(compiled: Compiled, state: State, families: ReadonlyArray<Family>): Step<State, Output> {
  const { phase } = state
  if (phase._tag === "Opened") {
    const changed = [...new Set([...phase.changed, ...families])]
    return [inPhase(state, { _tag: "Opened", peer: phase.peer, changed }), []]
  }
  // Nobody has listed anything before the opening; the list is current by construction.
  if (phase._tag !== "Ready") return [state, []]
  const { server } = spokenIn(compiled, phase).revision
  return [state, families.flatMap((family) => notice(compiled, server, family))]
}

function notice(compiled: Compiled, rows: object, family: Family): ReadonlyArray<Output> {
  const method = `notifications/${family}/list_changed`
  if (!Object.hasOwn(rows, method) || !announced(compiled.definition.capabilities, `${family}.listChanged`)) return []
  return [{ _tag: "Send", message: { jsonrpc: "2.0", method }, via: undefined, last: false, text: undefined }]
}
