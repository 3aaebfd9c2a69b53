/** Calls as Effects: interruption withdraws the request, and what comes to nothing is a typed failure. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { CallError as Plain } from "../index.js"
import type { Progress } from "../session.js"

/**
 * A call that has no result, as `CallError` of `@parley/client`. `reason` says what happened, by `_tag`: catch all of them by
 * `Effect.catchTag("CallError", ...)`, one by `Effect.catchReason("CallError", "TimedOut", ...)`.
 */
export type CallError = Plain & { readonly _tag: "CallError" }

/** Told of the progress of the calls within; see `following`. */
export const OnProgress = Context.Reference<((progress: Progress) => void) | undefined>(
  "@parley/client/effect/OnProgress",
  { defaultValue: () => undefined }
)

interface Wishes {
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** A call that is made anew each time the Effect is run. */
export const calling = <A, O extends Wishes>(
  begin: (wishes: O) => Promise<A>,
  wishes: Omit<O, "signal"> | undefined
): Effect.Effect<A, CallError> =>
  Effect.flatMap(OnProgress, (told) =>
    Effect.callback((resume, signal) => {
      const asked = wishes as Wishes | undefined
      const onProgress = (progress: Progress): void => {
        told?.(progress)
        asked?.onProgress?.(progress)
      }
      const listens = told !== undefined && { onProgress }
      begin({ ...asked, ...listens, signal } as unknown as O).then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(failure(error))
      )
    })
  )

/** Everything else that is thrown is a mistake of the program's, such as an option that there is not. */
export const failure = (error: unknown): Effect.Effect<never, CallError> =>
  error instanceof Plain ? Effect.fail(Object.assign(error, { _tag: "CallError" as const })) : Effect.die(error)
