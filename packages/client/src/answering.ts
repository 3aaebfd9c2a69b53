/** The server's questions, put to the handlers; their answers, checked, on the way back. */
import type {
  CreateMessageParams,
  ElicitFormParams,
  ElicitUrlParams,
  JsonObject,
  Peer,
  Report,
  RequestId,
  Revision
} from "@parley/core"
import type { Input, Output } from "@parley/core/client"
import { asTask } from "@parley/core/client"
import type { Clock } from "@parley/driver"
import { questions } from "./answer-tasks.js"
import type { Asking, FormContent, Handlers } from "./answers.js"
import { misplaced, Rejected } from "./answers.js"
import { isOne } from "./calmly.js"
import type { Elicitations } from "./elicitations.js"
import { formOf } from "./form.js"
import { relatedTask } from "./task.js"
import { errorFor, Unanswerable } from "./unanswerable.js"

type Ask = Extract<Output, { readonly _tag: "Ask" }>

export interface Answering {
  readonly ask: (ask: Ask, server: Peer) => void
  readonly withdraw: (ask: number, reason: string | undefined) => void
  /** The session is over. */
  readonly close: () => void
}

export interface AnsweringOptions {
  readonly handlers: Handlers
  readonly elicitations: Elicitations
  readonly revisions: ReadonlyArray<Revision>
  readonly clock: Clock
  /** How long a question may stay open that is answered by a task, in ms: for the others the machine sees to it. */
  readonly askMs: number
  readonly feed: (input: Input) => void
  readonly report: ((report: Report) => void) | undefined
}

export function answering(options: AnsweringOptions): Answering {
  const { handlers, elicitations, feed, report } = options
  const open = new Map<number, AbortController>()
  const unsendable = (method: string, why: string): void => report?.({ _tag: "Unsendable", method, why })
  const tasks = questions({
    ...handlers.tasks,
    clock: options.clock,
    askMs: options.askMs,
    notify: (method, params) => feed({ _tag: "Notified", method, params }),
    unsendable
  })

  async function answered({ ask, id, method, params }: Ask, server: Peer, signal: AbortSignal): Promise<void> {
    let input: Input
    let afterwards = (): void => {}
    try {
      const revision = options.revisions.find(({ name }) => name === server.revision)!
      // A question that came inside a result is answered with it, when the request is made once more.
      if (id !== undefined && asTask(revision, handlers.capabilities, method, params)) {
        const question = {
          method,
          params: params!,
          server,
          revision,
          put: (asking: Asking) => put(method, params!, asking)
        }
        const { created, begin } = tasks.create(question)
        afterwards = begin
        input = { _tag: "Answered", ask, id, result: created }
      } else {
        const task = taskOf(params)
        const asking: Asking = { server, signal, progress: progress(ask, id, task) }
        input = { _tag: "Answered", ask, id, result: named(await put(method, params ?? {}, asking), task) }
      }
    } catch (thrown) {
      const { error, why } = errorFor(method, thrown)
      if (why !== undefined && open.has(ask)) unsendable(method, why)
      input = { _tag: "Declined", ask, id, error }
    }
    // Of one that was withdrawn nothing is said: its handler was stopped on purpose.
    if (open.delete(ask)) feed(input)
    afterwards()
  }

  const progress =
    (ask: number, id: RequestId | undefined, meta: JsonObject | undefined): Asking["progress"] =>
    (progress, total, message) => {
      if (open.has(ask)) feed({ _tag: "AskProgressed", ask, id, progress, total, message, meta })
    }

  function put(method: string, params: JsonObject, asking: Asking): Promise<object> {
    switch (method) {
      case "elicitation/create":
        return params["mode"] === "url"
          ? page(params as unknown as ElicitUrlParams, asking)
          : form(params as unknown as ElicitFormParams, asking)
      case "sampling/createMessage":
        return sample(params as unknown as CreateMessageParams, asking)
      case "roots/list":
        return roots(asking)
      default:
        // Only tasks: nothing else is declared, so the machine refuses it itself.
        return tasks.serve(method, params, asking.signal)
    }
  }

  async function form(params: ElicitFormParams, asking: Asking): Promise<object> {
    const { defaults, check, filled } = await formOf(params)
    const answer = await unlessRejected(() => handlers.form!(params, { ...asking, defaults, check }))
    if (answer.action !== "accept") return { action: answer.action }
    const content: FormContent = filled(answer.content)
    const why = check(content)
    if (why !== undefined) throw new Unanswerable(-32603, `the answer does not fit the form: ${why}`)
    return { action: "accept", content }
  }

  async function page(params: ElicitUrlParams, asking: Asking): Promise<object> {
    const { url, elicitationId } = params
    const host = hostOf(url)
    if (elicitationId !== undefined) elicitations.begin(elicitationId)
    // Where a page has no id the server never says that the visit is complete.
    const completed = async (): Promise<void> =>
      elicitationId === undefined ? undefined : elicitations.wait(elicitationId, asking.signal)
    const { action } = await unlessRejected(() => handlers.url!(params, { ...asking, host, completed }))
    if (action !== "accept" && elicitationId !== undefined) elicitations.forget(elicitationId)
    return { action }
  }

  async function sample(params: CreateMessageParams, asking: Asking): Promise<object> {
    const result = await handlers.sample!(params, asking)
    const { content } = result
    // Older revisions know one block only.
    return Array.isArray(content) && content.length === 1 ? { ...result, content: content[0] as unknown } : result
  }

  async function roots(asking: Asking): Promise<object> {
    const roots = typeof handlers.roots === "function" ? await handlers.roots(asking) : handlers.roots!
    const wrong = misplaced(roots)
    if (wrong !== undefined) throw new Unanswerable(-32603, wrong)
    return { roots }
  }

  return {
    ask: (ask, server) => {
      const controller = new AbortController()
      open.set(ask.ask, controller)
      void answered(ask, server, controller.signal)
    },
    withdraw: (ask, reason) => {
      const controller = open.get(ask)
      open.delete(ask)
      controller?.abort(new Error(reason ?? "the server withdrew the question"))
    },
    close: tasks.close
  }
}

/** 2025-11-25 basic/utilities/tasks, Associating Task-Related Messages: what answers a task's question names the task too. */
function taskOf(params: JsonObject | undefined): JsonObject | undefined {
  const related = (params?.["_meta"] as JsonObject | undefined)?.[relatedTask]
  return related === undefined ? undefined : { [relatedTask]: related }
}

function named(result: object, task: JsonObject | undefined): object {
  const { _meta } = result as { readonly _meta?: object }
  return task === undefined ? result : { ...result, _meta: { ..._meta, ...task } }
}

async function unlessRejected<A>(answer: () => A | PromiseLike<A>): Promise<A | { readonly action: "decline" }> {
  try {
    return await answer()
  } catch (error) {
    if (isOne(error, Rejected)) return { action: "decline" }
    throw error
  }
}

/** 2025-11-25 client/elicitation: the URL is a valid one. What is not for a browser to visit is not shown as if it were. */
function hostOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:")
    throw new Unanswerable(-32602, "Invalid params for elicitation/create: url: expected an http or https URL")
  return parsed.host
}
