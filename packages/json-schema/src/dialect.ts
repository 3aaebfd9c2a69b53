/** The dialects of JSON Schema that are honoured, by what `$schema` says. */
import { SchemaRefused } from "./refused.js"

export type Dialect = "2020-12" | "2019-09" | "7" | "4"

/** Without a trailing `#`, whatever the scheme. */
const known: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft-07/schema", "7"],
  ["json-schema.org/draft-04/schema", "4"]
])

/** 2020-12 when nothing is said. Throws `SchemaRefused` for any other dialect than the four. */
export function dialectOf($schema: unknown, at = ""): Dialect {
  if ($schema === undefined) return "2020-12"
  const dialect =
    typeof $schema === "string" ? known.get($schema.replace(/^https?:\/\//, "").replace(/#$/, "")) : undefined
  if (dialect !== undefined) return dialect
  throw new SchemaRefused(
    "dialect",
    at,
    `Unknown JSON Schema dialect ${JSON.stringify($schema)}. Supported are 2020-12 (also without $schema), 2019-09, draft-07 and draft-04`
  )
}
