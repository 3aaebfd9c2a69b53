/** Reading a stored state back: what does not have the shape is nothing, and one bad part spoils the whole. */
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"

/** Whether a stored value is one of these. */
export type Is<A> = (value: unknown) => value is A

/** How each member is stored. */
type Members<A> = { readonly [Key in keyof A]-?: Is<A[Key]> }

/** What there is beside the tag: not what only another kind has. */
type Told<A> = {
  readonly [Key in keyof A as Key extends "_tag" ? never : A[Key] extends undefined ? never : Key]: A[Key]
}

export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export const isNumber = (value: unknown): value is number => typeof value === "number"

export const isText = (value: unknown): value is string => typeof value === "string"

export const isFlag = (value: unknown): value is boolean => typeof value === "boolean"

/** An object that is passed on unread. */
export const anObject = <A extends object = JsonObject>(): Is<A> => isObject as Is<object> as Is<A>

/** The same question, where nothing will do as well. */
export const maybe =
  <A>(is: Is<A>): Is<A | undefined> =>
  (value): value is A | undefined =>
    value === undefined || is(value)

export const listOf =
  <A>(is: Is<A>): Is<ReadonlyArray<A>> =>
  (value): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.every(is)

/** An object with these members. */
export function shaped<A>(members: Members<A>): Is<A> {
  const entries = Object.entries<Is<unknown>>(members)
  return (value): value is A => isObject(value) && entries.every(([key, is]) => is(value[key]))
}

/** One of several kinds of object, told apart by `_tag`. */
export function tagged<A extends { readonly _tag: string }>(kinds: {
  readonly [Tag in A["_tag"]]: Members<Told<Extract<A, { readonly _tag: Tag }>>>
}): Is<A> {
  const shapes = new Map<unknown, Is<unknown>>()
  for (const [tag, members] of Object.entries<Members<Record<string, unknown>>>(kinds)) shapes.set(tag, shaped(members))
  return (value): value is A => isObject(value) && shapes.get(value["_tag"])?.(value) === true
}
