/** What marks the places of mutants, for tests in TypeScript. */
import type { Mutant } from "./generate.d.mts"

export const most: number

export function marked(source: string, mutants: ReadonlyArray<Pick<Mutant, "number" | "seen">>): string
