/** Runs handlers as fibers, with the services that were there when their item was made, in the scope in which it was. */
import * as Cause from "effect/Cause"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import type { Exit } from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"
import { failed } from "../index.js"

/** Runs an Effect to its end, at once where it can. It is interrupted when the signal is aborted, and when the scope closes. */
export type Run<R> = <A, E>(effect: Effect.Effect<A, E, R>, signal: AbortSignal) => Exit<A, E> | Promise<Exit<A, E>>

/** The scope waits for what is still running when it closes: no finalizer comes after those of the services it uses. */
export const running = <R>(): Effect.Effect<Run<R>, never, R | Scope> =>
  Effect.contextWith((context: Context<R>) =>
    Effect.map(FiberSet.make(), (fibers): Run<R> => {
      const fork = Effect.runForkWith(context)
      return (effect, signal) => {
        const fiber = fork(effect, { signal })
        const exit = fiber.pollUnsafe()
        if (exit !== undefined) return exit
        FiberSet.addUnsafe(fibers, fiber)
        return new Promise((resolve) => fiber.addObserver(resolve))
      }
    })
  )

/** What a handler came to, as what runs it knows it: returned, or thrown. */
export function outcome<A, E>(exit: Exit<A, E> | Promise<Exit<A, E>>, what: string): A | Promise<A> {
  if (exit instanceof Promise) return exit.then((exit) => outcome(exit, what))
  if (exit._tag === "Success") return exit.value
  // Nobody failed: somebody decided that it should not go on. Where it was the client, nobody hears this.
  if (Cause.hasInterruptsOnly(exit.cause)) throw failed(`${what} was interrupted before it came to an end.`)
  throw Cause.squash(exit.cause)
}
