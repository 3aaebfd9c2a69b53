/** A row says all there is to know about one method in one revision: who sends it, what it needs, when, and its shapes. */
import type { Check } from "./check.js"

export type Party = "client" | "server"

/**
 * The capability that must have been announced, and by whom: `server.tools`, `server.resources.subscribe`,
 * `client.elicitation.url`. A request needs its receiver's capability, most notifications their sender's.
 */
export type Need = `${Party}.${string}`

/** `opening`: only `initialize`. `opened`: only `notifications/initialized`. `always`: at any time. `ready`: once opened. */
export type Moment = "opening" | "opened" | "always" | "ready"

/** What running a request as a task needs, and the result that then comes at once. */
export interface TaskColumn {
  readonly needs: Need
  readonly result: Check
}

export interface RequestRow {
  readonly kind: "request"
  readonly from: Party
  readonly needs: Need | undefined
  readonly when: Moment
  /** True when the server may ask the client for input while it serves this request. */
  readonly asks: boolean
  /** True when a complete result carries `ttlMs` and `cacheScope`: how long it may be kept, and for whom. */
  readonly cacheable: boolean
  /** The member of the result that holds the items when the list is paged by `cursor` and `nextCursor`. */
  readonly paginated: string | undefined
  /** The member of params that HTTP mirrors in `Mcp-Name`. */
  readonly header: string | undefined
  /** Set when `params.task` may ask for a task (2025-11-25). */
  readonly task: TaskColumn | undefined
  /** True when the answer comes last: until then the server sends notifications that name the request's id. */
  readonly stream: boolean
  /** Results other than the complete one, by what their `resultType` says. */
  readonly resultTypes: Readonly<Record<string, Check>>
  /** The identifier of the extension that brought the row; it is there only for clients that declared it. */
  readonly extension: string | undefined
  readonly params: Check
  /** For a paged list only the frame: items have their own check, so that one bad item does not hide the others. */
  readonly result: Check
}

export interface NotificationRow extends Pick<RequestRow, "from" | "needs" | "when" | "extension" | "params"> {
  readonly kind: "notification"
  /** True when it is only sent for a request whose answer comes last, and names that request's id. */
  readonly stream: boolean
  /** The member of that request's filter which asks for it: `true`, or a list of those to tell of. */
  readonly filter: string | undefined
  /** Where it is a list, the member of params that must be on it. */
  readonly by: string | undefined
}

export type Row = RequestRow | NotificationRow

export type RequestColumns = Partial<Omit<RequestRow, "kind" | "from" | "params" | "result">>

export type NotificationColumns = Partial<Omit<NotificationRow, "kind" | "from" | "params">>

/** A row whose checks keep their types. */
export const request = <P extends Check, R extends Check>(
  from: Party,
  params: P,
  result: R,
  columns: RequestColumns = {}
): RequestRow & { readonly params: P; readonly result: R } =>
  Object.assign({}, plainRequest, columns, { from, params, result })

const plainRequest = {
  kind: "request",
  needs: undefined,
  when: "ready",
  asks: false,
  cacheable: false,
  paginated: undefined,
  header: undefined,
  task: undefined,
  stream: false,
  resultTypes: Object.freeze(Object.create(null) as Record<string, Check>),
  extension: undefined
} as const

export const notification = <P extends Check>(
  from: Party,
  params: P,
  columns: NotificationColumns = {}
): NotificationRow & { readonly params: P } => Object.assign({}, plainNotification, columns, { from, params })

const plainNotification = {
  kind: "notification",
  needs: undefined,
  when: "ready",
  stream: false,
  filter: undefined,
  by: undefined,
  extension: undefined
} as const

/** Method name to row. Made without a prototype, so `constructor` is just a name that is not there. */
export type Rows<R extends Row = Row> = Readonly<Record<string, R>>

/** A frozen record without a prototype: only what was put there is there. */
export const bare = <A>(record: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, A>, record))
