/** What extensions add to a server's revisions, and whether both sides have announced it. */
import type { Definition, JsonObject, RequestRow, Revision } from "@parley/core"
import type { SchemaCheck } from "@parley/json-schema"
import { drawnFrom } from "./arguments.js"
import type { Choose } from "./chance.js"
import { own } from "./envelope.js"

const known = new WeakMap<object, ReadonlyMap<string, string>>()

/** The methods that clients may ask for, with the extension that each comes from. */
export function broughtBy({ revisions }: Pick<Definition, "revisions">): ReadonlyMap<string, string> {
  const found = known.get(revisions) ?? new Map(revisions.flatMap(added))
  known.set(revisions, found)
  return found
}

const added = ({ client }: Revision): ReadonlyArray<readonly [method: string, extension: string]> =>
  Object.entries(client).flatMap(([method, { extension }]) => (extension === undefined ? [] : [[method, extension]]))

/** Params that one of these methods takes, where a schema says which. */
export function paramsFor(
  { revisions }: Pick<Definition, "revisions">,
  method: string,
  choose: Choose
): JsonObject | undefined {
  const row = revisions.map(({ client }) => client[method]).find((row) => row !== undefined)
  const schema = (row?.params as Partial<SchemaCheck> | undefined)?.jsonSchema?.()
  return schema && (drawnFrom(schema, choose) as JsonObject)
}

/** The result types of a method that extensions have added. */
export const typesOf = ({ revisions }: Pick<Definition, "revisions">, method: string): ReadonlyArray<string> =>
  revisions.flatMap(({ client }) => {
    const row = Object.hasOwn(client, method) ? (client[method] as RequestRow) : undefined
    return Object.keys(row?.resultTypes ?? {}).filter((type) => type !== "input_required")
  })

export function announces(capabilities: unknown, extension: string): boolean {
  const settings = own(own(capabilities, "extensions"), extension)
  return typeof settings === "object" && settings !== null && !Array.isArray(settings)
}
