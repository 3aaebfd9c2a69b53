/** The outputs that more than one step puts out. */
import type { JsonObject } from "../json.js"
import type { Message, RequestId } from "../jsonrpc.js"
import type { Report } from "../report.js"
import type { Spoken } from "./definition.js"
import type { Ask, Next, Sent, State } from "./state.js"
import { isDue } from "./state.js"
import type { Call, CallError, ClientTimer, Output } from "./vocabulary.js"

/** By `via` when it answers something. */
export const send = (message: Message | ReadonlyArray<Message>, via?: string, last = via !== undefined): Output => ({
  _tag: "Send",
  message,
  via,
  last,
  text: undefined
})

/** A notification. */
export const tell = (method: string, params?: JsonObject, via?: string): Output =>
  send(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }, via, false)

export const start = (timer: ClientTimer, ms: number): Output => ({ _tag: "StartTimer", timer, ms })

export const stop = (of: ClientTimer["of"], call: number): Output => ({ _tag: "StopTimer", timer: { of, call } })

/** The timers of a call that is over. */
export const callOver = (sent: Sent): ReadonlyArray<Output> =>
  sent.totalMs === undefined ? stageOver(sent) : [...stageOver(sent), stop("total", sent.call)]

/** The timer of a call that goes on with something else, when one runs. */
export function stageOver({ call, stage }: Sent): ReadonlyArray<Output> {
  if (stage._tag === "Pausing") return [stop("retry", call)]
  return isDue(stage) ? [stop("request", call)] : []
}

/** The timer of a question that is over, when it has one. */
export const askOver = ({ ask, ms }: Ask): ReadonlyArray<Output> => (ms === undefined ? [] : [stop("ask", ask)])

/** A question is taken back from the user. */
export const takenBack = (ask: number, reason: string | undefined): Output => ({ _tag: "WithdrawAsk", ask, reason })

/** A question that nobody waits for any more. */
export const dropped = (entry: Ask, reason: string | undefined): ReadonlyArray<Output> => [
  ...askOver(entry),
  takenBack(entry.ask, reason)
]

export const failed = (call: Call, error: CallError): Output => ({
  _tag: "Settle",
  call,
  outcome: { _tag: "Failed", error }
})

export const reported = (report: Report): Output => ({ _tag: "Report", report })

/** Something of ours is not valid, and was not sent. */
export const withheld = (method: string, why: string): Output => reported({ _tag: "Unsendable", method, why })

/** Nothing happens, and the logs say why. */
export const ignored = (state: State, why: string, id?: RequestId, method?: string): Next => [
  state,
  [reported({ _tag: "Ignored", method, id, why })]
]

/** The request by which a session is opened, and by which it is asked whether what is known of the server still holds. */
export const greeting = (id: number, { method, params }: Spoken): Output => send({ jsonrpc: "2.0", id, method, params })

/** With these outputs before the others. */
export const after = (outputs: ReadonlyArray<Output>, [state, rest]: Next): Next => [state, [...outputs, ...rest]]

/** With these outputs behind the others. */
export const plus = ([state, outputs]: Next, ...more: ReadonlyArray<Output>): Next => [state, [...outputs, ...more]]

/** A step for each, one after another. */
export function each<A>(state: State, items: Iterable<A>, step: (state: State, item: A) => Next): Next {
  const outputs: Array<Output> = []
  let now = state
  for (const item of items) {
    const [next, more] = step(now, item)
    for (const output of more) outputs.push(output)
    now = next
  }
  return [now, outputs]
}
