/** The specification's own schema of each revision, where a copy of it is at hand. */
import { existsSync, readFileSync } from "node:fs"
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

/** The definition of each message of a union such as `ClientRequest`, by method. */
export function messages({ definitions }: Official, union: string): ReadonlyMap<string, string> {
  const members = definitions[union]!["anyOf"] as ReadonlyArray<{ readonly $ref: string }>
  return new Map(
    members.map(({ $ref }) => {
      const name = $ref.slice($ref.lastIndexOf("/") + 1)
      const { method } = definitions[name]!["properties"] as { method: { const: string } }
      return [method.const, name]
    })
  )
}
