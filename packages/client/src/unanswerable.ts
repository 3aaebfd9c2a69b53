/** Why a question gets no answer, and what of that the server is told. */
import type { ErrorObject } from "@parley/core"
import { inBrief, isOne } from "./calmly.js"
import { Rejected } from "./answers.js"

/** A handler's answer that may not be sent, or a question that may not be put to it. */
export class Unanswerable extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The error that is the answer, told as it is. */
export class Answered extends Error {
  readonly error: ErrorObject

  constructor(error: ErrorObject) {
    super(error.message)
    this.error = error
  }
}

/** `why` is for the logs here, where something went wrong; the server only learns that it will get no answer. */
export function errorFor(
  method: string,
  thrown: unknown
): { readonly error: ErrorObject; readonly why: string | undefined } {
  if (isOne(thrown, Rejected)) return { error: { code: -1, message: inBrief(thrown) }, why: undefined }
  if (isOne(thrown, Answered)) return { error: thrown.error, why: undefined }
  const told = isOne(thrown, Unanswerable) && thrown.code !== -32603 ? thrown : undefined
  const message = told?.message ?? `Internal error: ${method} could not be answered`
  const why = isOne(thrown, Unanswerable) ? inBrief(thrown) : `the handler failed: ${inBrief(thrown)}`
  return { error: { code: told?.code ?? -32603, message }, why }
}
