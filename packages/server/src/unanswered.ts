/** Why a question has no answer that can be used; what a handler may catch. */
import type { Answer, Invoke } from "@parley/core/server"
import type { Told } from "./failed.js"
import { ToolFailed } from "./failed.js"

/** The user said no, or closed the question. Uncaught, it is an `isError` result that says so. */
export class AskDeclined extends ToolFailed {
  override readonly name = "AskDeclined"
  readonly action: "decline" | "cancel"

  constructor(key: string, action: "decline" | "cancel") {
    super(action === "decline" ? `The user declined to answer: ${key}` : `The user did not answer: ${key}`)
    this.action = action
  }
}

/** What kept a question from being answered: an error, the time, what was answered, or a client that can not be asked. */
export type Unanswered =
  | Exclude<Answer, { readonly _tag: "Answered" }>
  | { readonly _tag: "Unfit"; readonly why: string }
  /** `needs`: what the client did not declare of it, such as `elicitation.url`; nothing where its revision can not say it. */
  | { readonly _tag: "Unaskable"; readonly why: string; readonly needs: ReadonlyArray<string> }

/**
 * There is no answer, for another reason than the user's will. Uncaught, it is an `isError` result that says so; where the client
 * did not declare what it takes, it is error `-32021` since 2026-07-28. There, clients do not tell of an error, nor of a time
 * that is over: the request is not made again.
 */
export class AskFailed extends ToolFailed {
  override readonly name = "AskFailed"
  readonly answer: Unanswered

  constructor(key: string, answer: Unanswered) {
    super(inWords(key, answer))
    this.answer = answer
  }

  override tell(invoke: Invoke): Told {
    const { answer, message: text } = this
    if (answer._tag !== "Unaskable" || answer.needs.length === 0) return super.tell(invoke)
    return { failure: { _tag: "CapabilityMissing", needs: answer.needs, text } }
  }
}

function inWords(key: string, answer: Unanswered): string {
  switch (answer._tag) {
    case "TimedOut":
      return `The client did not answer in time: ${key}`
    case "Refused":
      return `The client could not answer: ${key}: ${answer.error.message}`
    case "Unfit":
      return `The client's answer does not fit: ${key}: ${answer.why}`
    case "Unaskable":
      return `The client can not be asked: ${key}: ${answer.why}`
  }
}
