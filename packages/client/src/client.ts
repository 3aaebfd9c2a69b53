/** What an open session offers: the server's tools, resources and prompts, and whatever else it declared. */
import type {
  CompleteResult,
  GetPromptResult,
  JsonObject,
  LoggingLevel,
  Peer,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Task,
  Tool
} from "@parley/core"
import type { Prior } from "@parley/core/client"
import type { Closed } from "@parley/driver"
import type { ClientExtension } from "./extending.js"
import type { On, OnTold } from "./notifications.js"
import type { FreshOptions } from "./remembering.js"
import type { CallOptions } from "./session.js"
import type { Subscription } from "./subscriptions.js"
import type { Brought, CallTool, StartTool, TakeUp } from "./typed.js"
import type { Listing } from "./walk.js"

export interface ListOptions extends FreshOptions {
  /** Pages before the walk is given up with `WalkTooLong`, those that were dropped among them. Default: the client's `maxPages`. */
  readonly maxPages?: number
}

/** A prompt by its name, or a resource template by the template itself. */
export type Completed = { readonly prompt: string } | { readonly template: string }

export interface CompleteOptions extends CallOptions {
  /** Arguments that have a value already. Not sent on revisions before 2025-06-18, which have no place for them. */
  readonly given?: { readonly [argument: string]: string }
}

/**
 * A session. `S` is the server's type where `connect` was told it by `of`, `X` those of `extensions`.
 *
 * Lists come from the server each time, unless it said for how long they are good (2026-07-28): then they are kept that long, or
 * until they are said to have changed. Malformed items are left out and reported. When the server says that a list changed, or
 * can not go on because it did, while `list...` gathers its pages, they are dropped and gathered anew: up to three times, within
 * the same limits. After that a list that changed again comes as it was found, and the listeners to its `list_changed` know; a
 * server that again could not go on rejects `CursorInvalid`.
 *
 * The tools' schemas, by which `callTool` checks, are kept until the server says that the tools changed, or one is called that is
 * not among them; since 2026-07-28, where it need not say so, also until something does not fit them.
 */
export interface Client<S = unknown, X extends ReadonlyArray<ClientExtension> = []> {
  /** The server: revision in force, capabilities, `serverInfo`. */
  readonly peer: Peer
  /** The version that was asked for when the two agreed; where the server had refused the newest one, the one asked for after that. */
  readonly asked: string
  readonly instructions: string | undefined
  /**
   * What to remember of the server, as JSON that can be kept: given to `connect` as `prior` the next time, it spares the question
   * which revisions the server speaks. It holds for one configuration of one server; a server of older revisions that is replaced
   * by a newer one is still opened as the old one, so forget it after a while.
   */
  readonly prior: Prior

  /** All tools, from all pages. Rejects `CallError` when tools were not declared. */
  readonly listTools: (options?: ListOptions) => Promise<ReadonlyArray<Tool>>
  /** The tools one by one, with `pages()` page by page; what is not read is not fetched. */
  readonly tools: (options?: ListOptions) => Listing<Tool>
  /**
   * Calls a tool. The tools are listed first when they changed or do not have this one, which takes as long as the client's own
   * `timeoutMs` allows; the arguments are checked by the tool's `inputSchema` before anything is sent, and `structuredContent`
   * by its `outputSchema`. An `isError` result is returned; everything else that goes wrong rejects `CallError`: also arguments
   * that are no object, by `ArgumentsInvalid`. Options that can not be used reject `TypeError`, with nothing sent.
   *
   * A tool that has to be run as a task is run as one, without a difference to be seen: its result is waited for as long as a
   * reply would be, and the task is cancelled when it is not waited for any more. What takes longer is for `startTool`.
   *
   * A result of a type that an extension brought comes as it is, and says so by `resultType`.
   */
  readonly callTool: CallTool<S, Brought<X>>
  /**
   * Starts a tool as a task, which runs on when this has settled: follow it by `updates()`, fetch what came of it by `result()`.
   * Only for tools whose `execution.taskSupport` is `optional` or `required`, of a server that declared
   * `tasks.requests.tools.call` (2025-11-25); else rejects `CallError` with nothing sent. `onProgress` is told until the task
   * is over.
   *
   * ```ts
   * import { connect } from "@parley/client"
   * import { link } from "@parley/driver"
   * import { defineServer, serve, tool } from "@parley/server"
   *
   * const [near, far] = link()
   * const dig = tool("dig", { task: "optional" }, () => "found it")
   * serve(defineServer({ name: "diggers", version: "1.0.0" }, [dig]), far)
   * const clientInfo = { name: "demo", version: "1.0.0" }
   * const client = await connect(near, { clientInfo, prefer: "2025-11-25" })
   * const task = await client.startTool("dig", {}, { ttl: 60_000 })
   * const statuses: Array<string> = []
   * for await (const { status } of task.updates()) statuses.push(status)
   * statuses // => ["working", "completed"]
   * const { content } = await task.result()
   * content // => [{ type: "text", text: "found it" }]
   * await client.close()
   * ```
   */
  readonly startTool: StartTool<S>
  /**
   * Takes up a task by its id: one that was started earlier, also in another session where the server keeps it for that.
   * Its `structuredContent` is checked where the tool is named. Nothing is sent until something is asked of it.
   */
  readonly task: TakeUp<S>
  /** The tasks that the server keeps for us. Rejects `CallError` when it did not declare `tasks.list`. */
  readonly listTasks: (options?: ListOptions) => Promise<ReadonlyArray<Task>>
  readonly tasks: (options?: ListOptions) => Listing<Task>

  readonly listResources: (options?: ListOptions) => Promise<ReadonlyArray<Resource>>
  readonly resources: (options?: ListOptions) => Listing<Resource>
  readonly listResourceTemplates: (options?: ListOptions) => Promise<ReadonlyArray<ResourceTemplate>>
  readonly resourceTemplates: (options?: ListOptions) => Listing<ResourceTemplate>
  /** The contents at a URI, listed or not; `expandTemplate` makes URIs of templates. */
  readonly readResource: (uri: string, options?: FreshOptions) => Promise<ReadResourceResult>
  /**
   * Watches a resource: subscribes now, once for each URI, and unsubscribes when the last reader leaves. Updates of what lies
   * below the URI (behind a `/`, `?` or `#`) are among them. A server that says it tells of resources but not of this one rejects
   * `Unwatchable`; one that ends what it tells, without an error, ends the subscription, but where the channel `returns`: there it is
   * asked again. When a session or a connection was lost and there is another, an update is told, as some may have been missed.
   */
  readonly subscribe: (uri: string, options?: CallOptions) => Subscription

  readonly listPrompts: (options?: ListOptions) => Promise<ReadonlyArray<Prompt>>
  readonly prompts: (options?: ListOptions) => Listing<Prompt>
  readonly getPrompt: (
    name: string,
    args?: { readonly [argument: string]: string },
    options?: CallOptions
  ) => Promise<GetPromptResult>
  /** Suggestions for a value that is being typed: at most 100, the best first. */
  readonly complete: (
    of: Completed,
    argument: { readonly name: string; readonly value: string },
    options?: CompleteOptions
  ) => Promise<CompleteResult["completion"]>

  /**
   * From now on the server logs at this level and above; since 2026-07-28 it is told so with each request, and nothing is sent
   * now. What it logs comes as `notifications/message`.
   */
  readonly setLogLevel: (level: LoggingLevel, options?: CallOptions) => Promise<void>
  /**
   * Listens to a notification of the server's, until the returned function is called. Since 2026-07-28 that a list changed is only
   * told while somebody listens; when it could not be told for a while, because a connection, a session or a stream of
   * notifications was lost or ended, the client itself says once that each list changed that the server tells of. So is what an extension tells; a filter that is a list of names needs those, as in
   * `on(method, listener, [jobId])`.
   */
  readonly on: On & OnTold<X>
  /**
   * Settles when the server says that the visit to a page is complete, at once when it has said so already: for the pages of a
   * `CallError`'s `elicitations`. Not every server says so, hence give a `signal`. Rejects `NotificationUnknown` since 2026-07-28,
   * where no server does: a page to visit is a question there, and the call goes on when it is answered.
   */
  readonly elicitationComplete: (elicitationId: string, options?: { readonly signal?: AbortSignal }) => Promise<void>

  /** Round trip without content. */
  readonly ping: (options?: CallOptions) => Promise<void>
  /**
   * Any request of the revision in force. Refused here, with nothing sent, unless the server declared what it needs. It always
   * goes to the server.
   */
  readonly request: (method: string, params?: JsonObject, options?: CallOptions) => Promise<JsonObject>
  /** Settles when the session is over, with what ended it. Never rejects. */
  readonly closed: Promise<Closed>
  /** Closes; pending calls reject. Idempotent. */
  readonly close: () => Promise<void>
}

/** A client that promised to tell when its roots change. */
export interface TellingRoots {
  /** The roots are others now: the server is told, and may ask for them. */
  readonly rootsChanged: () => void
}
