/** The end of a session: every call is settled, every question taken back, once. */
import { callOver, dropped, failed, stop } from "./outputs.js"
import { inOrder } from "./settle.js"
import type { Next, State } from "./state.js"
import { becoming, initial } from "./state.js"
import type { Output } from "./vocabulary.js"

export const close = (state: State, why: string): Next => [
  becoming(initial(state.salt), { phase: { _tag: "Closed", why }, last: state.last }),
  [
    ...(state.reopening === 0 ? [] : [stop("opening", 0)]),
    ...inOrder(state.sent, "call").flatMap((sent) => [
      ...callOver(sent),
      failed(sent.call, { _tag: "Closed", method: sent.method, why })
    ]),
    ...allTakenBack(state, why),
    { _tag: "Close", reason: why }
  ]
]

/** Every question that is open, in the order in which they were asked. */
export const allTakenBack = ({ asks }: State, why: string): ReadonlyArray<Output> =>
  inOrder(asks, "ask").flatMap((entry) => dropped(entry, why))
