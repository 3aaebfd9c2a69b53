/** Where effect's Schema is plugged in once it has been loaded, and how its schemas are told apart without it. */
import type { StandardSchemaWithJson } from "./standard.js"

/** What is used of effect's schemas at the level of types. They need no services to decode or encode. */
export interface EffectSchema {
  readonly "~effect/Schema/Schema": unknown
  readonly Type: unknown
  readonly Encoded: unknown
  readonly DecodingServices: never
  readonly EncodingServices: never
}

export type ToStandard = (schema: EffectSchema, use: "input" | "output") => StandardSchemaWithJson

let bridge: ToStandard | undefined

/** Called by `@parley/json-schema/effect` when it is imported. */
export function plugIn(one: ToStandard): void {
  bridge = one
}

export const plugged = (): ToStandard | undefined => bridge

/** True when `compile` answers at once for effect's schemas. */
export const effectLoaded = (): boolean => bridge !== undefined

/** Loads effect's Schema, once, so that from then on `compile` answers at once for its schemas. */
export async function loadEffect(): Promise<void> {
  if (bridge === undefined) await import("./effect.js")
}

/** By its brand. Class schemas are functions and inherit theirs. */
export const isEffect = (schema: unknown): schema is EffectSchema =>
  ((typeof schema === "object" && schema !== null) || typeof schema === "function") && "~effect/Schema/Schema" in schema
