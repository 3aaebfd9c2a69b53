/** What a revision's page is written with: rows that name shapes, which the revision turns into its own checks. */
import type { Check } from "../check.js"
import type { Shape } from "../checks/shape.js"
import { checksAt } from "../checks/shape.js"
import { namesOf } from "../narrow.js"
import type { Revision } from "../revision.js"
import type {
  Need,
  NotificationColumns,
  NotificationRow,
  Party,
  RequestColumns,
  RequestRow,
  Row,
  Rows
} from "../row.js"
import { bare, notification as notificationRow, request as requestRow } from "../row.js"

/** A row before its shapes are the checks of a revision. */
type Written<R extends Row = Row> = (is: (shape: Shape) => Check) => R

interface Columns extends Omit<RequestColumns, "task" | "resultTypes"> {
  readonly task?: { readonly needs: Need; readonly result: Shape }
  readonly resultTypes?: Readonly<Record<string, Shape>>
}

interface Page extends Omit<
  Revision,
  "envelope" | "extensions" | "client" | "server" | "questions" | "items" | "names"
> {
  readonly envelope?: Shape
  readonly client: Readonly<Record<string, Written>>
  readonly server: Readonly<Record<string, Written>>
  /** Where a server asks by requests of its own, these are its questions. */
  readonly questions?: Readonly<Record<string, Written<RequestRow>>>
  readonly items: Readonly<Record<string, Shape>>
}

export const request =
  (from: Party, params: Shape, result: Shape, columns: Columns = {}): Written<RequestRow> =>
  (is) => {
    const task = columns.task && { needs: columns.task.needs, result: is(columns.task.result) }
    const resultTypes = eachOf(columns.resultTypes ?? {}, is)
    return requestRow(from, is(params), is(result), Object.assign({}, columns, { task, resultTypes }) as RequestColumns)
  }

export const notification =
  (from: Party, params: Shape, columns: NotificationColumns = {}): Written<NotificationRow> =>
  (is) =>
    notificationRow(from, is(params), columns)

export function revision(page: Page): Revision {
  const is = checksAt(page.place)
  const rows = <R extends Row>(written: Readonly<Record<string, Written<R>>>): Rows<R> =>
    eachOf(written, (row) => row(is))
  const client = rows(page.client)
  const server = rows(page.server)
  const questions = page.questions === undefined ? requestsOf(server) : rows(page.questions)
  const names = (party: Party) => namesOf(party, [client, server, questions], page.place)
  return Object.assign({}, page, {
    envelope: page.envelope && is(page.envelope),
    extensions: [],
    client,
    server,
    questions,
    items: eachOf(page.items, is),
    names: { client: names("client"), server: names("server") }
  })
}

const requestsOf = (rows: Rows): Rows<RequestRow> =>
  bare(
    Object.fromEntries(
      Object.entries(rows).filter((entry): entry is [string, RequestRow] => entry[1].kind === "request")
    )
  )

const eachOf = <A, B>(record: Readonly<Record<string, A>>, to: (value: A) => B): Readonly<Record<string, B>> =>
  bare(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)])))
