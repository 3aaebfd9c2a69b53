/** One JSON value arrives: it is read, and goes on as a batch, a request, a notification, or the answer to a question. */
import { begin, wantsReply } from "../batch.js"
import { errorOf } from "../failure.js"
import type { Notification } from "../jsonrpc.js"
import { read } from "../jsonrpc.js"
import { answered, askHeld, misanswered } from "./ask.js"
import { cancel } from "./cancel.js"
import type { Compiled } from "./compiled.js"
import { admit, spokenIn } from "./gate.js"
import { toSession } from "./notify.js"
import type { From } from "./opening.js"
import { ignored, inTurn } from "./outputs.js"
import { refuse } from "./reply.js"
import { request } from "./request.js"
import { afterReply } from "./settle.js"
import type { About, Next, State } from "./state.js"
import { becoming, peerOf } from "./state.js"
import type { Input as Inputs, Via } from "./vocabulary.js"

export const receive = (compiled: Compiled, state: State, from: Input<"Received">): Next =>
  Array.isArray(from.json)
    ? receiveBatch(compiled, state, from.json, from)
    : receiveOne(compiled, state, from.json, from, undefined)

type Input<Tag> = Extract<Inputs, { readonly _tag: Tag }>

/** What could not be read is told so, and the session goes on. */
export const garbled = (compiled: Compiled, state: State, { why, via }: Input<"Garbled">): Next =>
  refuse(compiled, state, unread(state, via), why === "tooLarge" ? { _tag: "TooLarge" } : { _tag: "ParseFailed", why })

function receiveOne(compiled: Compiled, state: State, json: unknown, from: From, batch: number | undefined): Next {
  const { via } = from
  const peer = peerOf(state.phase)
  const envelope = read(json)
  switch (envelope._tag) {
    case "Request": {
      const { id, method, params } = envelope.message
      return request(compiled, state, { via, batch, id, method, peer }, params, from)
    }
    case "Notification":
      return notified(compiled, state, envelope.message)
    case "Result": {
      const { id, result } = envelope.message
      return answered(compiled, state, id, { _tag: "Answered", result })
    }
    case "Error": {
      const { id, error } = envelope.message
      return answered(compiled, state, id ?? undefined, { _tag: "Refused", error })
    }
    case "Malformed": {
      const { id, why, reply } = envelope
      // A broken reply is not answered: the answer could settle a request of the peer's own that has the same id.
      if (reply) return misanswered(compiled, state, id, why)
      return refuse(compiled, state, { via, batch, id, method: undefined, peer }, { _tag: "InvalidRequest", why })
    }
  }
}

/** What came by that exchange and could not be read. */
const unread = ({ phase }: State, via: Via): About => ({
  via,
  batch: undefined,
  id: undefined,
  method: undefined,
  peer: peerOf(phase)
})

/** 2025-03-26 basic, Batching: the replies go out together; a batch with nothing to answer is answered by nothing. */
function receiveBatch(compiled: Compiled, state: State, members: ReadonlyArray<unknown>, from: From): Next {
  const { via } = from
  const why = unbatched(compiled, state, members)
  if (why !== undefined) return refuse(compiled, state, unread(state, via), { _tag: "BatchRefused", why })
  const number = state.next
  const waiting = members.filter(wantsReply).length
  const batches = begin(state.batches, number, via, waiting, compiled.limits.salt)
  const begun = becoming(state, { batches, next: number + 1 })
  const [next, outputs] = inTurn(begun, members, (now, json) =>
    now.phase._tag === "Closed" ? [now, []] : receiveOne(compiled, now, json, from, number)
  )
  return afterReply(next, outputs)
}

function unbatched(compiled: Compiled, { phase }: State, members: ReadonlyArray<unknown>): string | undefined {
  if (!("peer" in phase) && compiled.handshake.length > 0)
    return "no session is open that takes batches; send one message at a time"
  const { name, features } = spokenIn(compiled, phase).revision
  if (!features.batches) return `${name} has no batches; send one message at a time`
  return members.length === 0 ? "a batch must not be empty" : undefined
}

function notified(compiled: Compiled, state: State, { method, params }: Notification): Next {
  const { phase } = state
  const teller = { spoken: spokenIn(compiled, phase), moment: phase._tag, peer: peerOf(phase) }
  const row = admit(compiled, teller, "notification", method, params)
  if (!("kind" in row)) return ignored(state, method, undefined, errorOf(row).message)
  switch (method) {
    case "notifications/initialized":
      return ready(compiled, state)
    case "notifications/cancelled":
      return cancel(compiled, state, params)
    default:
      return [state, [{ _tag: "Notice", method, params }]]
  }
}

function ready(compiled: Compiled, state: State): Next {
  if (state.phase._tag !== "Opened") return [state, []]
  const { peer, held } = state.phase
  const [next, news] = inTurn(becoming(state, { phase: { _tag: "Ready", peer } }), held, (now, one) =>
    toSession(compiled, now, one)
  )
  return [next, [...news, ...askHeld(state)]]
}
