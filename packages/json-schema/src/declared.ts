/** Reads a schema when it is declared: its dialect, its keywords and its size, or throws `SchemaRefused`. */
import { bounds } from "./bounds.js"
import type { Dialect } from "./dialect.js"
import { dialectOf } from "./dialect.js"
import type { Keyword } from "./keyword.js"
import { keywords } from "./keyword.js"
import { oddity } from "./oddity.js"
import { isObject } from "./path.js"
import { flagsOf } from "./flags.js"
import { below, SchemaRefused } from "./refused.js"
import type { JsonSchema } from "./validator.js"

type Fields = { readonly [key: string]: unknown }

/** A document that has passed: every keyword has a value its dialect allows, every bound is kept. */
export interface Declared {
  readonly dialect: Dialect
  readonly root: Fields
  /** Its objects that are schemas, where the others may look like them and not be. */
  readonly schemas: Set<unknown>
  /** Where they lead has not been looked at. */
  readonly references: Array<readonly [reference: string, at: string]>
}

export function declared(schema: JsonSchema): Declared {
  if (!isObject(schema)) throw new SchemaRefused("broken", "", 'A schema must be an object such as { type: "object" }')
  const odd = oddity(schema, bounds.schemaNodes)
  if (odd !== undefined)
    throw new SchemaRefused(odd.tooLarge ? "size" : "broken", odd.path, `The schema can not be used: ${odd.message}`)
  const dialect = dialectOf(Object.hasOwn(schema, "$schema") ? schema["$schema"] : undefined)
  const reading: Declared = { dialect, root: schema, schemas: new Set(), references: [] }
  readSchema(schema, "", 0, reading)
  return reading
}

/** Adds a part of a document to what has been read of it. Throws `SchemaRefused`. */
export function readSchema(schema: unknown, at: string, depth: number, reading: Declared): void {
  if (schema === true || schema === false) return
  if (!isObject(schema)) throw new SchemaRefused("broken", at, "Expected a schema: an object, true or false")
  if (reading.schemas.has(schema)) return
  reading.schemas.add(schema)
  if (reading.schemas.size > bounds.subschemas)
    throw new SchemaRefused("size", at, `More than ${bounds.subschemas} subschemas`)
  if (depth > bounds.schemaDepth)
    throw new SchemaRefused("size", at, `Subschemas are nested more than ${bounds.schemaDepth} deep`)
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    if (value === undefined) continue
    const here = below(at, key)
    if (key === "$dynamicRef") throw new SchemaRefused("keyword", here, "$dynamicRef is not supported: use $ref")
    const keyword = keywords.get(key)
    if (keyword === undefined) continue
    readKeyword(keyword, key, value, here, reading)
    readWithin(keyword, value, here, depth + 1, reading)
  }
}

function readKeyword(keyword: Keyword, key: string, value: unknown, at: string, reading: Declared): void {
  if (keyword.fits !== undefined && !keyword.fits(value, reading.dialect === "4"))
    throw new SchemaRefused("broken", at, `"${key}" must be ${keyword.expected}`)
  if (key === "$schema" && dialectOf(value, at) !== reading.dialect)
    throw new SchemaRefused("dialect", at, "A subschema can not be in another dialect than its root")
  if (key === "$ref") reading.references.push([value as string, at])
  if (key === "pattern") flagsOf(value as string, at)
  if (key === "patternProperties" && isObject(value))
    for (const pattern of Object.keys(value)) flagsOf(pattern, at, true)
}

function readWithin(keyword: Keyword, value: unknown, at: string, depth: number, reading: Declared): void {
  switch (keyword.kind) {
    case "plain":
      return
    case "schema":
      return readSchema(value, at, depth, reading)
    case "items":
      if (!Array.isArray(value)) return readSchema(value, at, depth, reading)
      return value.forEach((one, i) => readSchema(one, `${at}/${i}`, depth, reading))
    case "schemas":
      if (!Array.isArray(value)) throw new SchemaRefused("broken", at, "Expected an array of schemas")
      return value.forEach((one, i) => readSchema(one, `${at}/${i}`, depth, reading))
    case "map":
    case "dependencies":
      if (!isObject(value)) throw new SchemaRefused("broken", at, "Expected an object of schemas")
      for (const key of Object.keys(value)) {
        const one = value[key]
        if (one === undefined) continue
        if (keyword.kind === "dependencies" && Array.isArray(one)) {
          if (!one.every((name) => typeof name === "string"))
            throw new SchemaRefused("broken", at, "Expected an array of strings or a schema")
        } else readSchema(one, below(at, key), depth, reading)
      }
  }
}
