/** Where the library for thorough validation is plugged in once it has been loaded. */
import type { JsonSchema, SyncValidator } from "./validator.js"

export interface Library {
  /** Throws `SchemaRefused`. */
  readonly thorough: (schema: JsonSchema) => SyncValidator["validate"]
  /** Of a keyword's pattern, in the schema at that place. Throws `SchemaRefused`; what it gives throws `exhausted`. */
  readonly matcher: (pattern: unknown, key: string, at: string) => (text: string) => boolean
}

let library: Library | undefined

/** Called by `@parley/json-schema/library` when it is imported. */
export function plugInLibrary(one: Library): void {
  library = one
}

export const pluggedLibrary = (): Library | undefined => library

/** True when every JSON Schema is judged at once. */
export const libraryLoaded = (): boolean => library !== undefined

/** Loads the library, once, so that from then on `compile`, `fromJsonSchema` and `fromPeer` answer at once. */
export async function loadLibrary(): Promise<void> {
  if (library === undefined) await import("./library.js")
}
