/** What somebody adds to the protocol since 2026-07-28: methods, results of another type, and notifications that a stream can ask for. */
import type { Check } from "./check.js"
import { problem } from "./check.js"
import type { JsonObject } from "./json.js"
import { isObject, member } from "./json.js"
import type { Revision } from "./revision.js"
import type { NotificationRow, RequestRow, Row, Rows } from "./row.js"
import { bare } from "./row.js"

/**
 * 2026-07-28 basic/versioning, Extension Negotiation: both sides announce it under its identifier in `capabilities.extensions`,
 * the client with every request. A server that did not announce it has none of its methods (`-32601`); a client that did not is
 * refused them (`-32021`), gets no result of its types, and hears nothing on a stream of what it would tell.
 */
export interface Extension {
  /** A prefix and a name, such as `com.example/jobs`: labels with dots between them, a slash, and letters, digits, `-`, `_` and `.`. */
  readonly id: string
  /** What clients may ask, by method; `header` and every other column of a request means what it does elsewhere, but none is a stream. */
  readonly client?: Rows<RequestRow>
  /** What servers may tell, by method: on a stream whose `filter` asks for it, and there only. */
  readonly server?: Rows<NotificationRow>
  /** Results other than the complete one, by the method that they answer and what their `resultType` says. */
  readonly results?: { readonly [method: string]: Readonly<Record<string, Check>> }
}

/**
 * The revision with what the extensions add, as another value; the same one where there are no extensions yet (up to 2025-11-25).
 * Announcing them is another thing: put each identifier with its settings into `capabilities.extensions`.
 *
 * ```ts
 * import { extended, request } from "@parley/core"
 * import { v2026_07_28 } from "@parley/core/revisions"
 *
 * const anything = () => undefined
 * const jobs = { id: "com.example/jobs", client: { "jobs/get": request("client", anything, anything, { header: "jobId" }) } }
 * extended(v2026_07_28, [jobs]).client["jobs/get"]?.extension // => "com.example/jobs"
 * ```
 *
 * @throws TypeError when an identifier is none or is there twice, when a method, a filter or a type of result is taken, and when
 * a row is not of the kinds that an extension may add
 */
export const extended = (revision: Revision, extensions: ReadonlyArray<Extension>): Revision =>
  revision.names.server.has("extensions") ? extensions.reduce(withOne, revision) : revision

/** Whether the capabilities announce the extension. */
export const announcesExtension = (capabilities: JsonObject, id: string): boolean =>
  isObject(member(capabilities["extensions"], id))

/** The extension that brought a type of result. */
export const bringing = ({ extensions }: Revision, method: string, type: string): Extension | undefined =>
  extensions.find(({ results }) => member(member(results, method), type) !== undefined)

function withOne(revision: Revision, extension: Extension): Revision {
  const { id, client = {}, server = {}, results = {} } = extension
  const refuse = (why: string): never => {
    throw new TypeError(`The extension ${id} ${why}`)
  }
  if (!identifier.test(id)) refuse('needs an identifier with a prefix and a name, such as "com.example/jobs"')
  if (revision.extensions.some((other) => other.id === id)) refuse("is there twice")
  const taken: ReadonlyArray<Rows> = [revision.client, revision.server, revision.questions]
  const filters = new Set(Object.values(revision.server).map((row) => row.kind === "notification" && row.filter))
  const ours = <R extends Row>(rows: Rows<R>, wrong: (row: R) => string | false): Rows<R> =>
    bare(
      Object.fromEntries(
        Object.entries(rows).map(([method, row]) => {
          if (taken.some((others) => method in others)) refuse(`adds ${method}, which is there already`)
          const why = wrong(row)
          if (why !== false) refuse(`can not add ${method}: ${why}`)
          return [method, Object.assign({}, row, { extension: id })]
        })
      )
    )
  const requests = ours(
    client,
    (row) =>
      (row.kind !== "request" || row.from !== "client" || row.stream) && "it is no request of a client, or a stream"
  )
  const notifications = ours(server, (row) =>
    row.kind !== "notification" || row.from !== "server" || row.filter === undefined || !row.stream
      ? "it is no notification that is told on a stream whose filter asks for it"
      : filters.has(row.filter) && `the filter ${row.filter} is there already`
  )
  const rows: Record<string, Row> = Object.assign({}, revision.client)
  for (const [method, row] of Object.entries(requests))
    rows[method] = Object.assign({}, row, { result: complete(row.result) })
  for (const [method, types] of Object.entries(results)) {
    const row = rows[method]
    if (row?.kind !== "request") return refuse(`adds a result of ${method}, which is no request`)
    for (const type of Object.keys(types))
      if (type === "complete" || type in row.resultTypes)
        refuse(`adds the result ${type} of ${method}, which is there already`)
    rows[method] = Object.assign({}, row, { resultTypes: bare(Object.assign({}, row.resultTypes, types)) })
  }
  return Object.assign({}, revision, {
    client: bare(rows),
    server: bare(Object.assign({}, revision.server, notifications)),
    extensions: [...revision.extensions, extension]
  })
}

/** A result of another type has another check. */
const complete =
  (check: Check): Check =>
  (value) =>
    [undefined, "complete"].includes(member(value, "resultType") as string | undefined)
      ? check(value)
      : problem("resultType", '"complete"')

/** 2026-07-28 basic, _meta, Key name format; an extension has a prefix. */
const identifier = /^[a-z]([a-z\d-]*[a-z\d])?(\.[a-z]([a-z\d-]*[a-z\d])?)*\/([a-z\d]([\w.-]*[a-z\d])?)?$/i
