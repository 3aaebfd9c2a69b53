/** What a revision's page is written with: rows that name shapes, which the revision turns into its own checks. */
import type { Check } from "../check.js"
import type { Shape, Struct } from "../checks/shape.js"
import type { Lack } from "../checks/lack.js"
import { lackAt } from "../checks/lack.js"
import { checksAt } from "../checks/shape.js"
import { ClientCapabilities, Implementation, ServerCapabilities } from "../checks/shapes.js"
import type { Features, Revision } from "../revision.js"
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

export interface Page extends Pick<Revision, "name" | "opening" | "place" | "features"> {
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

/** What came with a revision: what a page says of a row, an item or a feature takes the place of what the one before said of it. */
interface Changes extends Pick<Page, "name" | "place">, Partial<Pick<Page, "client" | "server" | "items">> {
  readonly features: Partial<Features>
}

export function after(before: Page, changes: Changes): Page {
  const both = (part: "client" | "server" | "items" | "features") => Object.assign({}, before[part], changes[part])
  return Object.assign({}, before, changes, {
    client: both("client"),
    server: both("server"),
    items: both("items"),
    features: both("features")
  })
}

export function revision(page: Page): Revision {
  const { place } = page
  const checkOf = checksAt(place)
  const shapes = new Map<Check | undefined, Shape>()
  const is = (shape: Shape): Check => {
    const check = checkOf(shape)
    shapes.set(check, shape)
    return check
  }
  const known = new Map<Check | undefined, Lack | null>()
  const lacks = (check: Check | undefined): Lack | null => {
    let lack = known.get(check)
    if (lack === undefined) known.set(check, (lack = lackAt(place, shapes.get(check)) ?? null))
    return lack
  }
  const named = (shape: Shape): ReadonlySet<string> => {
    const lack = lacks(is(shape))
    return new Set(Object.keys((shape as Struct).may!).filter((name) => lack?.gone.has(name) !== true))
  }
  const rows = <R extends Row>(written: Readonly<Record<string, Written<R>>>): Rows<R> =>
    eachOf(written, (row) => row(is))
  const client = rows(page.client)
  const server = rows(page.server)
  return Object.assign({}, page, {
    envelope: page.envelope && is(page.envelope),
    extensions: [],
    client,
    server,
    questions: page.questions === undefined ? requestsOf(server) : rows(page.questions),
    items: eachOf(page.items, is),
    info: is(Implementation),
    capabilities: { client: is(ClientCapabilities), server: is(ServerCapabilities) },
    names: { client: named(ClientCapabilities), server: named(ServerCapabilities) },
    lacks
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
