/** What generates the mutants, for tests in TypeScript. */

export interface Mutant {
  /** The file, the row or function, and what became of it. */
  readonly id: string
  /** Its place among all. */
  readonly number: number
  readonly at: string
  readonly what: string
  readonly file: string
  /** The file, from the root on. */
  readonly name: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly was: string
  readonly text: string
  /** What a test must come by to notice; columns are everywhere. */
  readonly seen?: { readonly start: number; readonly end: number }
  /** Of the text of the file. */
  readonly digest: string
}

export function generate(): ReadonlyArray<Mutant>

export function apply(source: string, mutant: Pick<Mutant, "start" | "end" | "text">): string
