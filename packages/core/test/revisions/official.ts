/** The specification's own schema of each revision, where a copy of it is at hand. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { resolve } from "node:path"
import type { RevisionName } from "../../src/revision.js"

const repository = resolve(import.meta.dirname, "../../../..")
const shared = resolve(repository, process.env["PARLEY_SHARED"] ?? "../shared")

const file = (revision: RevisionName): string => `${shared}/spec/${revision}/schema.json`

export const present = (revision: RevisionName): boolean => existsSync(file(revision))

export interface Node {
  readonly [keyword: string]: unknown
}

export interface Official {
  readonly definitions: Readonly<Record<string, Node>>
  /** A schema for one definition, with all others beside it to refer to. */
  readonly schemaOf: (name: string) => Node
}

/** Without `format`, which annotates and is not judged: any text passes for a URI or for base64. */
export function official(revision: RevisionName): Official {
  const whole = JSON.parse(readFileSync(file(revision), "utf8"), (key, value: unknown) =>
    key === "format" && typeof value === "string" ? undefined : value
  ) as Node
  const under = "$defs" in whole ? "$defs" : "definitions"
  const definitions = whole[under] as Record<string, Node>
  return { definitions, schemaOf: (name) => ({ [under]: definitions, $ref: `#/${under}/${name}` }) }
}

/** The definition of each message of a union such as `ClientRequest`, by method. Where there is no such union, there is no such message. */
export function messages({ definitions }: Official, union: string): ReadonlyMap<string, string> {
  const whole = definitions[union]
  if (whole === undefined) return new Map()
  // One message alone is no union, but stands in its place.
  const method = (whole["properties"] as { method?: { const: string } } | undefined)?.method
  if (method !== undefined) return new Map([[method.const, union]])
  const members = whole["anyOf"] as ReadonlyArray<{ readonly $ref: string }>
  return new Map(
    members.map(({ $ref }) => {
      const name = $ref.slice($ref.lastIndexOf("/") + 1)
      const { method } = definitions[name]!["properties"] as { method: { const: string } }
      return [method.const, name]
    })
  )
}

/** The specification's own examples, by the type that each folder is named after and the name of the file. */
export function examples(revision: RevisionName): ReadonlyArray<readonly [type: string, name: string, value: unknown]> {
  const folder = `${shared}/spec/${revision}/examples`
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((type) =>
    readdirSync(`${folder}/${type}`).map(
      (name) => [type, name, JSON.parse(readFileSync(`${folder}/${type}/${name}`, "utf8"))] as const
    )
  )
}
