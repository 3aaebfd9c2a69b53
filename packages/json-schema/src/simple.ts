/** The quick way: schemas of common keywords become plain functions; any other keyword and there is no quick way. */
import { spend } from "./bounds.js"
import { isObject } from "./path.js"
import { pluggedLibrary } from "./lazy.js"

/** Says whether a value fits. Throws `exhausted`. A member that is undefined counts as absent, as in JSON text. */
export type Fits = (value: unknown) => boolean

type Fields = { readonly [key: string]: unknown }

/** Of a schema that has been `declared`. Nothing when it has a keyword that only the library knows, or a pattern before that is there. */
export function simple(schema: unknown): Fits | undefined {
  if (schema === true) return () => true
  if (schema === false) return () => false
  if (!isObject(schema)) return undefined
  const parts: Array<Fits> = []
  for (const key of Object.keys(schema)) {
    if (schema[key] === undefined || silent.has(key) || key.startsWith("x-")) continue
    const make = makers.get(key)
    const part = make === undefined ? undefined : make(schema[key], schema)
    if (part === undefined) return undefined
    if (part !== nothing) parts.push(part)
  }
  const [first, second, third] = parts
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (third === undefined) return (value) => first(value) && second(value)
  return (value) => {
    for (let i = 0; i < parts.length; i++) if (!parts[i]!(value)) return false
    return true
  }
}

/** A keyword that another one's maker has dealt with. */
const nothing: Fits = () => true

type Maker = (value: unknown, schema: Fields) => Fits | undefined

/** With those that begin as extensions of others do, such as `x-mcp-header`. */
const silent = new Set(
  "$schema $comment title description default examples deprecated readOnly writeOnly format".split(" ")
)

const ofNumber =
  (test: (n: number, limit: number) => boolean): Maker =>
  (limit) =>
    typeof limit === "number" ? (value) => typeof value !== "number" || test(value, limit) : undefined

const ofText =
  (test: (length: number, limit: number) => boolean): Maker =>
  (limit) =>
  (value) =>
    typeof value !== "string" || test(charactersNear(value, limit as number), limit as number)

const ofArray =
  (test: (length: number, limit: number) => boolean): Maker =>
  (limit) =>
  (value) =>
    !Array.isArray(value) || test(value.length, limit as number)

const atLeast = (n: number, limit: number): boolean => n >= limit
const atMost = (n: number, limit: number): boolean => n <= limit

const makers: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ["type", (type) => (Array.isArray(type) ? anyOf(type.map(ofType)) : ofType(type))],
  ["const", (literal) => ofLiterals([literal])],
  ["enum", (literals) => ofLiterals(literals as ReadonlyArray<unknown>)],
  ["minimum", ofNumber(atLeast)],
  ["maximum", ofNumber(atMost)],
  ["exclusiveMinimum", ofNumber((n, limit) => n > limit)],
  ["exclusiveMaximum", ofNumber((n, limit) => n < limit)],
  ["minLength", ofText(atLeast)],
  ["maxLength", ofText(atMost)],
  ["minItems", ofArray(atLeast)],
  ["maxItems", ofArray(atMost)],
  ["pattern", ofPattern],
  ["items", ofItems],
  ["properties", ofObject],
  ["required", (_, schema) => (own(schema, "properties") ? nothing : ofObject(undefined, schema))],
  [
    "additionalProperties",
    (_, schema) => (own(schema, "properties") || own(schema, "required") ? nothing : ofObject(undefined, schema))
  ],
  ["anyOf", (schemas) => anyOf((schemas as ReadonlyArray<unknown>).map(simple))],
  ["oneOf", ofOne]
])

const own = (schema: Fields, key: string): boolean => Object.hasOwn(schema, key) && schema[key] !== undefined

function ofType(type: unknown): Fits | undefined {
  switch (type) {
    case "string":
      return (value) => typeof value === "string"
    case "number":
      return (value) => typeof value === "number" && Number.isFinite(value)
    case "integer":
      return (value) => Number.isInteger(value)
    case "boolean":
      return (value) => typeof value === "boolean"
    case "null":
      return (value) => value === null
    case "array":
      return (value) => Array.isArray(value)
    case "object":
      return isObject
    default:
      return undefined
  }
}

function ofLiterals(literals: ReadonlyArray<unknown>): Fits | undefined {
  if (literals.some((literal) => typeof literal === "object" && literal !== null)) return undefined
  const [only] = literals
  if (literals.length === 1) return (value) => value === only
  const all = new Set(literals)
  return (value) => all.has(value)
}

/** Matching within bounds is the library's to do. */
function ofPattern(source: unknown): Fits | undefined {
  const test = pluggedLibrary()?.matcher(source as string)
  if (test === undefined) return undefined
  return (value) => typeof value !== "string" || test(value)
}

function ofItems(schema: unknown): Fits | undefined {
  const item = simple(schema)
  if (item === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return true
    spend(value.length)
    for (let i = 0; i < value.length; i++) if (!item(value[i])) return false
    return true
  }
}

function anyOf(parts: ReadonlyArray<Fits | undefined>): Fits | undefined {
  if (!allKnown(parts)) return undefined
  return (value) => {
    spend(parts.length)
    for (const part of parts) if (part(value)) return true
    return false
  }
}

function ofOne(schemas: unknown): Fits | undefined {
  const parts = (schemas as ReadonlyArray<unknown>).map(simple)
  if (!allKnown(parts)) return undefined
  return (value) => {
    spend(parts.length)
    let matches = 0
    for (const part of parts) if (part(value)) matches++
    return matches === 1
  }
}

const allKnown = (parts: ReadonlyArray<Fits | undefined>): parts is ReadonlyArray<Fits> => !parts.includes(undefined)

interface Property {
  readonly name: string
  readonly fits: Fits
  readonly needed: boolean
}

/** The three keywords about members, in one go over them. */
function ofObject(_: unknown, schema: Fields): Fits | undefined {
  const declared = own(schema, "properties") ? (schema["properties"] as Fields) : {}
  const required = new Set(own(schema, "required") ? (schema["required"] as Array<string>) : [])
  const properties: Array<Property> = []
  const known = new Set<string>()
  for (const name of Object.keys(declared)) {
    if (declared[name] === undefined) continue
    const fits = simple(declared[name])
    if (fits === undefined) return undefined
    known.add(name)
    properties.push({ name, fits, needed: required.delete(name) })
  }
  const others = own(schema, "additionalProperties") ? schema["additionalProperties"] : true
  const other = simple(others)
  if (other === undefined) return undefined
  const wanted = [...required]
  const weight = properties.length + wanted.length
  return (value) => {
    if (!isObject(value)) return true
    spend(weight)
    for (let i = 0; i < properties.length; i++) {
      const { name, fits, needed } = properties[i]!
      const one = Object.hasOwn(value, name) ? value[name] : undefined
      if (one === undefined ? needed : !fits(one)) return false
    }
    for (let i = 0; i < wanted.length; i++)
      if (!Object.hasOwn(value, wanted[i]!) || value[wanted[i]!] === undefined) return false
    return others === true || rest(value, known, other)
  }
}

function rest(value: Fields, known: ReadonlySet<string>, other: Fits): boolean {
  const keys = Object.keys(value)
  spend(keys.length)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (!known.has(key) && value[key] !== undefined && !other(value[key])) return false
  }
  return true
}

/** Length in characters, where a pair of surrogates is one; not counted where it can not matter to the limit. */
function charactersNear(text: string, limit: number): number {
  if (text.length < limit || text.length > limit * 2) return text.length / 2 > limit ? limit + 1 : text.length
  spend(text.length >> 4)
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}
