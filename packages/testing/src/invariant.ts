/** An invariant: a numbered sentence about runs, and how to find out that a run broke it. */
import type { ClientRun, Run, ServerRun } from "./run.js"

export interface Violation {
  /** The step that broke it, counted from 0. */
  readonly at: number
  readonly why: string
}

export interface Invariant {
  readonly number: number
  /** The invariant in one sentence. */
  readonly name: string
  /** What is wrong with the run, or nothing. Neither the run nor its machine is changed. */
  readonly check: (run: Run) => Violation | undefined
}

/** Yields what is wrong, step by step; the earliest step is what a reader wants to see. */
type Law<R extends Run> = (run: R) => Iterable<Violation>

export function invariant(number: number, name: string, server: Law<ServerRun>, client: Law<ClientRun>): Invariant {
  return {
    number,
    name,
    check: (run) => {
      let first: Violation | undefined
      for (const violation of run.side === "server" ? server(run) : client(run))
        if (first === undefined || violation.at < first.at) first = violation
      return first
    }
  }
}

/** A value short enough for a sentence. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
