/** The few checks that the generated ones are made of. None makes a closure, throws, or reads what a prototype holds. */
import type { Check, Problem } from "../check.js"
import { problem, within } from "../check.js"
import { isObject } from "../json.js"

export { isObject, problem }

const no = (expected: string): Problem => problem("", expected)

export const notObject = no("an object")
const notArray = no("an array")
const notString = no("a string")
const notNumber = no("a number")
const notInteger = no("an integer")
const notShare = no("a number from 0 to 1")
const notBoolean = no("a boolean")
const notNull = no("null")
const absent = no("a value")

export const object: Check = (value) => (isObject(value) ? undefined : notObject)

export const array: Check = (value) => (Array.isArray(value) ? undefined : notArray)

export const string: Check = (value) => (typeof value === "string" ? undefined : notString)

export const number: Check = (value) => (Number.isFinite(value) ? undefined : notNumber)

/** An integer that a double holds exactly. */
export const integer: Check = (value) => (Number.isSafeInteger(value) ? undefined : notInteger)

export const share: Check = (value) => (typeof value === "number" && value >= 0 && value <= 1 ? undefined : notShare)

export const boolean: Check = (value) => (typeof value === "boolean" ? undefined : notBoolean)

export const nothing: Check = (value) => (value === null ? undefined : notNull)

export const anything: Check = (value) => (value === undefined ? absent : undefined)

/** A member that must be there. */
export const required = (key: string, value: unknown, check: Check): Problem | undefined => {
  const inner = check(value)
  return inner && within(key, inner)
}

/** A member that may be absent; null is not absent. */
export const optional = (key: string, value: unknown, check: Check): Problem | undefined =>
  value === undefined ? undefined : required(key, value, check)

/** Every item of an array. */
export const each = (value: unknown, check: Check): Problem | undefined => {
  if (!Array.isArray(value)) return notArray
  for (let index = 0; index < value.length; index++) {
    const inner = check(value[index])
    if (inner) return within(index, inner)
  }
  return undefined
}

/** Every member of an object, whatever its name. */
export const everyMember = (value: unknown, check: Check): Problem | undefined => {
  if (!isObject(value)) return notObject
  for (const key of Object.keys(value)) {
    const inner = check(value[key])
    if (inner) return within(key, inner)
  }
  return undefined
}
