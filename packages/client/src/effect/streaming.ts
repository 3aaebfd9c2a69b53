/** What comes bit by bit, as Streams: whoever stops reading stops asking. */
import type { Closed } from "@parley/driver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Notifications, On } from "../notifications.js"
import type { Progress } from "../session.js"
import type { Listing } from "../walk.js"
import type { CallError } from "./calling.js"
import { failure, OnProgress } from "./calling.js"

/** How much waits for a slow reader; then the oldest goes. */
const kept = { bufferSize: 1_024, strategy: "sliding" } as const

/** What is iterated over is made when the stream is run, and its signal aborted when the stream ends, however it ends. */
export const iterated = <A>(begin: (signal: AbortSignal) => AsyncIterable<A>): Stream.Stream<A, CallError> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      ),
      ({ signal }) =>
        Stream.fromAsyncIterable(begin(signal), (error) => error).pipe(
          Stream.catch((error) => Stream.fromEffect(failure(error)))
        )
    )
  )

/** A page is one chunk. */
export const paged = <A>(begin: (signal: AbortSignal) => Listing<A>): Stream.Stream<A, CallError> =>
  Stream.flattenIterable(iterated((signal) => begin(signal).pages()))

/** Listens from when it is run to when it ends, which it does with the session. `of` is for what an extension tells. */
export const heard = <M extends keyof Notifications>(
  on: On,
  method: M,
  closed: Promise<Closed>,
  of?: ReadonlyArray<string>
): Stream.Stream<Notifications[M]> =>
  Stream.callback<Notifications[M]>(
    (queue) =>
      Effect.acquireRelease(
        Effect.sync(() =>
          (on as Naming)(method, (params) => void Queue.offerUnsafe(queue, params as Notifications[M]), of)
        ),
        (leave) => Effect.sync(leave)
      ).pipe(Effect.andThen(Effect.promise(() => closed)), Effect.andThen(Queue.end(queue))),
    kept
  )

type Naming = (method: string, listener: (params: unknown) => void, of?: ReadonlyArray<string>) => () => void

/** How far a call is, or what came of it. */
export type Followed<A> = ({ readonly _tag: "Progress" } & Progress) | { readonly _tag: "Result"; readonly result: A }

/**
 * What an Effect's calls tell of their progress, and at last what the Effect succeeds with. Of what waits for a slow reader the
 * latest thousand are kept, and the result always. Whoever stops reading interrupts the Effect.
 *
 * ```ts
 * import { connect, following } from "@parley/client/effect"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const dig = tool("dig", {}, (_, call) => Effect.as(call.progress(1, 2, "half way"), "found it"))
 * const program = Effect.gen(function* () {
 *   const [near, far] = link()
 *   yield* serve(yield* defineServer({ name: "diggers", version: "1.0.0" }, [dig]), far)
 *   const client = yield* connect(near, { clientInfo: { name: "demo", version: "1.0.0" } })
 *   return yield* Stream.runCollect(following(client.callTool("dig")))
 * })
 * const told = await Effect.runPromise(Effect.scoped(program))
 * told.map((one) => (one._tag === "Progress" ? one.message : one.result.content)) // => ["half way", [{ type: "text", text: "found it" }]]
 * ```
 */
export const following = <A, E, R>(effect: Effect.Effect<A, E, R>): Stream.Stream<Followed<A>, E, R> =>
  Stream.callback<Followed<A>, E, R>((queue) => {
    const told = (progress: Progress): void => void Queue.offerUnsafe(queue, { _tag: "Progress", ...progress })
    return Effect.provideService(effect, OnProgress, told).pipe(
      Effect.flatMap((result) => Queue.offer(queue, { _tag: "Result", result })),
      Effect.andThen(Queue.end(queue))
    )
  }, kept)
