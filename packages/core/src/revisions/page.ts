/** What a revision's page is written with: rows that name shapes, which the revision turns into its own checks. */
import type { Check } from "../check.js"
import type { Shape } from "../checks/shape.js"
import { checksAt } from "../checks/shape.js"
import type { Revision } from "../revision.js"
import type { Need, NotificationRow, Party, RequestColumns, RequestRow, Row, Rows } from "../row.js"
import { bare, notification as notificationRow, request as requestRow } from "../row.js"

/** A row before its shapes are the checks of a revision. */
type Written<R extends Row = Row> = (is: (shape: Shape) => Check) => R

interface Columns extends Omit<RequestColumns, "task"> {
  readonly task?: { readonly needs: Need; readonly result: Shape }
}

interface Page extends Omit<Revision, "client" | "server" | "items"> {
  readonly client: Readonly<Record<string, Written>>
  readonly server: Readonly<Record<string, Written>>
  readonly items: Readonly<Record<string, Shape>>
}

export const request =
  (from: Party, params: Shape, result: Shape, columns: Columns = {}): Written<RequestRow> =>
  (is) => {
    const task = columns.task && { needs: columns.task.needs, result: is(columns.task.result) }
    return requestRow(from, is(params), is(result), Object.assign({}, columns, { task }) as RequestColumns)
  }

export const notification =
  (
    from: Party,
    params: Shape,
    columns: { readonly needs?: Need; readonly when?: Row["when"] } = {}
  ): Written<NotificationRow> =>
  (is) =>
    notificationRow(from, is(params), columns)

export function revision(page: Page): Revision {
  const is = checksAt(page.place)
  const rows = (written: Page["client"]): Rows => eachOf(written, (row) => row(is))
  return Object.assign({}, page, {
    client: rows(page.client),
    server: rows(page.server),
    items: eachOf(page.items, is)
  })
}

const eachOf = <A, B>(record: Readonly<Record<string, A>>, to: (value: A) => B): Readonly<Record<string, B>> =>
  bare(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)])))
