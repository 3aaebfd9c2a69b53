/** A request is admitted or refused, and then answered at once or handed to a handler. */
import { holds } from "../batch.js"
import type { Failure } from "../failure.js"
import { errorOf, incapable } from "../failure.js"
import type { RequestId } from "../jsonrpc.js"
import type { RequestRow } from "../row.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { admit } from "./gate.js"
import { isRetry, unseal } from "./input.js"
import { invoke } from "./invoke.js"
import { listen } from "./listen.js"
import { setLevel } from "./log.js"
import type { Asker, From } from "./opening.js"
import { askerOf, discover, initialize, misunderstood } from "./opening.js"
import { refuse, succeed } from "./reply.js"
import { toolError } from "./settle.js"
import type { Next, Params, Served, State } from "./state.js"
import { subscribe, unsubscribe } from "./subscribe.js"
import { asTask, targetOf, undeclared, unservable } from "./target.js"
import type { Target } from "./vocabulary.js"

export function request(compiled: Compiled, state: State, sent: Served, params: Params, from: From): Next {
  const { via, batch, id, method } = sent
  const asker = askerOf(compiled, state.phase, method, params, from)
  const about: Served = { via, batch, id, method, peer: (asker as Partial<Asker>).peer }
  const wrong = refusal(compiled, state, id)
  if (wrong !== undefined) return refuse(compiled, state, about, wrong)
  if (asker._tag !== "Asker") return refuse(compiled, state, about, asker)
  if (about.batch !== undefined && !asker.spoken.revision.features.batches)
    return refuse(compiled, state, about, { _tag: "BatchRefused", why: `${asker.spoken.revision.name} has no batches` })
  const row = admit(compiled, asker, "request", method, params)
  if (!("kind" in row)) return refuse(compiled, state, about, row)
  // Every revision, basic/utilities/ping: it is answered promptly, whatever else goes on.
  if (state.stopping && row.when !== "always") return refuse(compiled, state, about, { _tag: "Stopping" })
  switch (method) {
    case "initialize":
      return initialize(compiled, state, about, params!)
    case "server/discover":
      return discover(compiled, state, about, asker)
    case "subscriptions/listen":
      return listen(compiled, state, about, params!, asker)
    case "ping":
      return succeed(compiled, state, about, {}, "{}")
    case "resources/subscribe":
      return subscribe(compiled, state, about, params!)
    case "resources/unsubscribe":
      return unsubscribe(compiled, state, about, params!)
    case "logging/setLevel":
      return setLevel(compiled, state, about, params!)
    default: {
      const [next, outputs] = serve(compiled, state, about, params, row, asker)
      return asker.wrong.length === 0
        ? [next, outputs]
        : [next, [...outputs, ...misunderstood(next, about, asker.wrong)]]
    }
  }
}

/** What is wrong with taking on a further request, whatever it asks. */
function refusal({ limits }: Compiled, state: State, id: RequestId): Failure | undefined {
  const { salt, maxInFlight: limit } = limits
  if (
    lookup(state.inFlight, id, salt) !== undefined ||
    lookup(state.listens, id, salt) !== undefined ||
    holds(state.batches, id, salt)
  )
    return { _tag: "IdInUse", id }
  return state.inFlight.size >= limit ? { _tag: "TooManyRequests", limit } : undefined
}

/** A page of what is registered, or a handler's work. */
function serve(compiled: Compiled, state: State, about: Served, params: Params, row: RequestRow, asker: Asker): Next {
  const { spoken } = asker
  const { method, peer } = about
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
  const needs = undeclared(compiled, spoken, peer!, target)
  if (needs.length === 0)
    return isRetry(row, asker, params)
      ? unseal(compiled, state, about, params!, asker)
      : invoke(compiled, state, about, params, asker, target)
  const { name, task } = target as Extract<Target, { _tag: "Tool" }>
  const missing = incapable(`The tool ${name}`, needs)
  if (spoken.revision.features.missingCapability === "error") return refuse(compiled, state, about, missing)
  // No handshake revision has an error for this; the model can read a result, when a result is what it gets.
  const { message } = errorOf(missing)
  return task === undefined
    ? succeed(compiled, state, about, toolError(message))
    : refuse(compiled, state, about, { _tag: "Chosen", code: -32602, message })
}
