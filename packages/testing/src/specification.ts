/** What the specification says of each method, written down apart from the tables under test: the judge's own copy. */
import type { RevisionName } from "@parley/core"
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

/** The revisions that open by a handshake, oldest first. */
export const dated: ReadonlyArray<RevisionName> = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

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

type Line = readonly [method: string, since: number, needs: string, params: string, result?: string]

const byClient: ReadonlyArray<Line> = [
  ["ping", 0, "", "EmptyParams", "EmptyResult"],
  ["initialize", 0, "", "InitializeParams", "InitializeResult"],
  ["tools/list", 0, "server tools", "PaginatedParams", "ListToolsResult"],
  ["tools/call", 0, "server tools", "CallToolParams", "CallToolResult"],
  ["prompts/list", 0, "server prompts", "PaginatedParams", "ListPromptsResult"],
  ["prompts/get", 0, "server prompts", "GetPromptParams", "GetPromptResult"],
  ["resources/list", 0, "server resources", "PaginatedParams", "ListResourcesResult"],
  ["resources/templates/list", 0, "server resources", "PaginatedParams", "ListResourceTemplatesResult"],
  ["resources/read", 0, "server resources", "ResourceParams", "ReadResourceResult"],
  ["resources/subscribe", 0, "server resources.subscribe", "ResourceParams", "EmptyResult"],
  ["resources/unsubscribe", 0, "server resources.subscribe", "ResourceParams", "EmptyResult"],
  ["completion/complete", 0, "server completions", "CompleteParams", "CompleteResult"],
  ["logging/setLevel", 0, "server logging", "SetLevelParams", "EmptyResult"],
  ["tasks/get", 3, "server tasks", "TaskParams", "TaskResult"],
  ["tasks/result", 3, "server tasks", "TaskParams", "EmptyResult"],
  ["tasks/list", 3, "server tasks.list", "PaginatedParams", "ListTasksResult"],
  ["tasks/cancel", 3, "server tasks.cancel", "TaskParams", "TaskResult"],
  ["notifications/initialized", 0, "", "NotificationParams"],
  ["notifications/cancelled", 0, "", "CancelledParams"],
  ["notifications/progress", 0, "", "ProgressParams"],
  ["notifications/roots/list_changed", 0, "client roots.listChanged", "NotificationParams"],
  ["notifications/tasks/status", 3, "client tasks", "TaskStatusParams"]
]

const byServer: ReadonlyArray<Line> = [
  ["ping", 0, "", "EmptyParams", "EmptyResult"],
  ["sampling/createMessage", 0, "client sampling", "CreateMessageParams", "CreateMessageResult"],
  ["roots/list", 0, "client roots", "EmptyParams", "ListRootsResult"],
  ["elicitation/create", 2, "client elicitation", "ElicitParams", "ElicitResult"],
  ["tasks/get", 3, "client tasks", "TaskParams", "TaskResult"],
  ["tasks/result", 3, "client tasks", "TaskParams", "EmptyResult"],
  ["tasks/list", 3, "client tasks.list", "PaginatedParams", "ListTasksResult"],
  ["tasks/cancel", 3, "client tasks.cancel", "TaskParams", "TaskResult"],
  ["notifications/cancelled", 0, "", "CancelledParams"],
  ["notifications/progress", 0, "", "ProgressParams"],
  ["notifications/message", 0, "server logging", "LoggingMessageParams"],
  ["notifications/tools/list_changed", 0, "server tools.listChanged", "NotificationParams"],
  ["notifications/prompts/list_changed", 0, "server prompts.listChanged", "NotificationParams"],
  ["notifications/resources/list_changed", 0, "server resources.listChanged", "NotificationParams"],
  ["notifications/resources/updated", 0, "server resources.subscribe", "ResourceUpdatedParams"],
  ["notifications/elicitation/complete", 3, "client elicitation.url", "ElicitationCompleteParams"],
  ["notifications/tasks/status", 3, "server tasks", "TaskStatusParams"]
]

const sent = { client: byRevision(byClient), server: byRevision(byServer) }

function byRevision(lines: ReadonlyArray<Line>): ReadonlyMap<RevisionName, ReadonlyMap<string, Method>> {
  return new Map(
    dated.map((revision, at) => [
      revision,
      new Map(lines.filter(([, since]) => since <= at).map((line) => [line[0], methodOf(revision, line)]))
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
