/** A request is admitted or refused, and then answered at once or handed to a handler. */
import { holds } from "../batch.js"
import type { Failure } from "../failure.js"
import type { RequestId } from "../jsonrpc.js"
import type { RequestRow } from "../row.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { admit, spokenIn } from "./gate.js"
import { invoke } from "./invoke.js"
import { setLevel } from "./log.js"
import { initialize } from "./opening.js"
import { refuse, succeed } from "./reply.js"
import { toolError } from "./settle.js"
import type { Next, Params, Served, State } from "./state.js"
import { subscribe, unsubscribe } from "./subscribe.js"
import { asTask, lacking, targetOf, unservable } from "./target.js"

export function request(compiled: Compiled, state: State, about: Served, params: Params): Next {
  const row = refusal(compiled, state, about.id) ?? admit(compiled, state.phase, about.method, params)
  if (!("kind" in row)) return refuse(compiled, state, about, row)
  // Every revision, basic/utilities/ping: it is answered promptly, whatever else goes on.
  if (state.stopping && row.when !== "always") return refuse(compiled, state, about, { _tag: "Stopping" })
  switch (about.method) {
    case "initialize":
      return initialize(compiled, state, about, params!)
    case "ping":
      return succeed(compiled, state, about, {}, "{}")
    case "resources/subscribe":
      return subscribe(compiled, state, about, params!)
    case "resources/unsubscribe":
      return unsubscribe(compiled, state, about, params!)
    case "logging/setLevel":
      return setLevel(compiled, state, about, params!)
    default:
      return serve(compiled, state, about, params, row)
  }
}

/** What is wrong with taking on a further request, whatever it asks. */
function refusal({ limits }: Compiled, state: State, id: RequestId): Failure | undefined {
  const { salt, maxInFlight: limit } = limits
  if (lookup(state.inFlight, id, salt) !== undefined || holds(state.batches, id, salt)) return { _tag: "IdInUse", id }
  return state.inFlight.size >= limit ? { _tag: "TooManyRequests", limit } : undefined
}

/** A page of what is registered, or a handler's work. */
function serve(compiled: Compiled, state: State, about: Served, params: Params, row: RequestRow): Next {
  if (!("peer" in state.phase)) return [state, []]
  const { method } = about
  const { peer } = state.phase
  const spoken = spokenIn(compiled, state.phase)
  const pages = spoken.lists.get(method)
  if (pages !== undefined) {
    const cursor = params?.["cursor"] as string | undefined
    const page = cursor === "" ? undefined : pages(cursor ?? "")
    if (page === undefined) return refuse(compiled, state, about, { _tag: "CursorInvalid", method, cursor: cursor! })
    return succeed(compiled, state, about, page.result, page.text)
  }
  const target = targetOf({ method, params, task: asTask(compiled, row, params) })
  const failure = unservable(compiled, row, target)
  if (failure !== undefined) return refuse(compiled, state, about, failure)
  if (target._tag !== "Tool") return invoke(compiled, state, about, params, peer, target)
  const need = lacking(compiled, spoken, peer, target.name)
  if (need === undefined) return invoke(compiled, state, about, params, peer, target)
  // No handshake revision has an error for this; the model can read a result, when a result is what it gets.
  const why = `it needs the client capability ${need}, which was not declared`
  return target.task === undefined
    ? succeed(compiled, state, about, toolError(`This tool can not be used here: ${why}.`))
    : refuse(compiled, state, about, { _tag: "ArgumentsInvalid", tool: target.name, why })
}
