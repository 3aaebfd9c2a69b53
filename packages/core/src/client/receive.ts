/** One JSON value arrives from the server: a reply settles a call, a request is a question, a notification is heard. */
import { begin, wantsReply } from "../batch.js"
import type { Malformed, Notification } from "../jsonrpc.js"
import { read } from "../jsonrpc.js"
import type { JsonObject } from "../json.js"
import { asked, withdrawAsk } from "./ask.js"
import { answered, broken, progress, refused } from "./call.js"
import type { Setup } from "./definition.js"
import { hear, revisionIn } from "./gate.js"
import { onStream, streamCancelled } from "./listen.js"
import { openingReplied } from "./opening.js"
import { ignored } from "./outputs.js"
import { refuse } from "./reply.js"
import type { About, Next, State } from "./state.js"
import { becoming } from "./state.js"
import type { CallError, Output } from "./vocabulary.js"

export const receive = (setup: Setup, state: State, json: unknown, via: string): Next =>
  Array.isArray(json) ? receiveBatch(setup, state, json, via) : receiveOne(setup, state, json, via, undefined)

function receiveOne(setup: Setup, state: State, json: unknown, via: string, batch: number | undefined): Next {
  const envelope = read(json)
  const about: About = { via, batch, id: undefined, method: undefined }
  switch (envelope._tag) {
    case "Result":
      return openingReplied(setup, state, envelope.message.id, envelope) ?? answered(setup, state, envelope.message)
    case "Error":
      return openingReplied(setup, state, envelope.message.id, envelope) ?? refused(setup, state, envelope.message)
    case "Request":
      return asked(setup, state, envelope.message, about)
    case "Notification":
      return notified(setup, state, envelope.message)
    case "Malformed":
      return malformed(setup, state, envelope, about)
  }
}

function notified(setup: Setup, state: State, { method, params }: Notification): Next {
  const row = hear(setup, state.phase, method, params)
  if (typeof row === "string") return ignored(state, method, undefined, row)
  switch (method) {
    case "notifications/progress":
      return progress(setup, state, params as JsonObject)
    case "notifications/cancelled":
      return revisionIn(setup, state.phase).features.asks === "result"
        ? streamCancelled(setup, state, params)
        : withdrawAsk(setup, state, params)
    default:
      if (row.stream) return onStream(setup, state, row, method, params)
      return [state, [{ _tag: "Notice", method, params }]]
  }
}

function malformed(setup: Setup, state: State, { id, why, reply }: Malformed, { via, batch }: About): Next {
  // A reply that can not be read is still an answer: whoever waits for it learns at once what was wrong with it.
  if (reply && id !== undefined) {
    const problem = { at: "", expected: `a reply of JSON-RPC 2.0: ${why}` }
    const failure = (method: string): CallError => ({ _tag: "ResultInvalid", method, problem })
    return openingReplied(setup, state, id, { _tag: "Broken", failure }) ?? broken(setup, state, id, problem)
  }
  // Only what is plainly a request is told that it is broken: a client that answers anything else can start an argument.
  const answerable = revisionIn(setup, state.phase).features.asks === "requests"
  if (answerable && !reply && (id !== undefined || batch !== undefined))
    return refuse(setup, state, { via, batch, id, method: undefined }, { _tag: "InvalidRequest", why })
  return ignored(state, undefined, id, why)
}

/** 2025-03-26 basic, Batching: a client MUST be able to receive batches. */
function receiveBatch(setup: Setup, state: State, members: ReadonlyArray<unknown>, via: string): Next {
  if (state.phase._tag !== "Open" || !revisionIn(setup, state.phase).features.batches || members.length === 0)
    return ignored(state, undefined, undefined, "a batch, where the revision in force has none")
  const number = state.next
  const waiting = members.filter(wantsReply).length
  const batches = begin(state.batches, number, via, waiting, setup.limits.salt)
  const outputs: Array<Output> = []
  let now = becoming(state, { batches, next: number + 1 })
  for (const json of members) {
    const [next, more] = receiveOne(setup, now, json, via, number)
    for (const output of more) outputs.push(output)
    now = next
  }
  return [now, outputs]
}
