/** A request that can not be served before the user has visited a page, such as one where access is granted. */
import type { JsonObject } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import type { CallFailure, Invoke, Question } from "@parley/core/server"
import { lacking, unaskable } from "@parley/core/server"
import type { Told } from "./failed.js"
import { Telling } from "./failed.js"
import type { Job } from "./job.js"

export interface PageParams {
  /** For the user: why to go there. */
  readonly message: string
  /** Shown to the user whole, and opened only with consent. */
  readonly url: string
  /** Names this visit. The client hears by it that the visit is complete, when `completed` is called with it (2025-11-25). */
  readonly elicitationId: string
}

/** Thrown by a handler, it tells the client which pages to visit before it tries again. */
export class PageRequired extends Telling {
  override readonly name = "PageRequired"
  readonly pages: ReadonlyArray<PageParams>

  constructor(pages: ReadonlyArray<PageParams>) {
    super("The user has to visit a page first")
    this.pages = pages
  }

  tell(invoke: Invoke): Told {
    return toldOf(this.pages, invoke)
  }
}

/**
 * An error to throw when nothing can be done before the user has visited a page: the client gets error `-32042` with the
 * page, and tries again later. Since 2026-07-28 it is asked to send its user there, as by `page()`, and the handler is run again
 * once the user went: it may throw this again as long as the visit is not complete, of which no client is told there. A client
 * that can not send its user to a page, or whose user does not go, gets a result that says so, without the page; the first one
 * error `-32021` since 2026-07-28.
 *
 * ```ts
 * import { pageRequired, tool } from "@parley/server"
 *
 * const files = tool("files", {}, () => {
 *   throw pageRequired({ message: "Allow access", url: "https://example.com/allow", elicitationId: "550e8400" })
 * })
 * files.name // => "files"
 * ```
 */
export const pageRequired = (...pages: ReadonlyArray<PageParams>): PageRequired => new PageRequired(pages)

export const pageQuestion = ({ message, url, elicitationId }: PageParams): JsonObject => ({
  mode: "url",
  message,
  url,
  elicitationId
})

const page = "elicitation.url"

/** No question that a handler declares has such a name. */
const start = "#page"

function toldOf(pages: ReadonlyArray<PageParams>, { peer, answers = {} }: Invoke): Told {
  const revision = revisionNamed(peer.revision)
  const elicitations = pages.map(pageQuestion)
  const why = elicitations
    .map((params) => revision && unaskable(revision, peer, { method: "elicitation/create", params }))
    .find((one) => one !== undefined)
  if (why !== undefined || pages.length === 0) {
    const told = pages.map(({ message }) => message).join("; ")
    const text = `The user has to visit a page first, to which this client can not send anybody: ${told}`
    const needs = revision === undefined ? [] : lacking(revision, peer, [page])
    const failure: CallFailure =
      needs.length === 0 ? { _tag: "Told", text } : { _tag: "CapabilityMissing", needs, text }
    return { failure }
  }
  if (revision?.features.pageRequired === "question") {
    const asked = Object.entries(answers).filter(([key]) => key.startsWith(start))
    const went = asked.every(([, answer]) => answer._tag === "Answered" && answer.result["action"] === "accept")
    if (!went) return { failure: { _tag: "Told", text: "The user did not visit the page" } }
    const questions = elicitations.map((params, at) => ({
      key: `${start}${asked.length + at + 1}`,
      method: "elicitation/create",
      params
    }))
    return { again: (job) => again(job, questions) }
  }
  const message = "The user has to visit a page first"
  return {
    // 2025-11-25 client/elicitation, URL Elicitation Required Error.
    failure: { _tag: "Chosen", code: -32042, message, data: { elicitations } },
    visits: pages.map(({ elicitationId }) => elicitationId)
  }
}

/** It is run once more when these are answered, and knows then what it knew. */
function again(
  { invoke: { call, id, once }, call: running, end, feed }: Job,
  questions: ReadonlyArray<Question>
): void {
  const { asker } = running
  running.finish()
  end({ _tag: "Suspended" })
  void Promise.resolve(asker?.settled()).then(() => {
    const done = asker?.done?.values() ?? once?.["done"] ?? {}
    feed({ _tag: "NeedsInput", call, id, questions, once: { done, asked: once?.["asked"] ?? {} } })
  })
}
