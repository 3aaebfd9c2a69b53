/** The quick way: schemas of common keywords become plain functions; any other keyword and there is no quick way. */
import { bounds, spend } from "./bounds.js"
import { pluggedLibrary } from "./lazy.js"
import { limits } from "./limit.js"
import { isObject, member } from "./path.js"
import { below, SchemaRefused } from "./refused.js"
import type { Issue } from "./validator.js"
import { array, schemas, strings, type, types, want } from "./wanted.js"
import * as words from "./wording.js"

/**
 * Says whether a value fits. A member that is undefined counts as absent, as in JSON text. With `found` it goes on after the first
 * mistake, and adds what is wrong with the value, which is at that path. Throws `exhausted`.
 */
export type Judge = (value: unknown, found?: Array<Found>, path?: string) => boolean

export interface Found extends Issue {
  /** When all that is wrong is the type. */
  readonly types: ReadonlyArray<string> | undefined
}

type Fields = { readonly [key: string]: unknown }

/**
 * Nothing when the schema has a keyword that only the library knows, or a pattern before that is there. `at` is where it is in its
 * document. Throws `SchemaRefused` for what a keyword can not be, of those that are known here.
 */
export function simple(schema: unknown, at = ""): Judge | undefined {
  if (schema === true) return anything
  if (schema === false) return (_, found, path) => wrong(found, path, words.unexpected)
  if (!isObject(schema)) throw new SchemaRefused("broken", at, "Expected a schema: an object, true or false")
  const keys = Object.keys(schema).filter((key) => schema[key] !== undefined && !isSilent(key))
  if (!keys.every((key) => makers.has(key))) return undefined
  const parts: Array<Judge> = []
  for (const [key, make] of makers) {
    if (!keys.includes(key)) continue
    const part = make(schema[key], key, at, schema)
    if (part === undefined) return undefined
    if (part !== anything) parts.push(part)
  }
  const [first = anything, second, third] = parts
  if (second === undefined) return first
  const all: Judge = (value, found, path) => {
    let fits = true
    for (let i = 0; i < parts.length; i++) {
      if (parts[i]!(value, found, path)) continue
      if (isFull(found)) return false
      fits = false
    }
    return fits
  }
  if (third !== undefined) return all
  return (value, found, path) => (found === undefined ? first(value) && second(value) : all(value, found, path))
}

/** Also a keyword that another one's maker has dealt with. */
const anything: Judge = () => true

const silent = new Set("$comment title description default examples deprecated readOnly writeOnly format".split(" "))

/** With those that begin as extensions of others do, such as `x-mcp-header`. */
const isSilent = (key: string): boolean => silent.has(key) || key.startsWith("x-")

/** Whether there is no reason to go on after a mistake. */
const isFull = (found: Array<Found> | undefined): boolean => found === undefined || found.length >= bounds.issues

function wrong(
  found: Array<Found> | undefined,
  path: string | undefined,
  message: string,
  types?: ReadonlyArray<string>
): false {
  if (found === undefined || isFull(found) || path === undefined) return false
  if (!found.some((one) => path === one.path && message === one.message)) found.push({ path, message, types })
  return false
}

/** Of the value that a keyword has in a schema. */
type Maker = (value: unknown, key: string, at: string, schema: Fields) => Judge | undefined

/** In one go over the members: the first that a schema has of these does it for all. */
const aboutMembers = ["required", "properties", "additionalProperties"]

/** In the order in which the library looks at them. */
const makers: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ["type", ofType],
  ["const", (literal, key, at) => ofLiterals([literal], key, at)],
  ["enum", ofLiterals],
  ["anyOf", ofAlternatives],
  ["pattern", ofPattern],
  ["oneOf", ofAlternatives],
  ...aboutMembers.map((key): [string, Maker] => [key, ofMembers]),
  ...Array.from(limits, ([key]): [string, Maker] => [key, ofLimit]),
  ["items", ofItems]
])

/** What judges the value by itself. */
const leaf =
  <A>(key: string, given: A, fits: (value: unknown, given: A) => boolean, types?: ReadonlyArray<string>): Judge =>
  (value, found, path) =>
    fits(value, given) || (found !== undefined && wrong(found, path, words.wordingOf(key, given)!, types))

function ofLimit(limit: unknown, key: string, at: string): Judge {
  const { wanted, fits } = limits.get(key)!
  want(wanted, limit, key, at)
  return leaf(key, limit as number, fits)
}

function ofType(given: unknown, key: string, at: string): Judge {
  want(type, given, key, at)
  const names = [given as string].flat()
  const fits = names.length === 1 ? types[names[0]!]! : (value: unknown) => names.some((name) => types[name]!(value))
  return leaf(key, given, fits, names)
}

function ofLiterals(literals: unknown, key: string, at: string): Judge | undefined {
  want(array, literals, key, at)
  const all = new Set(literals as ReadonlyArray<unknown>)
  for (const literal of all) if (typeof literal === "object" && literal !== null) return undefined
  return leaf(key, key === "enum" ? literals : [...all][0], (value) => all.has(value))
}

/** Matching within bounds is the library's to do. */
function ofPattern(source: unknown, key: string, at: string): Judge | undefined {
  const test = pluggedLibrary()?.matcher(source, key, at)
  return test && leaf(key, source, (value) => typeof value !== "string" || test(value))
}

function ofItems(schema: unknown, key: string, at: string): Judge | undefined {
  // One schema for each item is an older dialect's.
  const item = Array.isArray(schema) ? undefined : simple(schema, below(at, key))
  if (item === undefined) return undefined
  return (value, found, path) => {
    if (!Array.isArray(value)) return true
    spend(value.length)
    let fits = true
    for (let i = 0; i < value.length; i++) {
      if (item(value[i], found, found && member(path!, i))) continue
      if (isFull(found)) return false
      fits = false
    }
    return fits
  }
}

function ofAlternatives(schemas: unknown, key: string, at: string): Judge | undefined {
  want(array, schemas, key, at)
  const made = (schemas as ReadonlyArray<unknown>).map((one, i) => simple(one, `${at}/${key}/${i}`))
  if (made.includes(undefined)) return undefined
  const parts = made as ReadonlyArray<Judge>
  return (value, found, path) => {
    spend(parts.length)
    let matches = 0
    for (const part of parts) {
      if (!part(value)) continue
      if (key === "anyOf") return true
      matches++
    }
    if (matches === 1) return true
    if (matches > 0) return wrong(found, path, words.manyAlternatives)
    return found !== undefined && noneFits(parts, value, found, path!)
  }
}

function noneFits(parts: ReadonlyArray<Judge>, value: unknown, found: Array<Found>, path: string): false {
  const all = parts.flatMap((part) => {
    const inside: Array<Found> = []
    part(value, inside, path)
    return inside
  })
  const types = new Set(all.flatMap((one) => one.types ?? []))
  const typed = types.size > 0 && all.every((one) => one.types && one.path === path)
  return typed ? wrong(found, path, words.expected(types), [...types]) : wrong(found, path, words.noAlternative)
}

interface Property {
  readonly name: string
  readonly judge: Judge
  readonly needed: boolean
}

function ofMembers(_: unknown, key: string, at: string, schema: Fields): Judge | undefined {
  if (key !== aboutMembers.find((one) => schema[one] !== undefined)) return anything
  const { properties = {}, required = [], additionalProperties = true } = schema
  want(schemas, properties, "properties", at)
  want(strings, required, "required", at)
  const wanted = new Set(required as ReadonlyArray<string>)
  const known = new Set<string>()
  const declared: Array<Property> = []
  for (const [name, one] of Object.entries(properties as Fields)) {
    if (one === undefined) continue
    const judge = simple(one, below(below(at, "properties"), name))
    if (judge === undefined) return undefined
    known.add(name)
    declared.push({ name, judge, needed: wanted.has(name) })
  }
  const other = simple(additionalProperties, below(at, "additionalProperties"))
  if (other === undefined) return undefined
  for (const name of wanted) if (!known.has(name)) declared.push({ name, judge: anything, needed: true })
  return (value, found, path) => {
    if (!isObject(value)) return true
    spend(declared.length)
    if (found !== undefined)
      for (const name of wanted)
        if (memberOf(value, name) === undefined) wrong(found, member(path!, name), words.missing)
    let fits = true
    for (let i = 0; i < declared.length; i++) {
      const { name, judge, needed } = declared[i]!
      const one = memberOf(value, name)
      if (one === undefined ? !needed : judge(one, found, found && member(path!, name))) continue
      if (isFull(found)) return false
      fits = false
    }
    if (other === anything) return fits
    const keys = Object.keys(value)
    spend(keys.length)
    for (let i = 0; i < keys.length; i++) {
      const name = keys[i]!
      const one = value[name]
      if (known.has(name) || one === undefined || other(one, found, found && member(path!, name))) continue
      if (isFull(found)) return false
      fits = false
    }
    return fits
  }
}

const memberOf = (value: Fields, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
