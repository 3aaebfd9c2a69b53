/** The outputs that more than one step puts out. */
import type { Message, RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Report } from "../report.js"
import type { Next, Params, State } from "./state.js"
import type { Output, ServerTimer, Via } from "./vocabulary.js"

export const send = (
  message: Message | ReadonlyArray<Message>,
  via: Via | undefined,
  last = false,
  text?: string
): Output => ({ _tag: "Send", message, via, last, text })

/** A notification. */
export const tell = (method: string, params: Params, via: Via | undefined): Output =>
  send(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }, via)

export const start = (timer: ServerTimer, ms: number): Output => ({ _tag: "StartTimer", timer, ms })

export const stop = (timer: ServerTimer): Output => ({ _tag: "StopTimer", timer })

export const timerOf = (ask: number): ServerTimer => ({ of: "ask", call: ask })

export const reported = (report: Report): Output => ({ _tag: "Report", report })

/** What our own side produced is not sent. */
export const unsent = (method: string, why: string, peer?: Peer): Output =>
  reported({ _tag: "Unsendable", method, why, peer })

/** One thing after another, with the outputs of all. */
export function inTurn<Item>(state: State, items: ReadonlyArray<Item>, act: (state: State, item: Item) => Next): Next {
  const outputs: Array<Output> = []
  let now = state
  for (const item of items) {
    const [next, more] = act(now, item)
    for (const output of more) outputs.push(output)
    now = next
  }
  return [now, outputs]
}

/** Nothing happens, and the logs say why. */
export const ignored = (
  state: State,
  method: string | undefined,
  id: RequestId | undefined,
  why: string,
  peer?: Peer
): Next => [state, [reported({ _tag: "Ignored", method, id, why, peer })]]
