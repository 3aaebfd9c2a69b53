/** What the specification says of each method, written down apart from the tables under test: the judge's own copy. */
import type { Definition, RevisionName } from "@parley/core"
import { schemas } from "@parley/core/schemas"

export type Side = "client" | "server"

export interface Method {
  readonly kind: "request" | "notification"
  /** The capability that must be announced, and by whom. */
  readonly needs: { readonly of: Side; readonly path: string } | undefined
  readonly params: unknown
  readonly result: unknown
}

/** Every method that a side may send in a revision. */
export const methodsOf = (revision: RevisionName, from: Side): ReadonlyMap<string, Method> => sent[from].get(revision)!

/** What a server may ask for while it serves a request: by requests of its own, or by a result that lists the questions. */
export const questionsOf = (revision: RevisionName): ReadonlyMap<string, Method> => asked.get(revision)!

/** All revisions, oldest first. */
export const dated: ReadonlyArray<RevisionName> = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]

/** Those that are opened by a handshake, and those in which every request says who asks; oldest first. */
export const byHandshake = dated.slice(0, 4)
export const byRequest = dated.slice(4)

export const saysWhoAsks = (revision: unknown): boolean => byRequest.includes(revision as RevisionName)

/** Arrays of messages are legal there and nowhere else. */
export const hasBatches = (revision: RevisionName | undefined): boolean => revision === "2025-03-26"

/** Whether the capability has a name on the wire: `completions` got one with 2025-03-26. */
export const nameable = (revision: RevisionName, path: string): boolean =>
  !(revision === "2024-11-05" && path === "completions")

/** Whether a path such as `resources.subscribe` is among the capabilities: every step is there, the last one true or an object. */
export function has(capabilities: unknown, path: string): boolean {
  let at = capabilities
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false
    at = (at as { readonly [key: string]: unknown })[key]
  }
  return at === true || (typeof at === "object" && at !== null && !Array.isArray(at))
}

/** What a server speaks before the two sides agree: its newest revision with a handshake, or the newest where there is none. */
export const first = ({ revisions }: Pick<Definition, "revisions">): RevisionName =>
  (revisions.find(({ name }) => !saysWhoAsks(name)) ?? revisions[0]!).name

/** 2025-11-25 client/elicitation, Capabilities: forms are there unless only pages were named. Before there are only forms. */
export function isOffered(revision: RevisionName | undefined, client: unknown, path: string): boolean {
  const pages = revision === "2025-11-25" || saysWhoAsks(revision)
  if (path !== "elicitation" && path !== "elicitation.form") return has(client, path)
  return has(client, "elicitation") && (!pages || has(client, "elicitation.form") || !has(client, "elicitation.url"))
}

/** Whether its results may be kept for a while, and say so. */
export const isKept = (revision: RevisionName, method: string): boolean => saysWhoAsks(revision) && kept.has(method)

/** Whether its result may list questions instead. */
export const mayAskInside = (revision: RevisionName, method: string): boolean =>
  saysWhoAsks(revision) && retried.has(method)

const kept = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read"
])
const retried = new Set(["tools/call", "prompts/get", "resources/read"])

type Line = readonly [method: string, places: Places, needs: string, params: string, result?: string]

/** The first and the last of the revisions that have it. */
type Places = readonly [since: number, until: number]

const ever: Places = [0, 4]
const handshakes: Places = [0, 3]
const tasks: Places = [3, 3]
const latest: Places = [4, 4]

const byClient: ReadonlyArray<Line> = [
  ["ping", handshakes, "", "EmptyParams", "EmptyResult"],
  ["initialize", handshakes, "", "InitializeParams", "InitializeResult"],
  ["server/discover", latest, "", "EmptyParams", "DiscoverResult"],
  ["tools/list", ever, "server tools", "PaginatedParams", "ListToolsResult"],
  ["tools/call", ever, "server tools", "CallToolParams", "CallToolResult"],
  ["prompts/list", ever, "server prompts", "PaginatedParams", "ListPromptsResult"],
  ["prompts/get", ever, "server prompts", "GetPromptParams", "GetPromptResult"],
  ["resources/list", ever, "server resources", "PaginatedParams", "ListResourcesResult"],
  ["resources/templates/list", ever, "server resources", "PaginatedParams", "ListResourceTemplatesResult"],
  ["resources/read", handshakes, "server resources", "ResourceParams", "ReadResourceResult"],
  ["resources/read", latest, "server resources", "ReadResourceParams", "ReadResourceResult"],
  ["resources/subscribe", handshakes, "server resources.subscribe", "ResourceParams", "EmptyResult"],
  ["resources/unsubscribe", handshakes, "server resources.subscribe", "ResourceParams", "EmptyResult"],
  ["completion/complete", ever, "server completions", "CompleteParams", "CompleteResult"],
  ["logging/setLevel", handshakes, "server logging", "SetLevelParams", "EmptyResult"],
  ["subscriptions/listen", latest, "", "SubscriptionsListenParams", "SubscriptionsListenResult"],
  ["tasks/get", tasks, "server tasks", "TaskParams", "TaskResult"],
  ["tasks/result", tasks, "server tasks", "TaskParams", "EmptyResult"],
  ["tasks/list", tasks, "server tasks.list", "PaginatedParams", "ListTasksResult"],
  ["tasks/cancel", tasks, "server tasks.cancel", "TaskParams", "TaskResult"],
  ["notifications/initialized", handshakes, "", "NotificationParams"],
  ["notifications/cancelled", ever, "", "CancelledParams"],
  ["notifications/progress", handshakes, "", "ProgressParams"],
  ["notifications/roots/list_changed", handshakes, "client roots.listChanged", "NotificationParams"],
  ["notifications/tasks/status", tasks, "client tasks", "TaskStatusParams"]
]

const byServer: ReadonlyArray<Line> = [
  ["ping", handshakes, "", "EmptyParams", "EmptyResult"],
  ["sampling/createMessage", handshakes, "client sampling", "CreateMessageParams", "CreateMessageResult"],
  ["roots/list", handshakes, "client roots", "EmptyParams", "ListRootsResult"],
  ["elicitation/create", [2, 3], "client elicitation", "ElicitParams", "ElicitResult"],
  ["tasks/get", tasks, "client tasks", "TaskParams", "TaskResult"],
  ["tasks/result", tasks, "client tasks", "TaskParams", "EmptyResult"],
  ["tasks/list", tasks, "client tasks.list", "PaginatedParams", "ListTasksResult"],
  ["tasks/cancel", tasks, "client tasks.cancel", "TaskParams", "TaskResult"],
  ["notifications/cancelled", ever, "", "CancelledParams"],
  ["notifications/progress", ever, "", "ProgressParams"],
  ["notifications/message", ever, "server logging", "LoggingMessageParams"],
  ["notifications/subscriptions/acknowledged", latest, "", "SubscriptionsAcknowledgedParams"],
  ["notifications/tools/list_changed", ever, "server tools.listChanged", "NotificationParams"],
  ["notifications/prompts/list_changed", ever, "server prompts.listChanged", "NotificationParams"],
  ["notifications/resources/list_changed", ever, "server resources.listChanged", "NotificationParams"],
  ["notifications/resources/updated", ever, "server resources.subscribe", "ResourceUpdatedParams"],
  ["notifications/elicitation/complete", tasks, "client elicitation.url", "ElicitationCompleteParams"],
  ["notifications/tasks/status", tasks, "server tasks", "TaskStatusParams"]
]

const inside: ReadonlyArray<Line> = [
  ["sampling/createMessage", latest, "client sampling", "CreateMessageParams", "CreateMessageResult"],
  ["roots/list", latest, "client roots", "NotificationParams", "ListRootsResult"],
  ["elicitation/create", latest, "client elicitation", "ElicitParams", "ElicitResult"]
]

const sent = { client: byRevision(byClient), server: byRevision(byServer) }
const asked = byRevision([...byServer.filter(([, , , , result]) => result !== undefined), ...inside])

function byRevision(lines: ReadonlyArray<Line>): ReadonlyMap<RevisionName, ReadonlyMap<string, Method>> {
  return new Map(
    dated.map((revision, at) => [
      revision,
      new Map(
        lines
          .filter(([, [since, until]]) => since <= at && at <= until)
          .map((line) => [line[0], methodOf(revision, line)])
      )
    ])
  )
}

function methodOf(revision: RevisionName, [, , needs, params, result]: Line): Method {
  const shapes = schemas[revision] as { readonly [name: string]: unknown }
  const [of, path] = needs.split(" ") as [Side, string]
  return {
    kind: result === undefined ? "notification" : "request",
    needs: needs === "" ? undefined : { of, path },
    params: shapes[params],
    result: result === undefined ? undefined : shapes[result]
  }
}
