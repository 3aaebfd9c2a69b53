/** Why a run of a handler ended: it waits for answers. Do not catch it; what a run returns that caught it is dropped. */
export class Suspended extends Error {
  override readonly name = "Suspended"
  /** What it ended at: a question, or something to be done once that would have begun too late. */
  readonly at: "ask" | "once"

  constructor(at: "ask" | "once" = "ask") {
    super()
    this.at = at
  }
}

/** That a run ended, as what was thrown has it: itself, or as what an error that wraps it was caused by. */
export function suspension(error: unknown): Suspended | undefined {
  try {
    for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
      if (error instanceof Suspended) return error
      error = error.cause
    }
  } catch {
    // Even looking at it throws: it is none of ours.
  }
  return undefined
}
