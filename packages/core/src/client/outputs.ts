/** The outputs that more than one step puts out. */
import type { JsonObject } from "../json.js"
import type { Message, RequestId } from "../jsonrpc.js"
import type { Report } from "../report.js"
import type { Asked, Next, Sent, State } from "./state.js"
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
export const questionOver = ({ ask, ms }: Pick<Asked, "ask" | "ms">): ReadonlyArray<Output> =>
  ms === undefined ? [] : [stop("ask", ask)]

export const failed = (call: Call, error: CallError): Output => ({
  _tag: "Settle",
  call,
  outcome: { _tag: "Failed", error }
})

/** A question is taken back from the user. */
export const takenBack = (ask: number, reason: string | undefined): Output => ({ _tag: "WithdrawAsk", ask, reason })

export const reported = (report: Report): Output => ({ _tag: "Report", report })

/** Nothing happens, and the logs say why. */
export const ignored = (state: State, method: string | undefined, id: RequestId | undefined, why: string): Next => [
  state,
  [reported({ _tag: "Ignored", method, id, why })]
]
