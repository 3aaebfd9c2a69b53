/** What a client answers when the server asks, and the capabilities that follow from it. */
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitUrlParams,
  JsonObject,
  Peer,
  Root
} from "@parley/core"
import { inBrief } from "./calmly.js"

/**
 * Each handler given here declares a capability; what is not given is refused before anybody is bothered. A question may come as a
 * request or, since 2026-07-28, inside the result of a call, which is made once more with the answer: handlers need not know.
 * There the server can not be told of an error: when a handler throws, the call rejects `AskRefused`.
 */
export interface Answers {
  /** Forms for the user, and pages to visit where `url` is given. A single function answers forms. */
  readonly elicit?: AnswerForm | { readonly form?: AnswerForm; readonly url?: AnswerPage }
  /** The client's model. `tools` and `context` declare that the handler knows what to do with them. */
  readonly sample?:
    | AnswerSample
    | { readonly create: AnswerSample; readonly tools?: boolean; readonly context?: boolean }
  /**
   * The folders that the server may work in. `listChanged: true` promises to tell of changes, by `client.rootsChanged()`; since
   * 2026-07-28 there is nothing to tell, as the server asks each time.
   */
  readonly roots?: AnswerRoots | { readonly list: AnswerRoots; readonly listChanged?: boolean }
  /**
   * Lets the server have its forms, pages and samplings answered by tasks (2025-11-25): it is told of a task at once, and comes
   * for the answer when there is one. Nothing changes for the handlers. Tasks are this session's own, and kept in memory.
   */
  readonly tasks?: true | AnswerTasks
  /**
   * How long a question may stay open, in ms. Then the handler's `signal` is aborted and the server gets an error; since 2026-07-28
   * the call that the question was about rejects. Default 600,000.
   */
  readonly timeoutMs?: number
}

export interface AnswerTasks {
  /** How long a task and its answer are kept when the server does not say, in ms. Default 1 hour. */
  readonly ttlMs?: number
  /** How long at most. Then a question that is still open is taken back. Default 24 hours. */
  readonly maxTtlMs?: number
  /** How often the server should ask, in ms. Default 1,000. */
  readonly pollMs?: number
  /** Tasks kept at once: then those that are over go, and without any the next question is refused. Default 1,000. */
  readonly most?: number
}

/** What a handler learns beside the question. */
export interface Asking {
  /** The server that asks. Whoever shows the question shows this too. */
  readonly server: Peer
  /** Aborted when nobody waits for the answer any more: the question was withdrawn, took too long, or the session is over. */
  readonly signal: AbortSignal
  /** Tells the server how far the answer is, when it asked to be told. `progress` must increase with each telling. */
  readonly progress: (progress: number, total?: number, message?: string) => void
}

export interface AskingForm extends Asking {
  /** What the fields begin with. It is filled in where the answer has nothing. */
  readonly defaults: FormContent
  /**
   * What is wrong with an answer, by field, so that the user can mend it before it is given; nothing when it fits. A field's
   * `format` is held to as well: an email address, URI, date or date-time that is none is not sent.
   */
  readonly check: (content: FormContent) => string | undefined
}

export interface AskingPage extends Asking {
  /** The URL's host, as the network will see it: a name that only looks like another one shows as `xn--...`. */
  readonly host: string
  /**
   * Settles when the server says that the visit is complete, which not every server does; at once for a page without
   * `elicitationId`, as all are since 2026-07-28. Rejects when the session is over.
   */
  readonly completed: () => Promise<void>
}

export type FormContent = { readonly [field: string]: string | number | boolean | ReadonlyArray<string> }

/** `decline` is a no; `cancel` is a question that was closed without an answer. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content?: FormContent }
  | { readonly action: "decline" | "cancel" }

export type PageAnswer = { readonly action: "accept" | "decline" | "cancel" }

export type AnswerForm = (form: ElicitFormParams, asking: AskingForm) => FormAnswer | PromiseLike<FormAnswer>

/**
 * Shows the user the whole URL and its host, and opens it only with consent, which `accept` says was given; not that the visit
 * is over. Nothing of the page has been fetched. Only `http` and `https` URLs get here.
 */
export type AnswerPage = (page: ElicitUrlParams, asking: AskingPage) => PageAnswer | PromiseLike<PageAnswer>

export type AnswerSample = (
  request: CreateMessageParams,
  asking: Asking
) => CreateMessageResult | PromiseLike<CreateMessageResult>

/** The roots, whose URIs are `file:` ones. */
export type AnswerRoots =
  | ReadonlyArray<Root>
  | ((asking: Asking) => ReadonlyArray<Root> | PromiseLike<ReadonlyArray<Root>>)

/**
 * Thrown by a handler whose user said no. The server gets error `-1`, or since 2026-07-28 the call rejects `AskRefused`; a form or a
 * page is declined.
 *
 * ```ts
 * import { Rejected } from "@parley/client"
 *
 * new Rejected().message // => "User rejected the request"
 * ```
 */
export class Rejected extends Error {
  override readonly name = "Rejected"

  constructor(message = "User rejected the request") {
    super(message)
  }
}

/** The handlers, each by itself. */
export interface Handlers {
  readonly form: AnswerForm | undefined
  readonly url: AnswerPage | undefined
  readonly sample: AnswerSample | undefined
  readonly roots: AnswerRoots | undefined
  readonly tasks: AnswerTasks
  readonly capabilities: JsonObject
}

/** @throws TypeError when a root's URI is not a `file:` one */
export function handlersOf({ elicit, sample, roots, tasks }: Answers): Handlers {
  const form = typeof elicit === "function" ? elicit : elicit?.form
  const url = typeof elicit === "function" ? undefined : elicit?.url
  const model = typeof sample === "function" ? { create: sample } : sample
  const listing = roots !== undefined && "list" in roots ? roots : { list: roots }
  const wrong = typeof listing.list === "object" ? misplaced(listing.list) : undefined
  if (wrong !== undefined) throw new TypeError(wrong)
  const capabilities: Record<string, JsonObject> = {}
  if (form !== undefined || url !== undefined)
    capabilities["elicitation"] = { ...(form && { form: {} }), ...(url && { url: {} }) }
  if (listing.list !== undefined)
    capabilities["roots"] = "listChanged" in listing && listing.listChanged ? { listChanged: true } : {}
  if (model !== undefined)
    capabilities["sampling"] = {
      ...("tools" in model && model.tools && { tools: {} }),
      ...("context" in model && model.context && { context: {} })
    }
  const asked = {
    ...(model && { sampling: { createMessage: {} } }),
    ...((form || url) && { elicitation: { create: {} } })
  }
  // Without anything to be asked there are no tasks either.
  if (tasks !== undefined && Object.keys(asked).length > 0)
    capabilities["tasks"] = { list: {}, cancel: {}, requests: asked }
  const kept = typeof tasks === "object" ? tasks : {}
  return { form, url, sample: model?.create, roots: listing.list, tasks: kept, capabilities }
}

/** What is wrong with them. Every revision, client/roots: a root's URI is a `file://` one. */
export function misplaced(roots: ReadonlyArray<Root>): string | undefined {
  const wrong = roots.findIndex((root: Partial<Root> | null | undefined) => !/^file:\/\//i.test(root?.uri ?? ""))
  return wrong < 0 ? undefined : `A root's URI begins with file://, and ${inBrief(roots[wrong]?.uri)} does not`
}
