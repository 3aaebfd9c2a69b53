/** What can not go out by HTTP: it would be refused there without an id, as if nobody had said it. So it is refused here. */
import type { Message } from "@parley/core"
import { errorOf, isObject, read } from "@parley/core"

/** The answer to what is no message, or an array where there are none. Nothing for all else. */
export function unsayable(json: unknown, agreed: string | undefined): Message | undefined {
  const envelope = read(json)
  if (Array.isArray(json)) {
    const why = noBatch(json, agreed)
    return why === undefined ? undefined : refusal(null, why)
  }
  if (envelope._tag !== "Malformed") return undefined
  return refusal(envelope.reply ? null : (envelope.id ?? null), envelope.why)
}

/** 2025-03-26 basic, Batching: no other version has arrays, and each has something in it that is a message. */
function noBatch(batch: ReadonlyArray<unknown>, agreed: string | undefined): string | undefined {
  if (agreed !== "2025-03-26") return "this version has no batches; send one message at a time"
  const methods = batch.map((one) => (one as { readonly method?: unknown } | null)?.method)
  if (methods.includes("initialize")) return "initialize can not be sent in a batch"
  return batch.every((one) => read(one)._tag === "Malformed") ? "there is no message in the batch" : undefined
}

const refusal = (id: string | number | null, why: string): Message => ({
  jsonrpc: "2.0",
  id,
  error: errorOf({ _tag: "InvalidRequest", why })
})

/** What a line says; nothing where it is no JSON, or neither an object nor an array. */
export function parsed(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown
    return isObject(json) || Array.isArray(json) ? json : undefined
  } catch {
    return undefined
  }
}
