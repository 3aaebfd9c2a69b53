/** What finds the branches, for tests in TypeScript. */
import type { Mutant } from "./generate.d.mts"

export function branchMutants(
  source: string,
  program: object
): ReadonlyArray<Pick<Mutant, "at" | "what" | "start" | "end" | "text" | "seen">>
