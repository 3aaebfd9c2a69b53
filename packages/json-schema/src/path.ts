/** How a place in a value is written: `profile.age`, `items[0]`, `["odd name"]`. */

const plain = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u

/** The place of a member or an item of what is at `path`. */
export function member(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`
  if (!plain.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === "" ? key : `${path}.${key}`
}

/** The place a list of keys leads to; what is an index is asked of the value. */
export function pathOf(keys: ReadonlyArray<PropertyKey>, value: unknown): string {
  let path = ""
  let here = value
  for (const key of keys) {
    const index = typeof key === "number" || (Array.isArray(here) && /^\d+$/.test(String(key)))
    path = member(path, index ? Number(key) : String(key))
    here =
      typeof here === "object" && here !== null && Object.hasOwn(here, key)
        ? (here as { readonly [key: PropertyKey]: unknown })[key]
        : undefined
  }
  return path
}

/** An object that is neither null nor an array. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
