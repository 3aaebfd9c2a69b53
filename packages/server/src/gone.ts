/** Why what is to run can not. */
import type { Invoke } from "@parley/core/server"
import type { Asks } from "./asks.js"

/** It is not there, or it was answered what it does not ask, or another kind of question. */
export function gone(
  invoke: Invoke,
  kind: string,
  name: string,
  there: unknown,
  asks: Asks = {}
): TypeError | undefined {
  if (there === undefined) return new TypeError(`The ${kind} ${name} is not there any more`)
  const { answers } = invoke
  if (answers === undefined) return undefined
  const [one] = Object.values(asks)
  const asked = Object.keys(answers).filter((key) => !key.startsWith("#"))
  const odd = one === undefined ? asked[0] : one.asking.stray(asks, asked, invoke)
  if (odd === undefined) return undefined
  const why = `does not ask ${odd} any more, so it can not go on with the answer: call it anew`
  return new TypeError(`The ${kind} ${name} ${why}`)
}
