/** Why a schema can not be used, told when it is declared. */

/**
 * - `dialect`: `$schema` names a dialect that is not supported.
 * - `reference`: a `$ref` leads out of the document or nowhere; nothing is ever fetched.
 * - `broken`: a keyword has a value that its dialect does not allow.
 * - `keyword`: a keyword that asserts something is not supported.
 * - `endless`: the schema refers to itself without going into the value.
 * - `size`: too deep or too large, see `bounds`.
 * - `root`: it does not describe an object where MCP needs one.
 * - `unprintable`: there is no JSON Schema to announce for it.
 */
export type RefusedReason = "dialect" | "reference" | "broken" | "keyword" | "endless" | "size" | "root" | "unprintable"

/** Thrown when a schema is declared, never while a value is validated. */
export class SchemaRefused extends TypeError {
  override readonly name = "SchemaRefused"
  readonly reason: RefusedReason
  /** Where in the schema, as a JSON pointer; empty for the root. */
  readonly at: string

  constructor(reason: RefusedReason, at: string, message: string, cause?: unknown) {
    super(at === "" ? message : `${message} (at ${at})`, cause === undefined ? undefined : { cause })
    this.reason = reason
    this.at = at
  }
}

/** Where a member of what is at that JSON pointer is. */
export const below = (at: string, key: string): string => `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
