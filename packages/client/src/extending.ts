/** Extensions as a client has them: announced with every request, in the tables of the revisions that have extensions. Loaded where there are any. */
import type { Check, Extension, JsonObject, Revision, Row } from "@parley/core"
import { extended } from "@parley/core"

/** What a server was given by `extension` as its first argument, and what we say of ourselves under its identifier. */
export interface ClientExtension extends Extension {
  /** Default `{}`. */
  readonly settings?: JsonObject
}

export interface Extending {
  readonly revisions: ReadonlyArray<Revision>
  readonly capabilities: JsonObject
  /** What they tell, by method. */
  readonly tells: ReadonlyArray<string>
  /** The listener to what a row tells, of those only that it names where the stream has to name them. */
  readonly listening: (method: string, row: Row | undefined, listener: Listener, of: unknown) => Listener
}

type Listener = (params: never) => void

/** Rejects `TypeError` for what can not be added, and `SchemaRefused` where a schema can not be used. */
export async function extending(
  revisions: ReadonlyArray<Revision>,
  extensions: ReadonlyArray<ClientExtension>
): Promise<Extending> {
  await Promise.all(extensions.flatMap(checksOf).map(async ({ ready }) => ready))
  return {
    revisions: revisions.map((revision) => extended(revision, extensions)),
    capabilities: { extensions: Object.fromEntries(extensions.map(({ id, settings = {} }) => [id, settings])) },
    tells: extensions.flatMap(({ server = {} }) => Object.keys(server)),
    listening
  }
}

/** @throws TypeError when what is to be told of is not named, or need not be */
function listening(method: string, row: Row | undefined, listener: Listener, of: unknown): Listener {
  if (row?.kind !== "notification" || row.extension === undefined) return listener
  const { by } = row
  if (by === undefined) {
    if (of !== undefined) throw new TypeError(`${method} is told of everything: there is nothing to name`)
    return listener
  }
  if (!Array.isArray(of) || of.some((one) => typeof one !== "string"))
    throw new TypeError(`${method} is told of what is named: on(method, listener, [${by}, ...])`)
  const named = new Set<unknown>(of)
  const tell = listener as (params: JsonObject) => void
  return (params: JsonObject) => {
    if (named.has(params[by])) tell(params)
  }
}

/** Those made of a schema may have something to load. */
type Loaded = Check & { readonly ready?: Promise<unknown> }

const checksOf = ({ client = {}, server = {}, results = {} }: Extension): ReadonlyArray<Loaded> => [
  ...Object.values(client).flatMap(({ params, result }) => [params, result]),
  ...Object.values(server).map(({ params }) => params),
  ...Object.values(results).flatMap((types) => Object.values(types))
]
