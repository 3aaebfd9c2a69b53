/** One JSON value arrives from the server: a reply settles a call, a request is a question, a notification is heard. */
import { begin, wantsReply } from "../batch.js"
import { problem } from "../check.js"
import { spelled } from "../failure-of-either.js"
import type { Malformed, Notification } from "../jsonrpc.js"
import { read } from "../jsonrpc.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import { asked, withdrawAsk } from "./ask.js"
import { progress, replied } from "./call.js"
import type { Setup } from "./definition.js"
import { admit, revisionIn } from "./gate.js"
import { onStream, streamCancelled } from "./listen.js"
import { after, each, ignored } from "./outputs.js"
import { deliver, refuse } from "./reply.js"
import type { Next, State, Way } from "./state.js"
import { becoming } from "./state.js"
import type { CallError, Input } from "./vocabulary.js"

type Received = Extract<Input, { readonly _tag: "Received" }>

export const receive = (setup: Setup, state: State, { json, via }: Pick<Received, "json" | "via">): Next =>
  Array.isArray(json)
    ? receiveBatch(setup, state, json, via)
    : receiveOne(setup, state, json, { via, batch: undefined })

function receiveOne(setup: Setup, state: State, json: unknown, way: Way): Next {
  const envelope = read(json)
  switch (envelope._tag) {
    case "Result":
    case "Error": {
      const { id } = envelope.message
      const why =
        envelope._tag === "Error" ? envelope.message.error.message : "a reply to no request of ours that is in flight"
      return replied(setup, state, id, envelope) ?? ignored(state, why, id ?? undefined)
    }
    case "Request":
      return asked(setup, state, envelope.message, way)
    case "Notification":
      return notified(setup, state, envelope.message)
    case "Malformed":
      return malformed(setup, state, envelope, way, json)
  }
}

function notified(setup: Setup, state: State, { method, params }: Notification): Next {
  const row = admit(setup, state, "notification", method, params)
  if (!("kind" in row))
    return ignored(state, row._tag === "NotReady" ? "the session is not open" : spelled(row).message, undefined, method)
  switch (method) {
    case "notifications/progress":
      return progress(state, params as JsonObject)
    case "notifications/cancelled":
      return revisionIn(setup, state).features.asks === "result"
        ? streamCancelled(state, params)
        : withdrawAsk(setup, state, params)
    default:
      if (row.stream) return onStream(setup, state, row, method, params)
      return [state, [{ _tag: "Notice", method, params }]]
  }
}

function malformed(setup: Setup, state: State, { id, why, reply }: Malformed, way: Way, json: unknown): Next {
  // A reply that can not be read is still an answer: whoever waits for it learns at once what was wrong with it.
  // What says nothing but an id of ours is one too: it has the id of a request that waits, and asks for nothing.
  if (member(json, "method") === undefined) {
    const what = reply ? why : "it has neither a result nor an error"
    const wrong = problem("", `a reply of JSON-RPC 2.0: ${what}`)
    const failure = (method: string): CallError => ({ _tag: "ResultInvalid", method, problem: wrong })
    const next = replied(setup, state, id, { _tag: "Broken", failure })
    if (next !== undefined) return reply ? next : after(next[1], deliver(next[0], way))
  }
  // Only what is plainly a request is told that it is broken: a client that answers anything else can start an argument.
  const answerable = revisionIn(setup, state).features.asks === "requests"
  if (answerable && !reply && (id !== undefined || way.batch !== undefined))
    return refuse(state, way, { _tag: "InvalidRequest", why }, id)
  return ignored(state, reply && id !== undefined ? `a broken reply: ${why}` : why, id)
}

/** 2025-03-26 basic, Batching: a client MUST be able to receive batches. */
function receiveBatch(setup: Setup, state: State, members: ReadonlyArray<unknown>, via: string): Next {
  if (state.phase._tag !== "Open" || !revisionIn(setup, state).features.batches || members.length === 0)
    return ignored(state, "a batch, where the revision in force has none")
  const number = state.next
  const waiting = members.filter(wantsReply).length
  const batches = begin(state.batches, number, via, waiting, state.salt)
  const begun = becoming(state, { batches, next: number + 1 })
  return each(begun, members, (now, json) => receiveOne(setup, now, json, { via, batch: number }))
}
