/** Answers of the client, as they are kept: between two processes, or between two requests. */
import { isObject } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import { anObject, tagged } from "../stored.js"
import type { Answer } from "./vocabulary.js"

const isAnswer = tagged<Answer>({
  Answered: { result: anObject() },
  Refused: { error: anObject<ErrorObject>() },
  TimedOut: {}
})

/** By the key of their question. */
export const areAnswers = (value: unknown): value is { readonly [key: string]: Answer } =>
  isObject(value) && Object.values(value).every(isAnswer)
