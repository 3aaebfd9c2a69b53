/** The questions of one run of a handler: answered from earlier runs, or asked, which ends the run. Loaded by what can be asked. */
import type { JsonObject } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import type { Answer, Invoke, NeedsInput, Question } from "@parley/core/server"
import { lacking, unaskable } from "@parley/core/server"
import type { AnyAsk } from "./asks.js"
import { elsewhere } from "./elsewhere.js"
import type { Once } from "./once.js"
import { unsayable } from "./sayable.js"
import { Suspended } from "./suspended.js"
import type { Unanswered } from "./unanswered.js"
import { AskDeclined, AskFailed } from "./unanswered.js"

/** The run that asks. */
export interface Run {
  readonly invoke: Invoke
  readonly feed: (asked: NeedsInput) => void
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

type Unaskable = Extract<Unanswered, { readonly _tag: "Unaskable" }>

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
    return this.#unaskable([[ask, ask.probe()]]) === undefined
  }

  /** Throws `AskFailed` with all that the client lacks for those that have no answer yet: then none of them is asked. */
  together(asks: ReadonlyArray<readonly [key: string, ask: AnyAsk, params: unknown]>): void {
    const { answers = {} } = this.#run.invoke
    const open = asks.filter(([key]) => !Object.hasOwn(answers, this.#numbered(key)))
    const refusal = this.#unaskable(open.map(([, ask, params]) => [ask, ask.params(params as never)]))
    if (refusal !== undefined) throw new AskFailed(open.map(([key]) => key).join(", "), refusal)
  }

  async ask(key: string, ask: AnyAsk, params: unknown): Promise<never> {
    const numbered = this.#numbered(key)
    this.#times.set(key, (this.#times.get(key) ?? 0) + 1)
    const { answers, once } = this.#run.invoke
    if (answers !== undefined && Object.hasOwn(answers, numbered)) {
      if (!asked(once, key, ask)) throw new TypeError(`${key} was asked as another kind of question before`)
      return (await answered(key, ask, answers[numbered]!)) as never
    }
    const question = { key: numbered, method: ask.method, params: ask.params(params as never) }
    const odd = unsayable(question.params)
    if (odd !== undefined) throw new TypeError(`${key} can not be written as JSON: ${odd}`)
    const unaskable = this.#unaskable([[ask, question.params]])
    if (unaskable !== undefined) throw new AskFailed(key, unaskable)
    return this.#wait(question, ask.kind)
  }

  /** The run is over: what waits will not be answered in it. */
  end(reason: unknown): void {
    for (const { reject } of this.#waiting) reject(reason)
  }

  /** How the key is called the next time that it is asked in this run. */
  #numbered(key: string): string {
    const time = (this.#times.get(key) ?? 0) + 1
    return time === 1 ? key : `${key}#${time}`
  }

  #unaskable(asks: ReadonlyArray<readonly [ask: AnyAsk, params: JsonObject | undefined]>): Unaskable | undefined {
    const { peer } = this.#run.invoke
    const revision = revisionNamed(peer.revision)
    if (revision === undefined) return { _tag: "Unaskable", why: `there is no ${peer.revision}`, needs: [] }
    const needs = asks.map(([ask]) => ask.needs)
    const lacks = lacking(revision, peer, [...new Set(needs)])
    const whys = asks
      .map(([{ method }, params]) => unaskable(revision, peer, { method, params }))
      .filter((one) => one !== undefined)
    const why = lacks.length > Math.min(whys.length, 1) ? `the client did not declare ${lacks.join(", ")}` : whys[0]
    return why === undefined ? undefined : { _tag: "Unaskable", why, needs: lacks }
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
