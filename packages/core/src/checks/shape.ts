/** Shapes as data, and the check of one as a revision has it. */
import type { Check } from "../check.js"
import { problem, within } from "../check.js"
import { isObject } from "../json.js"
import { notArray, notObject } from "./pieces.js"

/** What a value may be. A list of texts is one of them; a list that begins with a number says what holds from which revision on. */
export type Shape = Check | ReadonlyArray<string> | Since | Struct | Each | Every | Any | Tagged

/** The place of a revision and what holds from there on, again and again; nothing where it is gone. */
type Since = ReadonlyArray<number | Shape | undefined>

type Members = { readonly [key: string]: Shape }

/** An object: `must` be there, `may` be absent. What `quick` says yes to is not looked at further. `open`: senders add what they like. */
export interface Struct {
  readonly quick?: (value: unknown) => boolean
  readonly open?: true
  readonly must?: Members
  readonly may?: Members
}

interface Each {
  readonly each: Shape
}

/** An object of which every member, whatever its name, has the shape. */
interface Every {
  readonly every: Shape
}

interface Any {
  readonly any: ReadonlyArray<Shape>
}

/** Alternatives that the member named by `tag` tells apart; `other` is for whatever is not among them. */
export interface Tagged {
  readonly tag: string
  readonly of: Members
  readonly other?: Shape
}

/**
 * The check of a shape as the revision of that place has it: the same one whenever it is asked for. It is put together when it
 * is first used, so that what nobody sends costs nothing.
 */
export const checksAt = (place: number): ((shape: Shape) => Check) => (places[place] ??= at(place))

const places: Array<(shape: Shape) => Check> = []

function at(place: number): (shape: Shape) => Check {
  const known = new Map<Shape, Check>()

  const is = (shape: Shape): Check => {
    if (typeof shape === "function") return shape
    const check = known.get(shape) ?? whenUsed(shape)
    known.set(shape, check)
    return check
  }

  const whenUsed = (shape: Exclude<Shape, Check>): Check => {
    let check: Check | undefined
    const whole: Check = (value) => (check ??= made(shape))(value)
    const quick = (shape as Struct).quick
    return quick === undefined ? whole : (value) => (quick(value) ? undefined : whole(value))
  }

  const made = (shape: Exclude<Shape, Check>): Check => {
    if (isSince(shape)) return is(heldAt(place, shape) ?? never)
    if (isList(shape)) return oneOf(shape)
    if ("each" in shape) return each(is(shape.each))
    if ("every" in shape) return every(is(shape.every))
    if ("any" in shape) return anyOf(shape.any.map(is))
    if ("tag" in shape) return tagged(shape.tag, membersOf(shape.of), shape.other && is(shape.other))
    return struct(membersOf(shape.must), membersOf(shape.may))
  }

  const membersOf = (members: Members = {}): ReadonlyMap<unknown, Check> =>
    new Map(
      Object.entries(members).flatMap(([key, shape]) => {
        const held = heldAt(place, shape)
        return held === undefined ? [] : [[key, is(held)] as const]
      })
    )

  return is
}

const isList = (shape: Shape): shape is Since | ReadonlyArray<string> => Array.isArray(shape)

/** What a shape is in the revision of that place; nothing where there is none. */
export function heldAt(place: number, shape: Shape): Shape | undefined {
  if (!isSince(shape)) return shape
  const last = shape.findLastIndex((from) => typeof from === "number" && from <= place)
  return last < 0 ? undefined : (shape[last + 1] as Shape | undefined)
}

export const isSince = (shape: Shape): shape is Since => isList(shape) && typeof shape[0] === "number"

const never: Check = () => problem("", "nothing")

function oneOf(texts: ReadonlyArray<unknown>): Check {
  const wrong = problem("", readable(texts))
  return (value) => (texts.includes(value) ? undefined : wrong)
}

const each =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return notArray
    for (let index = 0; index < value.length; index++) {
      const inner = check(value[index])
      if (inner) return within(index, inner)
    }
    return undefined
  }

const every =
  (check: Check): Check =>
  (value) => {
    if (!isObject(value)) return notObject
    for (const key of Object.keys(value)) {
      const inner = check(value[key])
      if (inner) return within(key, inner)
    }
    return undefined
  }

/** When none fits, the last that went wrong inside is told, or else what each expected. */
const anyOf =
  (checks: ReadonlyArray<Check>): Check =>
  (value) => {
    for (const check of checks) if (!check(value)) return undefined
    const problems = checks.map((check) => check(value)!)
    const expected = new Set(problems.map((one) => one.expected))
    return problems.findLast((one) => one.at !== "") ?? problem("", [...expected].join(" or "))
  }

function tagged(tag: string, kinds: ReadonlyMap<unknown, Check>, other: Check | undefined): Check {
  const wrong = problem(tag, readable([...kinds.keys()]))
  return (value) => {
    if (!isObject(value)) return notObject
    const check = kinds.get(value[tag]) ?? other
    return check ? check(value) : wrong
  }
}

function struct(must: ReadonlyMap<unknown, Check>, may: ReadonlyMap<unknown, Check>): Check {
  const keys = [...must.keys(), ...may.keys()] as ReadonlyArray<string>
  const checks = [...must.values(), ...may.values()]
  const needed = must.size
  return (value) => {
    if (!isObject(value)) return notObject
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!
      const member = value[key]
      if (member === undefined && at >= needed) continue
      const inner = checks[at]!(member)
      if (inner) return within(key, inner)
    }
    return undefined
  }
}

const readable = (texts: ReadonlyArray<unknown>): string => texts.map((text) => `"${String(text)}"`).join(" or ")
