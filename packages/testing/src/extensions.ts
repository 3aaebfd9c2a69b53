/** What extensions add to the revisions of a server or a client, beside what the specification has, and whether a side has announced it. */
import type { Check, Revision, RevisionName, Row } from "@parley/core"
import { own } from "./envelope.js"
import type { Method, Side } from "./specification.js"
import { has, methodsOf } from "./specification.js"

interface Speaking {
  readonly revisions: ReadonlyArray<Revision>
}

/** The identifiers of all extensions that are spoken. */
export const extensionsOf = ({ revisions }: Speaking): ReadonlyArray<string> => [
  ...new Set(revisions.flatMap(({ extensions }) => extensions.map(({ id }) => id)))
]

/** The methods that clients may ask for, with the extension that each comes from. */
export const broughtBy = (definition: Speaking): ReadonlyMap<string, string> =>
  remembered(definition, "brought", () =>
    definition.revisions.flatMap(({ client }) =>
      Object.entries(client).flatMap(([method, { extension }]) =>
        extension === undefined ? [] : [[method, extension]]
      )
    )
  )

/** A method of the specification's, or of an extension: then its shapes are the extension's checks. */
export interface Known extends Method {
  readonly extension?: string
}

/** Every method that a side may send in a revision, with those of extensions. */
export const tableOf = (definition: Speaking, revision: RevisionName, from: Side): ReadonlyMap<string, Known> =>
  remembered(definition, `${revision} ${from}`, () => [
    ...methodsOf(revision, from),
    ...definition.revisions.flatMap((one) => (one.name === revision ? added(one, from) : []))
  ])

/** As the extension itself has them: a revision that is extended knows no more of their schemas. */
const added = ({ extensions }: Revision, from: Side): ReadonlyArray<readonly [string, Known]> =>
  extensions.flatMap(({ id: extension, [from]: rows = {} }) =>
    Object.entries(rows).map(([method, row]: readonly [string, Row]) => {
      const result = row.kind === "request" ? row.result : undefined
      return [method, { kind: row.kind, needs: undefined, params: row.params, result, extension }] as const
    })
  )

/** A type of result that an extension has added to a method. */
export interface OtherResult {
  readonly type: string
  readonly extension: string
  readonly check: Check
}

export const othersOf = ({ revisions }: Speaking, method: string): ReadonlyArray<OtherResult> =>
  revisions.flatMap(({ extensions }) =>
    extensions.flatMap(({ id, results }) =>
      Object.entries((own(results, method) ?? {}) as Readonly<Record<string, Check>>).map(([type, check]) => ({
        type,
        extension: id,
        check
      }))
    )
  )

/** Which of them a result is. */
export function otherOf(definition: Speaking, method: string, result: unknown): OtherResult | undefined {
  const type = own(result, "resultType")
  return type === undefined ? undefined : othersOf(definition, method).find((other) => other.type === type)
}

/** How the filter of a stream asks for a notification. */
export interface Filter {
  /** By what member of the filter. */
  readonly member: string
  /** Where that is a list, by what member of its params. */
  readonly by: string | undefined
  /** What the server has to declare for it. */
  readonly needs: string | undefined
  readonly extension: string | undefined
  /** The shape of its params, where it is an extension's. */
  readonly params?: unknown
}

const specified: ReadonlyArray<readonly [method: string, Filter]> = (
  [
    ["notifications/tools/list_changed", "toolsListChanged", "tools.listChanged"],
    ["notifications/prompts/list_changed", "promptsListChanged", "prompts.listChanged"],
    ["notifications/resources/list_changed", "resourcesListChanged", "resources.listChanged"],
    ["notifications/resources/updated", "resourceSubscriptions", "resources.subscribe", "uri"]
  ] as const
).map(([method, member, needs, by]) => [method, { member, by, needs, extension: undefined }])

/** All that a stream can ask for, by the method that tells of it. */
export const filtersOf = (definition: Speaking): ReadonlyMap<string, Filter> =>
  remembered(definition, "filters", () => [
    ...specified,
    ...definition.revisions.flatMap(({ server }) =>
      Object.entries(server).flatMap(([method, row]) => {
        if (row.kind !== "notification" || row.extension === undefined || row.filter === undefined) return []
        const { filter: member, by, extension, params } = row
        return [[method, { member, by, needs: undefined, extension, params }] as const]
      })
    )
  ])

/** What extensions have added to that. */
export const broughtFilters = (definition: Speaking): ReadonlyArray<readonly [method: string, Filter]> =>
  [...filtersOf(definition)].filter(([, { extension }]) => extension !== undefined)

export function announces(capabilities: unknown, extension: string): boolean {
  const settings = own(own(capabilities, "extensions"), extension)
  return typeof settings === "object" && settings !== null && !Array.isArray(settings)
}

/** Whether both sides have declared what it takes. */
export const areBothIn = (server: unknown, client: unknown, { needs, extension }: Partial<Filter>): boolean =>
  (needs === undefined || has(server, needs)) &&
  (extension === undefined || (announces(server, extension) && announces(client, extension)))

const tables = new WeakMap<object, Map<string, ReadonlyMap<string, unknown>>>()

/** Made once for the same revisions. */
function remembered<A>(
  { revisions }: Speaking,
  name: string,
  make: () => ReadonlyArray<readonly [string, A] | ReadonlyArray<never>> | ReadonlyArray<readonly [string, A]>
): ReadonlyMap<string, A> {
  const known = tables.get(revisions) ?? new Map<string, ReadonlyMap<string, unknown>>()
  tables.set(revisions, known)
  const found = known.get(name) ?? new Map(make() as ReadonlyArray<readonly [string, A]>)
  known.set(name, found)
  return found as ReadonlyMap<string, A>
}
