/** One JSON value arrives: it is read, and goes on as a batch, a request, a notification, or a reply to nothing. */
import { begin, wantsReply } from "../batch.js"
import type { Malformed, Notification } from "../jsonrpc.js"
import { read } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import { cancel } from "./cancel.js"
import type { Compiled } from "./compiled.js"
import { hear, spokenIn } from "./gate.js"
import type { About } from "./reply.js"
import { refuse } from "./reply.js"
import { request } from "./request.js"
import { afterReply } from "./settle.js"
import type { State } from "./state.js"
import { inPhase, withBatches } from "./state.js"
import type { Output, Via } from "./vocabulary.js"
import { announce } from "./announce.js"

export function receive(compiled: Compiled, state: State, json: unknown, via: Via): Step<State, Output> {
  if (Array.isArray(json)) return receiveBatch(compiled, state, json, via)
  return receiveOne(compiled, state, json, { via, batch: undefined })
}

function receiveOne(compiled: Compiled, state: State, json: unknown, about: About): Step<State, Output> {
  const envelope = read(json)
  switch (envelope._tag) {
    case "Request":
      return request(compiled, state, envelope.message, about)
    case "Notification":
      return notified(compiled, state, envelope.message)
    case "Result":
    case "Error":
      return ignored(state, undefined, "a reply to no request of ours")
    case "Malformed":
      return malformed(compiled, state, envelope, about)
  }
}

function malformed(compiled: Compiled, state: State, { id, why, reply }: Malformed, about: About): Step<State, Output> {
  // A broken reply is not answered: the answer could settle a request of the peer's own that has the same id.
  if (reply) return ignored(state, undefined, `a broken reply: ${why}`)
  return refuse(compiled, state, about, id, { _tag: "InvalidRequest", why })
}

/** 2025-03-26 basic, Batching: the replies go out together; a batch with nothing to answer is answered by nothing. */
function receiveBatch(
  compiled: Compiled,
  state: State,
  members: ReadonlyArray<unknown>,
  via: Via
): Step<State, Output> {
  const about = { via, batch: undefined }
  if (!("peer" in state.phase) || !spokenIn(compiled, state.phase).revision.features.batches)
    return refuse(compiled, state, about, undefined, { _tag: "BatchRefused", why: unbatched(state) })
  if (members.length === 0)
    return refuse(compiled, state, about, undefined, { _tag: "BatchRefused", why: "a batch must not be empty" })
  const number = state.next
  const waiting = members.filter(wantsReply).length
  const batches = begin(state.batches, number, via, waiting, compiled.limits.salt)
  const outputs: Array<Output> = []
  let now = waiting === 0 ? state : withBatches(state, batches, number + 1)
  for (const json of members) {
    if (now.phase._tag === "Closed") break
    const [next, more] = receiveOne(compiled, now, json, { via, batch: number })
    for (const output of more) outputs.push(output)
    now = next
  }
  return afterReply(now, outputs)
}

const unbatched = (state: State): string =>
  "peer" in state.phase
    ? `${state.phase.peer.revision} has no batches; send one message at a time`
    : "a batch can not come before initialize"

function notified(compiled: Compiled, state: State, { method, params }: Notification): Step<State, Output> {
  const row = hear(compiled, state.phase, method, params)
  if (typeof row === "string") return ignored(state, method, row)
  switch (method) {
    case "notifications/initialized":
      return ready(compiled, state)
    case "notifications/cancelled":
      return cancel(compiled, state, params)
    default:
      return [state, [{ _tag: "Notice", method, params }]]
  }
}

function ready(compiled: Compiled, state: State): Step<State, Output> {
  if (state.phase._tag !== "Opened") return [state, []]
  const { peer, changed } = state.phase
  const next = inPhase(state, { _tag: "Ready", peer })
  return announce(compiled, next, changed)
}

const ignored = (state: State, method: string | undefined, why: string): Step<State, Output> => [
  state,
  [{ _tag: "Report", report: { _tag: "Ignored", method, id: undefined, why } }]
]
