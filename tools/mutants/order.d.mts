/** What orders the tests of a mutant, for tests in TypeScript. */
import type { Mutant } from "./generate.d.mts"

/** Of a file of tests. */
export interface Profile {
  readonly ms: number
  readonly reached: ReadonlyArray<number>
  readonly loads: ReadonlyArray<string>
}

type Placed = Pick<Mutant, "id" | "number" | "name" | "at" | "what" | "seen">

export function ordering(
  profile: Readonly<Record<string, Profile>>,
  log: ReadonlyMap<string, { readonly test?: string }>
): {
  readonly testsFor: (mutant: Placed) => ReadonlyArray<string>
  readonly noticed: (mutant: Placed, test: string) => void
}
