/** The dialects of JSON Schema that are honoured, by what `$schema` says. */
import { SchemaRefused } from "./refused.js"

export type Dialect = "2020-12" | "2019-09" | "7" | "4"

/** With or without a trailing `#`, whatever the scheme. */
const known = /^(?:https?:\/\/)?json-schema\.org\/draft(?:\/(2020-12|2019-09)|-0([74]))\/schema#?$/

/** 2020-12 when nothing is said. Throws `SchemaRefused` for any other dialect than the four. */
export function dialectOf($schema: unknown, at = ""): Dialect {
  if ($schema === undefined) return "2020-12"
  const found = typeof $schema === "string" ? known.exec($schema) : null
  if (found !== null) return (found[1] ?? found[2]) as Dialect
  throw new SchemaRefused(
    "dialect",
    at,
    `Unknown JSON Schema dialect ${JSON.stringify($schema)}. Supported are 2020-12 (also without $schema), 2019-09, draft-07 and draft-04`
  )
}
