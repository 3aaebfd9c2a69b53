/** What a handler may return: a value, a promise of it, or an Effect that makes it. */
import type { Effect } from "effect/Effect"

export type Maybe<A> = A | PromiseLike<A> | Effect<A, unknown>
