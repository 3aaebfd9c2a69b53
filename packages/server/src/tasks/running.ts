/** A task that runs here: its handler is run, and run again with the client's answers, until it comes to an end. */
import type { JsonObject, RequestId } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import type { Answer, Input, Invoke, Question } from "@parley/core/server"
import type { Crashed, Jobs } from "../job.js"
import type { Once } from "../once.js"
import type { ReadyTool } from "../tool.js"
import type { TaskOutcome } from "./store.js"

/** What a run of the handler came to. */
export type Ended =
  | { readonly _tag: "Settled"; readonly status: "completed"; readonly outcome: TaskOutcome }
  /** `why`: for people, as the task's status message. */
  | { readonly _tag: "Settled"; readonly status: "failed"; readonly outcome: TaskOutcome; readonly why: string }
  /** Questions wait for somebody who asks for the result. */
  | { readonly _tag: "Waits" }

export class RunningTask {
  readonly #work: Jobs
  readonly #crashed: Crashed
  readonly #tool: ReadyTool
  readonly #args: JsonObject
  readonly #ended: (ended: Ended) => void
  readonly #notify: (method: string, params: JsonObject) => void
  readonly #interrupted = new AbortController()
  #invoke: Invoke
  #questions: ReadonlyArray<Question> = []
  /** What its runs did once. */
  #once: Once | undefined
  #progress = -Infinity
  /** Log messages that were told, and how many of them the present run has come by. */
  #logged = 0
  #passed = 0

  constructor(
    work: Jobs,
    crashed: Crashed,
    call: { readonly invoke: Invoke; readonly tool: ReadyTool; readonly args: JsonObject },
    notify: (method: string, params: JsonObject) => void,
    ended: (ended: Ended) => void
  ) {
    this.#work = work
    this.#crashed = crashed
    this.#invoke = call.invoke
    this.#tool = call.tool
    this.#args = call.args
    this.#notify = notify
    this.#ended = ended
  }

  get tool(): ReadyTool {
    return this.#tool
  }

  /** What it wants to know; nothing while its handler runs. */
  get questions(): ReadonlyArray<Question> {
    return this.#questions
  }

  run(): void {
    this.#passed = 0
    const { name, options } = this.#tool
    const job = this.#work.begin(this.#invoke, name, options.asks, {
      feed: (input) => this.#heard(input),
      once: this.#once,
      waits: (once) => (this.#once = once)
    })
    this.#work.run(job, this.#tool, this.#args)
  }

  /** Takes the answers if they are all there; `run` then goes on. */
  answer(answers: { readonly [key: string]: Answer }): boolean {
    if (this.#questions.length === 0 || !this.#questions.every(({ key }) => Object.hasOwn(answers, key))) return false
    const brought = this.#questions.map(({ key }) => [key, answers[key]!] as const)
    this.#invoke = {
      ...this.#invoke,
      answers: Object.fromEntries([...Object.entries(this.#invoke.answers ?? {}), ...brought])
    }
    this.#questions = []
    return true
  }

  /** Aborted when it is interrupted. */
  get signal(): AbortSignal {
    return this.#interrupted.signal
  }

  interrupt(reason: string): void {
    this.#interrupted.abort()
    this.#work.interrupt(this.#invoke.call, reason)
  }

  #heard(input: Input): void {
    switch (input._tag) {
      case "Succeeded":
        return this.#succeeded(input.result)
      case "ArgumentsRefused":
        return this.#failed(`Invalid arguments for tool ${this.#tool.name}: ${input.why}`)
      case "Failed": {
        const { failure } = input
        if ("text" in failure) return this.#failed(failure.text)
        if (failure._tag !== "Chosen") return this.#failed(`The tool ${this.#tool.name} failed.`)
        const { code, message, data } = failure
        const outcome = { _tag: "Error", code, message, data } as const
        return this.#ended({ _tag: "Settled", status: "failed", outcome, why: message })
      }
      case "NeedsInput":
        this.#questions = input.questions
        this.#invoke = { ...this.#invoke, once: input.once }
        return this.#ended({ _tag: "Waits" })
      case "Progressed":
        return this.#progressed(input)
      case "Logged":
        return this.#told(input)
      default:
        return
    }
  }

  #succeeded(result: unknown): void {
    const row = revisionNamed(this.#invoke.peer.revision)?.client["tools/call"]
    const problem = row?.kind === "request" ? row.result(result) : undefined
    if (problem === undefined) {
      const outcome = { _tag: "Result", result: result as JsonObject } as const
      if (outcome.result["isError"] !== true) return this.#ended({ _tag: "Settled", status: "completed", outcome })
      return this.#ended({ _tag: "Settled", status: "failed", outcome, why: textIn(outcome.result) })
    }
    this.#crashed(this.#tool.name, new TypeError(`its result is not valid at ${problem.at}: ${problem.expected}`))
    this.#failed(`The tool ${this.#tool.name} failed.`)
  }

  #failed(text: string): void {
    const result = { content: [{ type: "text", text }], isError: true }
    this.#ended({ _tag: "Settled", status: "failed", outcome: { _tag: "Result", result }, why: textIn(result) })
  }

  /** 2025-11-25 basic/utilities/tasks, Task Progress Notifications: the token lives as long as the task. */
  #progressed({ progress, total, message }: Extract<Input, { readonly _tag: "Progressed" }>): void {
    if (progress <= this.#progress) return
    // What is no number is refused by the machine, which reports it.
    if (Number.isFinite(progress)) this.#progress = progress
    const progressToken = this.#invoke.meta!["progressToken"] as RequestId
    this.#notify("notifications/progress", {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message })
    })
  }

  #told({ level, data, logger }: Extract<Input, { readonly _tag: "Logged" }>): void {
    if (++this.#passed <= this.#logged) return
    this.#logged = this.#passed
    const named = typeof logger === "string" ? { logger } : {}
    this.#notify("notifications/message", { level, data: (data ?? null) as JsonObject, ...named })
  }
}

/** What an error result says, in brief. */
function textIn({ content }: JsonObject): string {
  const said = (content as ReadonlyArray<JsonObject>).map(({ text }) => text).find((text) => typeof text === "string")
  const text = said ?? "The tool's result is an error."
  return text.length <= 500 ? text : `${text.slice(0, 499)}\u2026`
}
