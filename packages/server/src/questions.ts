/** The questions of one run of a handler: answered from earlier runs, or asked, which ends the run. Loaded by what can be asked. */
import type { JsonObject } from "@parley/core"
import { announced } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import type { Answer, Input, Invoke, Question } from "@parley/core/server"
import { unaskable } from "@parley/core/server"
import type { AnyAsk } from "./asks.js"
import { elsewhere } from "./elsewhere.js"
import type { Once } from "./once.js"
import { unsayable } from "./sayable.js"
import { Suspended } from "./suspended.js"
import { AskDeclined, AskFailed } from "./unanswered.js"

/** The run that asks. */
export interface Run {
  readonly invoke: Invoke
  readonly feed: (input: Input) => void
  /** Whether nobody hears it any more. */
  readonly silent: () => boolean
  /** From now on it asks nothing more, and begins nothing that is to be done once. */
  readonly suspend: () => void
  /** What was to be done once; nothing when there was nothing. */
  readonly once: () => Once | undefined
  /** It is over; it waits for the answers. */
  readonly leave: () => void
}

/** How long a question waits for what is being done once, in ms. */
const grace = 1_000

interface Waiting extends Question {
  readonly kind: AnyAsk["kind"]
  readonly reject: (why: unknown) => void
}

export class Questions {
  readonly #run: Run
  /** What is asked and not answered. */
  readonly #waiting: Array<Waiting> = []
  /** How often each key was asked in this run. */
  readonly #times = new Map<string, number>()

  constructor(run: Run) {
    this.#run = run
  }

  can(ask: AnyAsk): boolean {
    return this.#unaskable(ask, ask.probe()) === undefined
  }

  async ask(key: string, ask: AnyAsk, params: unknown): Promise<never> {
    const time = (this.#times.get(key) ?? 0) + 1
    this.#times.set(key, time)
    const numbered = time === 1 ? key : `${key}#${time}`
    const { answers, once } = this.#run.invoke
    if (answers !== undefined && Object.hasOwn(answers, numbered)) {
      if (!asked(once, key, ask)) throw new TypeError(`${key} was asked as another kind of question before`)
      return (await answered(key, ask, answers[numbered]!)) as never
    }
    const question = { key: numbered, method: ask.method, params: ask.params(params as never) }
    const odd = unsayable(question.params)
    if (odd !== undefined) throw new TypeError(`${key} can not be written as JSON: ${odd}`)
    const why = this.#unaskable(ask, question.params)
    if (why !== undefined) throw new AskFailed(key, { _tag: "Unaskable", why })
    return this.#wait(question, ask.kind)
  }

  /** The run is over: what waits will not be answered in it. */
  end(reason: unknown): void {
    for (const { reject } of this.#waiting) reject(reason)
  }

  #unaskable({ method, needs }: AnyAsk, params: JsonObject | undefined): string | undefined {
    const { peer } = this.#run.invoke
    const revision = revisionNamed(peer.revision)
    if (revision === undefined) return `there is no ${peer.revision}`
    const why = unaskable(revision, peer, { method, params })
    if (why !== undefined || !needs.includes(".") || announced(peer.capabilities, needs)) return why
    return `the client did not declare ${needs}`
  }

  #wait(question: Question, kind: AnyAsk["kind"]): Promise<never> {
    return new Promise<never>((_, reject) => {
      // What is asked before the handler comes to a halt is asked together.
      if (this.#waiting.push({ ...question, kind, reject }) === 1) queueMicrotask(() => void this.#suspend())
    })
  }

  /**
   * The handler comes to its end at once. What is being done once is waited for, so that the next run knows of it wherever
   * it is; what takes longer than a moment does not keep the question back where the next run is in this process, and knows its end.
   */
  async #suspend(): Promise<void> {
    const { invoke, feed, silent, suspend, leave } = this.#run
    if (silent()) return
    suspend()
    this.end(new Suspended())
    const once = this.#run.once()
    if (once?.busy === true) await (elsewhere(invoke) ? once.settled() : soon(once.settled()))
    if (silent()) return
    const done = once?.values() ?? invoke.once?.["done"] ?? {}
    const now = this.#waiting.map(({ key, kind }) => [key.split("#", 1)[0], kind] as const)
    const kinds = { ...(invoke.once?.["asked"] as JsonObject | undefined), ...Object.fromEntries(now) }
    const questions = this.#waiting.map(({ key, method, params }) => ({ key, method, params }))
    leave()
    feed({ _tag: "NeedsInput", call: invoke.call, id: invoke.id, questions, once: { done, asked: kinds } })
  }
}

/** When it is settled, and no later than in a moment. */
function soon(settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, grace)
    void settled.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Whether that is what was asked by that name. */
export function asked(once: Invoke["once"], name: string, { kind }: AnyAsk): boolean {
  const kinds = (once?.["asked"] ?? {}) as { readonly [name: string]: unknown }
  return Object.hasOwn(kinds, name) && kinds[name] === kind
}

async function answered(key: string, ask: AnyAsk, answer: Answer): Promise<unknown> {
  if (answer._tag !== "Answered") throw new AskFailed(key, answer)
  const action = answer.result["action"]
  if (action === "decline" || action === "cancel") throw new AskDeclined(key, action)
  return ask.answer(answer.result, key)
}
