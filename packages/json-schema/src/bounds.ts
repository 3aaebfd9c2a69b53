/** The bounds that keep a hostile schema or value from holding up the process, and the count of work against them. */

export const bounds = {
  /** Subschemas within each other. */
  schemaDepth: 64,
  /** Subschemas in one document. */
  subschemas: 10_000,
  /** JSON values in one schema document, literals of `enum` and `const` included. */
  schemaNodes: 100_000,
  /** `$ref`, `allOf`, `anyOf` and their like that follow each other without going into the value. */
  chain: 256,
  /** Characters in one pattern. */
  pattern: 2_000,
  /** Objects and arrays within each other, in a value and in a schema document. */
  valueDepth: 128,
  /** Work in one validation: an item, an alternative or a step of a slow pattern counts one, a subschema in the library 64. */
  work: 20_000_000,
  /** Issues told about one value. */
  issues: 16
} as const

/** Thrown and caught within one validation; made once, because a stack trace costs more than the work it stops. */
export const exhausted: Error = new Error("the value takes too much work to check")

let left = 0
let quick = 0

/** Starts a validation that may spend so much work. Validations never overlap: they are synchronous. */
export function allow(work: number): void {
  left = work
  quick = 5 * bounds.work
}

export function spend(work: number): void {
  left -= work
  if (left < 0) throw exhausted
}

/** Whether the platform's own matcher may still be trusted with a pattern of that worst cost. */
export function allowance(cost: number): boolean {
  quick -= cost
  return quick >= 0
}
