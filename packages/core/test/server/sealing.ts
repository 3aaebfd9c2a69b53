/** Seals that anyone could read, and that are good for what they were made for: keeping them is for others to prove. */
import { isObject } from "../../src/json.js"
import type { JsonObject } from "../../src/json.js"
import type { RequestId } from "../../src/jsonrpc.js"
import type { Input, Output, Question } from "../../src/server/index.js"
import { enveloped } from "./by-hand.js"

export type Seal = Extract<Output, { _tag: "Seal" }>
export type Unseal = Extract<Output, { _tag: "Unseal" }>

export const tokenOf = ({ payload, bound }: Pick<Seal, "payload" | "bound">): string =>
  JSON.stringify({ payload, bound })

export const sealedBy = (seal: Seal): Input => ({
  _tag: "Sealed",
  call: seal.call,
  id: seal.id,
  token: tokenOf(seal)
})

export function openedBy({ call, id, token, bound }: Unseal): Input {
  return { _tag: "Unsealed", call, id, payload: payloadOf(token, bound) }
}

function payloadOf(token: string, bound: string): unknown {
  try {
    const inside: unknown = JSON.parse(token)
    return isObject(inside) && inside["bound"] === bound ? inside["payload"] : undefined
  } catch {
    return undefined
  }
}

/** What the sealed request was. */
export function requestOf({ bound }: Pick<Seal, "bound">) {
  const [principal, , method, params] = JSON.parse(bound) as [string | null, string, string, JsonObject]
  return { principal: principal ?? undefined, method, params }
}

/** The request once more, with what came with its questions. */
export function again(seal: Seal, id: RequestId, meta: JsonObject, inputResponses: JsonObject): JsonObject {
  const { method, params } = requestOf(seal)
  return enveloped(id, method, { ...params, requestState: tokenOf(seal), inputResponses }, meta) as JsonObject
}

/** The next thing on the way of a request that asks, and is made again with the answers. */
export function onward(
  seen: ReadonlyArray<Output>,
  question: Question,
  retry: (seal: Seal) => JsonObject
): Input | undefined {
  const last = seen.findLast(({ _tag }) => _tag === "Invoke" || _tag === "Seal" || _tag === "Unseal")
  switch (last?._tag) {
    case "Invoke":
      return { _tag: "NeedsInput", call: last.call, id: last.id, questions: [question], once: {} }
    case "Seal":
      return { _tag: "Received", json: retry(last), via: "newer", principal: requestOf(last).principal }
    case "Unseal":
      return openedBy(last)
    default:
      return undefined
  }
}
