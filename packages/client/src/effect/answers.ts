/** Answers to what the server asks, as Effects: run with the services that were there when the session was opened. */
import type { Root } from "@parley/core"
import * as Cause from "effect/Cause"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"
import type { AnswerForm, AnswerPage, Answers as Plain, AnswerSample, Asking, Rejected } from "../answers.js"

type Answering<F extends (question: never, asking: never) => unknown, R> = (
  ...asked: Parameters<F>
) => Effect.Effect<Awaited<ReturnType<F>>, Rejected, R>

type AnsweringRoots<R> = ReadonlyArray<Root> | ((asking: Asking) => Effect.Effect<ReadonlyArray<Root>, Rejected, R>)

/**
 * As `Answers` of `@parley/client`, answered by Effects. A fiber is interrupted when nobody waits for its answer any more. A user
 * who says no is `Effect.fail(new Rejected())`.
 */
export interface Answers<R = never> extends Pick<Plain, "tasks" | "timeoutMs"> {
  readonly elicit?:
    | Answering<AnswerForm, R>
    | { readonly form?: Answering<AnswerForm, R>; readonly url?: Answering<AnswerPage, R> }
  readonly sample?:
    | Answering<AnswerSample, R>
    | { readonly create: Answering<AnswerSample, R>; readonly tools?: boolean; readonly context?: boolean }
  readonly roots?: AnsweringRoots<R> | { readonly list: AnsweringRoots<R>; readonly listChanged?: boolean }
}

/** The same for `connect` of `@parley/client`. The scope waits for answers that are still running when it closes. */
export const answersOf = <R>(answers: Answers<R>): Effect.Effect<Plain, never, R | Scope> =>
  Effect.contextWith((context: Context<R>) =>
    Effect.map(FiberSet.make(), (fibers) => {
      const fork = Effect.runForkWith(context)
      type Any = (...asked: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, R>
      const promising =
        (answer: Any) =>
        (...asked: ReadonlyArray<unknown>): Promise<unknown> =>
          new Promise((resolve, reject) => {
            const fiber = fork(
              Effect.suspend(() => answer(...asked)),
              { signal: (asked.at(-1) as Asking).signal }
            )
            FiberSet.addUnsafe(fibers, fiber)
            fiber.addObserver((exit) =>
              exit._tag === "Success" ? resolve(exit.value) : reject(Cause.squash(exit.cause))
            )
          })
      /** Each function, wherever it stands. */
      const all = (one: unknown): unknown => {
        if (typeof one === "function") return promising(one as Any)
        if (typeof one !== "object" || one === null || Array.isArray(one)) return one
        return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, all(value)]))
      }
      return all(answers) as Plain
    })
  )
