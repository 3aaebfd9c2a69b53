/** What is logged of each mutant, for tests in TypeScript. */
import type { Mutant } from "./generate.d.mts"

export interface Verdict {
  readonly id: string
  readonly digest: string
  readonly killed: boolean
  readonly by: string
  readonly test?: string
  readonly ms: number
}

export function readLog(path: string): ReadonlyMap<string, Verdict>

export function writeVerdict(
  path: string,
  mutant: Pick<Mutant, "id" | "digest">,
  outcome: Pick<Verdict, "killed" | "by" | "test">,
  ms: number
): void

export function isKnown(log: ReadonlyMap<string, Verdict>, mutant: Pick<Mutant, "id" | "digest">): boolean
