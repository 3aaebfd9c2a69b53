/** A server of such items, and a session of it that lasts as long as its scope. */
import type { ServerInfo } from "@parley/core"
import type { Channel, Closed } from "@parley/driver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import type { Declare, Item, Server, ServerOptions } from "../define.js"
import { defineServer as define, serve as serveOver } from "../index.js"
import type { Live } from "../live.js"
import type { ServeOptions } from "../serve.js"

/** What a server is made of: items as `@parley/server` has them, and such as are still to be made. */
export type Making = Item | Effect.Effect<Item, unknown, unknown>

type ItemOf<T> = T extends Effect.Effect<infer A, infer _E, infer _R> ? Extract<A, Item> : Extract<T, Item>
type FailureOf<T> = T extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type NeedsOf<T> = T extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/**
 * Declares a server, as `defineServer` of `@parley/server` does, of items that may still be to be made. It needs what their
 * handlers need, and the scope in which they run.
 *
 * ```ts
 * import { defineServer, tool } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 *
 * const hello = tool("hello", { description: "Say hello" }, () => Effect.succeed("Hello!"))
 * const greeter = defineServer({ name: "greeter", version: "1.0.0" }, [hello])
 * const { definition } = await Effect.runPromise(Effect.scoped(greeter))
 * definition.capabilities // => { tools: {} }
 * ```
 *
 * Dies of the TypeErrors of `defineServer` of `@parley/server`.
 */
export const defineServer = <
  const D extends Declare = {},
  const T extends ReadonlyArray<Making> = ReadonlyArray<Making>
>(
  info: ServerInfo,
  items: T,
  options: ServerOptions<D> = {}
): Effect.Effect<Server<D, ItemOf<T[number]>>, FailureOf<T[number]>, NeedsOf<T[number]>> =>
  Effect.map(Effect.all(items.map((item) => made<Item, unknown, unknown>(item))), (items) =>
    define(info, items, options)
  ) as never

/** A session that is being served. */
export interface Serving {
  /** Succeeds when the session is over and the channel closed, with what ended it. */
  readonly closed: Effect.Effect<Closed>
  /** Tells this client that a page it was asked to send its user to was visited; nothing when it was not asked. */
  readonly completed: (elicitationId: string) => Effect.Effect<void>
}

/** The session that `layer` serves. */
export const Serving: Context.Service<Serving, Serving> = Context.Service<Serving>("@parley/server/effect/Serving")

/**
 * Serves until the client goes or the scope closes: then no further requests are taken, those that were accepted are answered
 * (within `drainMs`), what runs on is interrupted, and the channel is closed. The scope waits for all of it.
 *
 * What handlers die of goes to Effect's logger where no `crashed` is given. Dies of a schema that was refused while it was
 * loaded, with the channel closed and nothing sent.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer, serve } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 *
 * const [near] = link()
 * const program = Effect.gen(function* () {
 *   const empty = yield* defineServer({ name: "empty", version: "1.0.0" }, [])
 *   yield* serve(empty, near)
 * })
 * await Effect.runPromise(Effect.scoped(program))
 * ```
 */
export const serve = (
  server: Server | Live,
  channel: Channel,
  options: ServeOptions = {}
): Effect.Effect<Serving, never, Scope> =>
  Effect.gen(function* () {
    const log = Effect.runForkWith(yield* Effect.context())
    const crashed: ServeOptions["crashed"] = (what, error) =>
      void log(Effect.logError(`The handler of ${what} failed`, error))
    const { closed, completed } = yield* Effect.acquireRelease(
      Effect.sync(() => serveOver(server, channel, { crashed, ...options })),
      // That it could not start was told by what follows.
      ({ close }) => Effect.promise(() => close().catch(() => undefined))
    )
    yield* Effect.promise(() => (server._tag === "Live" ? server.server : server).ready)
    return {
      closed: Effect.promise(() => closed),
      completed: (elicitationId) => Effect.sync(() => completed(elicitationId))
    }
  })

/**
 * A server as a layer: it is served for as long as the layer lives, on a channel that may need making too.
 *
 * ```ts
 * import { connect } from "@parley/client"
 * import { link } from "@parley/driver"
 * import { defineServer, layer, tool } from "@parley/server/effect"
 * import * as Context from "effect/Context"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * class Greeting extends Context.Service<Greeting, { readonly word: string }>()("Greeting") {}
 *
 * const hello = tool("hello", {}, () => Effect.map(Greeting, ({ word }) => `${word}!`))
 * const [near, far] = link()
 * const served = layer(defineServer({ name: "greeter", version: "1.0.0" }, [hello]), far)
 * const main = Layer.provide(served, Layer.succeed(Greeting, { word: "Hello" }))
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* Effect.promise(() => connect(near, { clientInfo: { name: "demo", version: "1.0.0" } }))
 *   return yield* Effect.promise(() => client.callTool("hello"))
 * })
 * const { content } = await Effect.runPromise(Effect.provide(program, main))
 * content // => [{ type: "text", text: "Hello!" }]
 * ```
 */
export const layer = <E = never, R = never, E2 = never, R2 = never>(
  server: Server | Live | Effect.Effect<Server | Live, E, R>,
  channel: Channel | Effect.Effect<Channel, E2, R2>,
  options?: ServeOptions
): Layer.Layer<Serving, E | E2, Exclude<R | R2, Scope>> =>
  Layer.effect(
    Serving,
    Effect.flatMap(
      Effect.all([made<Server | Live, E, R>(server), made<Channel, E2, R2>(channel)]),
      ([server, channel]) => serve(server, channel, options)
    )
  )

const made = <A, E, R>(one: A | Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.isEffect(one) ? one : Effect.succeed(one)
