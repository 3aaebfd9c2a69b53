/** What the value of a keyword must be, for the reader of a refusal, and whether it is. */
import { isObject } from "./path.js"
import { below, SchemaRefused } from "./refused.js"

export interface Wanted {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
}

/** Throws `SchemaRefused` when the schema at that place can not have the keyword so. */
export function want({ expected, fits }: Wanted, value: unknown, key: string, at: string): void {
  if (!fits(value)) throw new SchemaRefused("broken", below(at, key), `"${key}" must be ${expected}`)
}

const isString = (value: unknown): boolean => typeof value === "string"
const areStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString)

/** The types of values, by name; lists of names hold them too. */
export const types: { readonly [name: string]: (value: unknown) => boolean } = {
  string: isString,
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject
}

const isType = (value: unknown): boolean => typeof value === "string" && Object.hasOwn(types, value)

export const type: Wanted = {
  expected: "a type name or an array of them",
  fits: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))
}
export const array: Wanted = { expected: "an array", fits: Array.isArray }
export const strings: Wanted = { expected: "an array of strings", fits: areStrings }
export const schemas: Wanted = { expected: "an object of schemas", fits: isObject }
export const count: Wanted = {
  expected: "an integer from 0",
  fits: (value) => Number.isInteger(value) && (value as number) >= 0
}
export const number: Wanted = { expected: "a number", fits: Number.isFinite }
