/** Tells what is wrong with a value that a simple schema refuses: a slower walk, made when it is first needed. */
import { allow, bounds, exhausted, spend } from "./bounds.js"
import { measure } from "./measure.js"
import { isObject, member, pathOf } from "./path.js"
import { simple } from "./simple.js"
import type { Issue } from "./validator.js"
import * as words from "./wording.js"

/** At least one issue and at most `bounds.issues`, as the library would tell them. Of a schema that is `simple`. */
export function telling(schema: unknown): (value: unknown) => ReadonlyArray<Issue> {
  const tell = teller(schema)
  return (value) => {
    const { problem, keys } = measure(value, Infinity)
    if (problem?.tooLarge === false) return [{ path: pathOf(keys.toReversed(), value), message: problem.message }]
    const found: Array<Found> = []
    allow(bounds.work / 16)
    try {
      tell(value, "", found)
    } catch (error) {
      // That the value is wrong is known: what has been found until here is told.
      if (error !== exhausted) throw error
    }
    if (found.length === 0) return [{ path: "", message: words.unfit }]
    return found.map(({ path, message }) => ({ path, message }))
  }
}

interface Found extends Issue {
  /** When all that is wrong is the type. */
  readonly types?: ReadonlyArray<string>
}

/** Adds what is wrong with the value, which is at that path. */
type Tell = (value: unknown, path: string, found: Array<Found>) => void

type Fields = { readonly [key: string]: unknown }

function teller(schema: unknown): Tell {
  if (!isObject(schema))
    return (_, path, found) => {
      if (schema === false) push(found, { path, message: words.unexpected })
    }
  const parts: Array<Tell> = []
  for (const key of order) {
    const value = Object.hasOwn(schema, key) ? schema[key] : undefined
    if (value !== undefined) parts.push(makers[key]?.(value, schema) ?? ofLeaf(key, value))
  }
  return (value, path, found) => {
    for (const part of parts) if (found.length < bounds.issues) part(value, path, found)
  }
}

function push(found: Array<Found>, one: Found): void {
  if (!found.some(({ path, message }) => path === one.path && message === one.message)) found.push(one)
}

/** The order in which the library looks at them. */
const order = (
  "type const enum anyOf pattern oneOf required properties additionalProperties maxItems minItems items " +
  "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength"
).split(" ")

const makers: { readonly [key: string]: ((value: unknown, schema: Fields) => Tell) | undefined } = {
  anyOf: (schemas) => ofAlternatives(schemas, (matches) => matches > 0),
  oneOf: (schemas) => ofAlternatives(schemas, (matches) => matches === 1),
  required: ofRequired,
  properties: ofProperties,
  additionalProperties: ofOthers,
  items: ofItems
}

function ofLeaf(key: string, limit: unknown): Tell {
  const fits = simple({ [key]: limit })!
  const message = words.wordingOf(key, limit)!
  const types = key === "type" ? { types: [limit].flat() as Array<string> } : {}
  return (value, path, found) => {
    if (!fits(value)) push(found, { path, message, ...types })
  }
}

function ofAlternatives(schemas: unknown, enough: (matches: number) => boolean): Tell {
  const branches = (schemas as ReadonlyArray<unknown>).map(teller)
  return (value, path, found) => {
    spend(branches.length)
    const all = branches.map((branch) => {
      const wrong: Array<Found> = []
      branch(value, path, wrong)
      return wrong
    })
    const matches = all.filter((wrong) => wrong.length === 0).length
    if (enough(matches)) return
    const wrong = all.flat()
    const types = new Set(wrong.flatMap((one) => one.types ?? []))
    const typed = types.size > 0 && wrong.every((one) => one.types && one.path === path)
    if (matches > 0) push(found, { path, message: words.manyAlternatives })
    else if (typed) push(found, { path, message: words.expected(types), types: [...types] })
    else push(found, { path, message: words.noAlternative })
  }
}

function ofRequired(names: unknown): Tell {
  return (value, path, found) => {
    if (!isObject(value)) return
    for (const name of names as ReadonlyArray<string>) {
      if (Object.hasOwn(value, name) && value[name] !== undefined) continue
      if (found.length >= bounds.issues) return
      push(found, { path: member(path, name), message: words.missing })
    }
  }
}

function ofProperties(properties: unknown): Tell {
  const tells = new Map<string, Tell>()
  for (const [name, schema] of Object.entries(properties as Fields))
    if (schema !== undefined) tells.set(name, teller(schema))
  return (value, path, found) => {
    if (!isObject(value)) return
    spend(tells.size)
    for (const [name, tell] of tells) {
      if (found.length >= bounds.issues) return
      const one = Object.hasOwn(value, name) ? value[name] : undefined
      if (one !== undefined) tell(one, member(path, name), found)
    }
  }
}

function ofOthers(others: unknown, schema: Fields): Tell {
  const { properties } = schema
  const tell = teller(others)
  return (value, path, found) => {
    if (!isObject(value)) return
    const names = Object.keys(value)
    spend(names.length)
    for (const name of names) {
      if (found.length >= bounds.issues) return
      if (isObject(properties) && Object.hasOwn(properties, name) && properties[name] !== undefined) continue
      if (value[name] !== undefined) tell(value[name], member(path, name), found)
    }
  }
}

function ofItems(items: unknown): Tell {
  const tell = teller(items)
  return (value, path, found) => {
    if (!Array.isArray(value)) return
    spend(value.length)
    for (let i = 0; i < value.length && found.length < bounds.issues; i++) tell(value[i], member(path, i), found)
  }
}
