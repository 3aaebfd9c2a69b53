/** What generates the mutants, for tests in TypeScript. */

export interface Mutant {
  /** The file, the row or function, and what became of it. */
  readonly id: string
  readonly at: string
  readonly what: string
  readonly file: string
  readonly line: number
}

export function generate(): ReadonlyArray<Mutant>
