/** The keywords of JSON Schema: what each one's value must look like, and which of them hold further schemas. */
import { isObject } from "./path.js"
import * as wanted from "./wanted.js"

/** How the schemas within a keyword's value are found. */
export type Kind =
  | "schema" // one schema
  | "items" // one schema, or an array of them before 2020-12
  | "schemas" // an array of schemas
  | "map" // an object of schemas
  | "dependencies" // an object of schemas or of arrays of strings
  | "plain" // nothing within

export interface Keyword {
  readonly kind: Kind
  /** True when its schemas apply to the same value, not to a part of it. */
  readonly same?: true
  /** True when it asserts nothing. */
  readonly silent?: true
  /** What it must be, for the reader, and whether it is. Absent where the kind says it all. */
  readonly expected?: string
  readonly fits?: (value: unknown, draft4: boolean) => boolean
}

const isString = (value: unknown): value is string => typeof value === "string"

const of = (expected: string, fits: (value: unknown, draft4: boolean) => boolean): Keyword => ({
  kind: "plain",
  expected,
  fits
})
const silent = (expected: string, fits: (value: unknown) => boolean): Keyword => ({
  kind: "plain",
  silent: true,
  expected,
  fits
})

const schema: Keyword = { kind: "schema" }
const sameSchema: Keyword = { kind: "schema", same: true }
const sameSchemas: Keyword = { kind: "schemas", same: true }
const map: Keyword = { kind: "map" }
const count: Keyword = { kind: "plain", ...wanted.count }
const number: Keyword = { kind: "plain", ...wanted.number }
const limit = of("a number", (value, draft4) => wanted.number.fits(value) || (draft4 && value === !!value))
const boolean = of("true or false", (value) => typeof value === "boolean")
const string = of("a string", isString)
const strings: Keyword = { kind: "plain", ...wanted.strings }
const anything = silent("anything", () => true)

/** Without a prototype in the way; what is not here asserts nothing. */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", { kind: "plain", ...wanted.type }],
  ["const", of("anything", () => true)],
  ["enum", { kind: "plain", ...wanted.array }],
  ["required", strings],
  ["properties", map],
  ["additionalProperties", schema],
  ["patternProperties", map],
  ["propertyNames", schema],
  ["minProperties", count],
  ["maxProperties", count],
  [
    "dependentRequired",
    of("an object of arrays of strings", (v) => isObject(v) && Object.values(v).every(wanted.strings.fits))
  ],
  ["dependentSchemas", { kind: "map", same: true }],
  ["dependencies", { kind: "dependencies", same: true }],
  ["unevaluatedProperties", schema],
  ["items", { kind: "items" }],
  ["prefixItems", { kind: "schemas" }],
  ["additionalItems", schema],
  ["unevaluatedItems", schema],
  ["contains", schema],
  ["minContains", count],
  ["maxContains", count],
  ["minItems", count],
  ["maxItems", count],
  ["uniqueItems", boolean],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", limit],
  ["exclusiveMaximum", limit],
  ["multipleOf", of("a number above 0", (value) => wanted.number.fits(value) && Number(value) > 0)],
  ["minLength", count],
  ["maxLength", count],
  ["pattern", string],
  ["allOf", sameSchemas],
  ["anyOf", sameSchemas],
  ["oneOf", sameSchemas],
  ["not", sameSchema],
  ["if", sameSchema],
  ["then", sameSchema],
  ["else", sameSchema],
  ["$ref", string],
  ["$recursiveRef", of('"#"', (value) => value === "#")],
  ["$recursiveAnchor", boolean],
  ["$id", string],
  ["id", of("a string", (value, draft4) => !draft4 || isString(value))],
  ["$anchor", string],
  ["$defs", map],
  ["definitions", map],
  ["$schema", silent("a string", isString)],
  ["$comment", anything],
  ["$vocabulary", anything],
  ["$dynamicAnchor", anything],
  ["title", anything],
  ["description", anything],
  ["default", anything],
  ["examples", anything],
  ["deprecated", anything],
  ["readOnly", anything],
  ["writeOnly", anything],
  // An annotation in the default vocabulary of 2020-12, and so here in all dialects.
  ["format", anything],
  ["contentEncoding", anything],
  ["contentMediaType", anything],
  ["contentSchema", anything]
])
