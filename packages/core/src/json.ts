/** JSON as a type, and the few questions asked of it at the border. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** An object that is neither null nor an array. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The member of that name, looked up without the prototype. */
export const member = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
