/** What only those need who ask: it comes with the first question that is declared. */
import type { Invoke } from "@parley/core/server"
import { Asker } from "./asker.js"
import type { AnyAsk, Asks } from "./asks.js"
import type { Run } from "./questions.js"
import { asked, Questions } from "./questions.js"

export interface Asking {
  /** @throws TypeError when a question can not have that name */
  readonly nameable: (what: string, key: string) => void
  /** What asks the questions of one run of a handler. */
  readonly questions: (run: Run) => Questions
  /** What one run asks and does once. */
  readonly Asker: typeof Asker
  /** The question that was answered and that none of these asks: it is not there, or of another kind. */
  readonly stray: (asks: Asks, answered: ReadonlyArray<string>, invoke: Invoke) => string | undefined
}

export const asking: Asking = {
  nameable: (what, key) => {
    if (key.includes("#")) throw new TypeError(`${what} asks for ${key}: the names of questions have no # in them`)
  },
  questions: (run) => new Questions(run),
  Asker,
  stray: (asks, answered, { once }) =>
    answered
      .map((key) => key.split("#", 1)[0]!)
      .find((name) => !Object.hasOwn(asks, name) || !asked(once, name, asks[name] as AnyAsk))
}
