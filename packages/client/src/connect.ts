/** Opens a session and gives it names: what to list, read and call, what to answer, an end to wait for. */
import type {
  JsonObject,
  LoggingLevel,
  ReadResourceResult,
  RequestRow,
  ResourceUpdatedParams,
  Task,
  Tool
} from "@parley/core"
import { hasMember } from "@parley/core"
import { revisions as allRevisions } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { answering } from "./answering.js"
import type { Answers } from "./answers.js"
import { handlersOf } from "./answers.js"
import type { Keeping } from "./cache.js"
import { keeping, listChanged, outdated, stranger } from "./cache.js"
import { calling } from "./calling.js"
import { calm } from "./calmly.js"
import type { Catalogue } from "./catalogue.js"
import { catalogue } from "./catalogue.js"
import type { Client, TellingRoots } from "./client.js"
import { completing } from "./completing.js"
import { doubt } from "./doubting.js"
import { filterOf } from "./filter.js"
import type { ConnectOptions, PromisingRoots } from "./connect-options.js"
import { elicitations } from "./elicitations.js"
import { CallError } from "./error.js"
import type { ClientExtension } from "./extending.js"
import { listing } from "./lists.js"
import { checkLevel } from "./logging.js"
import type { Notifications } from "./notifications.js"
import { headersFor, withoutMisheaded } from "./headed.js"
import { hub, lists } from "./notifications.js"
import { opening } from "./opening.js"
import { callOptions, checkOptions, connectable, readOptions, visitOptions } from "./options.js"
import { remembering } from "./remembering.js"
import type { CallOptions, Session } from "./session.js"
import { streams } from "./streams.js"
import type { Subscriptions } from "./subscriptions.js"
import { subscriptions } from "./subscriptions.js"
import type { Tasks } from "./tasks.js"
import { tasks as tasksOf } from "./tasks.js"

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
 * The newest revision that both sides speak is agreed on: a server is asked by `server/discover` what it speaks, and one that
 * does not know that, or does not answer, is opened by `initialize`. Where the channel is given as a function that makes one, as
 * in `connect(() => command("node", ["server.js"]), ...)`, it is called once more if the server ends on that question, as some
 * do that speak older revisions only.
 *
 * Rejects `CallError` when the two sides do not agree, with the channel closed and the versions of both in the message;
 * `TypeError`, with nothing sent, when there is no such option or it can not be used. The options of calls are looked at alike.
 */
export function connect<S = unknown, const X extends ReadonlyArray<ClientExtension> = []>(
  channel: Channel | (() => Channel),
  options: ConnectOptions<S, X> & PromisingRoots
): Promise<Client<S, X> & TellingRoots>
export function connect<S = unknown, const X extends ReadonlyArray<ClientExtension> = []>(
  channel: Channel | (() => Channel),
  options: ConnectOptions<S, X>
): Promise<Client<S, X>>
export async function connect<S>(
  channel: Channel | (() => Channel),
  options: ConnectOptions<S, ReadonlyArray<ClientExtension>>
): Promise<Client<S>> {
  connectable(options)
  const spoken = options.revisions ?? allRevisions
  const added = options.extensions && (await (await import("./extending.js")).extending(spoken, options.extensions))
  const revisions = added?.revisions ?? spoken
  const { clientInfo, prefer = "newest", answer = {}, clock = systemClock } = options
  const report = calm(options.report)
  const timeoutMs = options.timeoutMs ?? 60_000
  const handlers = handlersOf(answer)
  const visits = elicitations()
  const heard = hub(options.on ?? {}, options.onNotification, added?.tells)
  const askMs = answer.timeoutMs ?? 600_000
  const kept = options.cache === false ? undefined : ((options.cache as Keeping | undefined) ?? keeping({ clock }))
  const answers = answering({
    handlers,
    elicitations: visits,
    revisions,
    clock,
    askMs,
    feed: (input) => session.feed(input),
    report
  })
  let session!: Session
  /** What is only there when the session is open. */
  let opened:
    | {
        readonly forget: () => void
        readonly listed: Catalogue["listed"]
        readonly tasks: Tasks
        readonly watched: Subscriptions
        readonly back: () => void
      }
    | undefined
  let logLevel: LoggingLevel | undefined
  /** The level that was set for the session, where sessions have one. */
  let sessionLevel: LoggingLevel | undefined

  const { agreed, closed, request, feed, close, headers, returns } = await opening(
    channel,
    {
      definition: {
        info: clientInfo,
        capabilities: { ...handlers.capabilities, ...added?.capabilities },
        revisions,
        prefer
      },
      openingMs: options.openingMs ?? 60_000,
      probeMs: options.probeMs ?? 3_000,
      prior: options.prior,
      timeoutMs,
      askMs,
      report,
      clock,
      ask: answers.ask,
      withdraw: answers.withdraw,
      meta: options.meta,
      logLevel: () => logLevel,
      mirrored: (params) => {
        const tool = opened?.listed(String(params["name"]))
        return tool === undefined ? [] : headersFor(tool.inputSchema, params["arguments"])
      },
      reopened: () => {
        opened?.back()
        if (sessionLevel === undefined) return
        const told = request("logging/setLevel", { level: sessionLevel }, {})
        told.catch(() => report?.({ _tag: "Ignored", method: "logging/setLevel", id: undefined, why: noLevel }))
      },
      failed,
      notice
    },
    (begun) => (session = begun)
  )
  const { peer, asked, instructions, prior } = agreed
  const revision = revisions.find(({ name }) => name === peer.revision)!
  const remembered = remembering(revision, request, kept, options.authorization ?? stranger())
  const streaming = streams({
    peer,
    revision,
    request,
    timeoutMs,
    returns,
    report,
    lost: (uri, error) => opened!.watched.lost(uri, error),
    missed: () => doubt(doubted, watched.missed),
    clock
  })
  const watched = subscriptions(
    streaming ?? {
      watch: (uri, wishes) => request("resources/subscribe", { uri }, wishes),
      leave: (uri, wishes) => request("resources/unsubscribe", { uri }, wishes)
    }
  )
  const changes = (method: string): number => heard.times(listChanged(method)) + (kept?.changes(method) ?? 0)
  const limits = { maxPages: options.maxPages ?? 1_000, timeoutMs, clock, changes, report }
  const mirrors = headers && revision.opening === "request"
  const { list, iterate } = listing(mirrors ? withoutMisheaded(revision) : revision, remembered, limits)
  const listTools = list<Tool>("tools/list", "tools")
  const lasting = !(revision.client["tools/list"] as RequestRow).cacheable
  const structured = hasMember(revision, "CallToolResult", "structuredContent")
  const tools = catalogue((fresh) => listTools({ fresh }), { structured, lasting })
  const tasks = tasksOf({ peer, revision, request, clock, timeoutMs, report })
  const { callTool, startTool, task } = calling({ tools, tasks, request, clock, timeoutMs, mirrors })
  const doubted = { revision, peer, kept, tools, heard }
  const back = streaming?.back ?? (() => doubt(doubted, watched.again))
  opened = { forget: tools.forget, listed: tools.listed, tasks, watched, back }
  void closed.then(() => {
    watched.close()
    streaming?.close()
    answers.close()
    visits.close("the session is over")
    tasks.close()
  })

  function failed({ elicitations, reason, code }: CallError): void {
    for (const { elicitationId } of elicitations) if (elicitationId !== undefined) visits.begin(elicitationId)
    const doubtful = reason._tag === "Answered" && reason.method === "tools/call" && doubts.includes(code!)
    // 2026-07-28 server/utilities/caching, Freshness Calculation: a reason to believe that the list is another now.
    if (!doubtful || lasting) return
    kept?.drop((method) => method === "tools/list")
    tools.forget()
  }

  function notice(method: string, params: JsonObject | undefined): void {
    if (opened !== undefined && filterOf(revision, method) !== undefined) kept?.drop(outdated(revision, method, params))
    if (method === "notifications/tools/list_changed") opened?.forget()
    if (method === "notifications/progress") return opened?.tasks.progressed(params!)
    if (method === "notifications/tasks/status") opened?.tasks.changed(params as unknown as Task)
    if (method === "notifications/resources/updated")
      opened?.watched.updated(params as unknown as ResourceUpdatedParams)
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
    prior,
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
    readResource: async (uri, wishes = {}) => {
      checkOptions("resources/read", wishes, readOptions)
      return (await remembered("resources/read", { uri }, wishes)) as unknown as ReadResourceResult
    },
    subscribe: (uri, wishes = {}) => {
      checkOptions("subscribe", wishes, callOptions)
      return watched.subscribe(uri, wishes)
    },
    listPrompts: list("prompts/list", "prompts"),
    prompts: iterate("prompts/list", "prompts"),
    getPrompt: (name, args, wishes) =>
      typed("prompts/get", args === undefined ? { name } : { name, arguments: args }, wishes),
    complete: completing(revision, request),
    setLogLevel: async (level, wishes) => {
      if (revision.features.logs === "session") {
        await typed("logging/setLevel", { level }, wishes)
        sessionLevel = level
      } else logLevel = checkLevel(peer, revision, level)
    },
    on: (method: keyof Notifications, listener: (params: never) => void, of?: ReadonlyArray<string>) => {
      const row = revision.server[method]
      const stop = heard.on(method, (added?.listening(method, row, listener, of) ?? listener) as () => void)
      const leave = streaming?.on(method, row?.extension === undefined ? undefined : of)
      return () => {
        stop()
        leave?.()
      }
    },
    elicitationComplete: async (id, options = {}) => {
      checkOptions("elicitationComplete", options, visitOptions)
      const method = "notifications/elicitation/complete"
      if (revision.server[method] === undefined)
        throw new CallError({ _tag: "NotificationUnknown", method, revision: revision.name })
      await visits.wait(id, options.signal)
    },
    ping: async (wishes = {}) => {
      checkOptions("ping", wishes, callOptions)
      await request(revision.client["ping"] === undefined ? "server/discover" : "ping", undefined, wishes)
    },
    request: asking,
    closed,
    close
  }
  for (const method of lists) if (options.onNotification ?? options.on?.[method]) streaming?.on(method)
  if (!promisesRoots(answer)) return client
  return Object.assign(client, { rootsChanged: () => feed({ _tag: "RootsChanged" }) })
}

/** Errors of a call that may come of what is known of the tool: there is none, its arguments are others, or other headers. */
const doubts = [-32601, -32602, -32020]

const noLevel = "the session was lost, and in the new one the level of logs could not be set"

const promisesRoots = ({ roots }: Answers): boolean =>
  roots !== undefined && "list" in roots && roots.listChanged === true
