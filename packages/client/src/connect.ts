/** Opens a session and gives it names: what to list, read and call, what to answer, an end to wait for. */
import type { JsonObject, Report, ResourceUpdatedParams, Revision, ServerInfo, Task, Tool } from "@parley/core"
import { hasMember } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import type { Channel, Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { answering } from "./answering.js"
import type { AnswerRoots, Answers } from "./answers.js"
import { handlersOf } from "./answers.js"
import { calling } from "./calling.js"
import { calm } from "./calmly.js"
import { catalogue } from "./catalogue.js"
import type { Client, ListOptions, TellingRoots } from "./client.js"
import { elicitations } from "./elicitations.js"
import { walkOf } from "./lists.js"
import type { Listeners } from "./notifications.js"
import { hub } from "./notifications.js"
import type { CallOptions } from "./session.js"
import { session } from "./session.js"
import { subscriptions } from "./subscriptions.js"
import { callOptions, checkOptions, completeOptions, connectable, listOptions, visitOptions } from "./options.js"
import type { Tasks } from "./tasks.js"
import { tasks as tasksOf } from "./tasks.js"
import { listing, walk } from "./walk.js"

export interface ConnectOptions<S = unknown> {
  /** Who we are: `clientInfo`. */
  readonly clientInfo: ServerInfo
  /** A server as `defineServer` makes it: `callTool` gets the types of its tools. Only its type is used. */
  readonly of?: S
  /** What the server may ask of us, and who answers. Nothing by default, and then every question is refused. */
  readonly answer?: Answers
  /** The revisions spoken, newest first; the first is proposed. All of them by default. */
  readonly revisions?: ReadonlyArray<Revision>
  /** How long the opening may take, in ms; this and every other wait and limit is none when it is `Infinity`. Default 60,000. */
  readonly openingMs?: number
  /** How long a reply may take, in ms; for a tool that asks the user something, that includes the answer. Default 60,000. */
  readonly timeoutMs?: number
  /** Pages of one list before the walk is given up with `WalkTooLong`. Default 1,000. */
  readonly maxPages?: number
  /** Listeners by method, which hear also what comes before `connect` settles. */
  readonly on?: Listeners
  /** Told of every notification that the server was allowed to send. */
  readonly onNotification?: (method: string, params: JsonObject | undefined) => void
  /**
   * Told of what the protocol sees: what was agreed, what was ignored or could not be sent, with `why` in words, and what was
   * refused, which `errorOf(failure).message` of `@parley/core` puts into words.
   */
  readonly report?: (report: Report) => void
  /** Where time comes from, for tests. */
  readonly clock?: Clock
}

/** The promise that `client.rootsChanged` keeps. */
export interface PromisingRoots {
  readonly answer: { readonly roots: { readonly list: AnswerRoots; readonly listChanged: true } }
}

/**
 * Opens a session over a channel.
 *
 * ```ts
 * import { connect } from "@parley/client"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server"
 *
 * const [near, far] = link()
 * const greeter = defineServer({ name: "greeter", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")])
 * serve(greeter, far)
 * const client = await connect(near, { clientInfo: { name: "demo", version: "1.0.0" }, of: greeter })
 * const { content } = await client.callTool("hello")
 * content // => [{ type: "text", text: "Hello!" }]
 * await client.close()
 * ```
 *
 * Rejects `CallError` when the two sides do not agree, with the channel closed; `TypeError`, with nothing sent, when there
 * is no such option or it can not be used. The options of calls are looked at alike.
 */
export function connect<S = unknown>(
  channel: Channel,
  options: ConnectOptions<S> & PromisingRoots
): Promise<Client<S> & TellingRoots>
export function connect<S = unknown>(channel: Channel, options: ConnectOptions<S>): Promise<Client<S>>
export async function connect<S>(channel: Channel, options: ConnectOptions<S>): Promise<Client<S>> {
  connectable(options)
  const { clientInfo, revisions = handshakeRevisions, answer = {}, clock = systemClock } = options
  const report = calm(options.report)
  const timeoutMs = options.timeoutMs ?? 60_000
  const handlers = handlersOf(answer)
  const visits = elicitations()
  const heard = hub(options.on ?? {}, options.onNotification)
  const askMs = answer.timeoutMs ?? 600_000
  const answers = answering({
    handlers,
    elicitations: visits,
    revisions,
    clock,
    askMs,
    feed: (input) => feed(input),
    report
  })
  let forget = (): void => {}
  let tasks: Tasks | undefined

  const { opened, closed, request, feed, close } = session(channel, {
    definition: { info: clientInfo, capabilities: handlers.capabilities, revisions },
    openingMs: options.openingMs ?? 60_000,
    timeoutMs,
    askMs,
    report,
    clock,
    ask: answers.ask,
    withdraw: answers.withdraw,
    failed: (error) => error.elicitations.forEach(({ elicitationId }) => visits.begin(elicitationId)),
    notice
  })
  const watched = subscriptions(request)
  void closed.then(() => {
    watched.close()
    answers.close()
    visits.close("the session is over")
  })
  const { peer, asked, instructions } = await opened.catch(async (error: unknown) => {
    await closed
    throw error
  })
  const revision = revisions.find(({ name }) => name === peer.revision)!
  const limits = { maxPages: options.maxPages ?? 1_000, timeoutMs, clock, times: heard.times, report }
  const walking = walkOf(revision, request, limits)
  const list =
    <A>(method: string, member: string) =>
    async (wishes: ListOptions = {}) => {
      checkOptions(method, wishes, listOptions)
      return walk<A>(walking(method, member, wishes))
    }
  const iterate =
    <A>(method: string, member: string) =>
    (wishes: ListOptions = {}) => {
      checkOptions(method, wishes, listOptions)
      return listing<A>(walking(method, member, wishes))
    }
  const listTools = list<Tool>("tools/list", "tools")
  const tools = catalogue(listTools, hasMember(revision, "CallToolResult", "structuredContent"))
  forget = tools.forget
  tasks = tasksOf({ peer, revision, request, clock, timeoutMs, report })
  void closed.then(tasks.close)
  const { callTool, startTool, task } = calling({ tools, tasks, request, clock, timeoutMs })

  function notice(method: string, params: JsonObject | undefined): void {
    if (method === "notifications/tools/list_changed") forget()
    if (method === "notifications/progress") return tasks?.progressed(params!)
    if (method === "notifications/tasks/status") tasks?.changed(params as unknown as Task)
    if (method === "notifications/resources/updated") watched.updated(params as unknown as ResourceUpdatedParams)
    // 2025-11-25 client/elicitation: completion of what is unknown or complete already is ignored.
    const unknown =
      method === "notifications/elicitation/complete" && !visits.complete(params!["elicitationId"] as string)
    if (unknown)
      return report?.({ _tag: "Ignored", method, id: undefined, why: "no such visit to a page is under way" })
    heard.tell(method, params)
  }

  const asking = async (method: string, params: JsonObject | undefined, wishes: CallOptions = {}) => {
    checkOptions(method, wishes, callOptions)
    return request(method, params, wishes)
  }
  const typed = <A>(method: string, params: JsonObject, wishes?: CallOptions): Promise<A> =>
    asking(method, params, wishes) as Promise<unknown> as Promise<A>

  const client: Client<S> = {
    peer,
    asked,
    instructions,
    listTools: (wishes) => tools.keep(listTools(wishes)),
    tools: iterate("tools/list", "tools"),
    callTool,
    startTool,
    task,
    listTasks: list("tasks/list", "tasks"),
    tasks: iterate("tasks/list", "tasks"),
    listResources: list("resources/list", "resources"),
    resources: iterate("resources/list", "resources"),
    listResourceTemplates: list("resources/templates/list", "resourceTemplates"),
    resourceTemplates: iterate("resources/templates/list", "resourceTemplates"),
    readResource: (uri, wishes) => typed("resources/read", { uri }, wishes),
    subscribe: (uri, wishes = {}) => {
      checkOptions("subscribe", wishes, callOptions)
      return watched.subscribe(uri, wishes)
    },
    listPrompts: list("prompts/list", "prompts"),
    prompts: iterate("prompts/list", "prompts"),
    getPrompt: (name, args, wishes) =>
      typed("prompts/get", args === undefined ? { name } : { name, arguments: args }, wishes),
    complete: async (of, { name, value }, options = {}) => {
      checkOptions("complete", options, completeOptions)
      const { given, ...wishes } = options
      const ref = "prompt" in of ? { type: "ref/prompt", name: of.prompt } : { type: "ref/resource", uri: of.template }
      const known = hasMember(revision, "CompleteParams", "context")
      const context = known && given !== undefined && { context: { arguments: given } }
      const result = await typed<{ completion: Awaited<ReturnType<Client["complete"]>> }>(
        "completion/complete",
        { ref, argument: { name, value }, ...context },
        wishes
      )
      return result.completion
    },
    setLogLevel: async (level, wishes) => {
      await typed("logging/setLevel", { level }, wishes)
    },
    on: heard.on,
    elicitationComplete: async (id, options = {}) => {
      checkOptions("elicitationComplete", options, visitOptions)
      await visits.wait(id, options.signal)
    },
    ping: async (wishes) => {
      await asking("ping", undefined, wishes)
    },
    request: asking,
    closed,
    close
  }
  if (!promisesRoots(answer)) return client
  return Object.assign(client, { rootsChanged: () => feed({ _tag: "RootsChanged" }) })
}

const promisesRoots = ({ roots }: Answers): boolean =>
  roots !== undefined && "list" in roots && roots.listChanged === true
