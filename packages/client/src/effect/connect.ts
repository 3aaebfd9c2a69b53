/** Opens a session that lasts as long as its scope. */
import { extended } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { connect as promise, untold } from "../index.js"
import type { Client as Promised } from "../client.js"
import type { ConnectOptions as Plain } from "../connect-options.js"
import type { ClientExtension } from "../extending.js"
import type { Answers } from "./answers.js"
import { answersOf } from "./answers.js"
import type { CallError } from "./calling.js"
import { failure } from "./calling.js"
import type { TellingRoots } from "./client.js"
import { Client, clientOf } from "./client.js"

/** As for `connect` of `@parley/client`; what the server asks is answered by Effects. */
export interface ConnectOptions<S = unknown, R = never, X extends ReadonlyArray<ClientExtension> = []> extends Omit<
  Plain<S, X>,
  "answer"
> {
  readonly answer?: Answers<R>
}

/** The promise that `client.rootsChanged` keeps. */
interface PromisingRoots {
  readonly answer: { readonly roots: { readonly list: unknown; readonly listChanged: true } }
}

/** A channel, or how to make one, as `connect` of `@parley/client` takes it. */
export type Connected = Parameters<typeof promise>[0]

/**
 * Opens a session; the scope closes it. Fails when the two sides do not agree; when it is interrupted meanwhile, or fails, the
 * channel is closed. Options that can not be used are defects.
 *
 * ```ts
 * import { connect } from "@parley/client/effect"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server"
 * import * as Effect from "effect/Effect"
 *
 * const [near, far] = link()
 * const greeter = defineServer({ name: "greeter", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")])
 * serve(greeter, far)
 * const program = Effect.gen(function* () {
 *   const client = yield* connect(near, { clientInfo: { name: "demo", version: "1.0.0" }, of: greeter })
 *   return yield* client.callTool("hello", {}, { timeoutMs: 1000 })
 * }).pipe(Effect.catchReason("CallError", "TimedOut", () => Effect.succeed({ content: [] })))
 * const { content } = await Effect.runPromise(Effect.scoped(program))
 * content // => [{ type: "text", text: "Hello!" }]
 * ```
 */
export function connect<S = unknown, R = never, const X extends ReadonlyArray<ClientExtension> = []>(
  channel: Connected,
  options: ConnectOptions<S, R, X> & PromisingRoots
): Effect.Effect<Client<S, X> & TellingRoots, CallError, R | Scope>
export function connect<S = unknown, R = never, const X extends ReadonlyArray<ClientExtension> = []>(
  channel: Connected,
  options: ConnectOptions<S, R, X>
): Effect.Effect<Client<S, X>, CallError, R | Scope>
export function connect<S, R>(
  channel: Connected,
  { answer, ...rest }: ConnectOptions<S, R, ReadonlyArray<ClientExtension>>
): Effect.Effect<Client<S>, CallError, R | Scope> {
  return Effect.gen(function* () {
    const options: Extended<S> = answer === undefined ? rest : { ...rest, answer: yield* answersOf(answer) }
    const plain = yield* Effect.acquireRelease(opening(channel, options), ({ close }) => Effect.promise(close), {
      interruptible: true
    })
    const { peer } = plain
    const spoken = (rest.revisions ?? revisions).find(({ name }) => name === peer.revision)!
    const revision = extended(spoken, rest.extensions ?? [])
    const client = clientOf(plain as unknown as Promised, (method) => untold(revision, peer, method)) as Client<S>
    if (!("rootsChanged" in plain)) return client
    return Object.assign(client, { rootsChanged: Effect.sync(plain.rootsChanged as () => void) })
  })
}

type Extended<S> = Plain<S, ReadonlyArray<ClientExtension>>
type Any<S> = Promised<S, ReadonlyArray<ClientExtension>>

const opening = <S>(channel: Connected, options: Extended<S>): Effect.Effect<Any<S>, CallError> =>
  Effect.callback((resume, signal) => {
    let made = typeof channel === "function" ? undefined : channel
    const make = (): Channel => {
      // Nobody waits for it any more, and nobody would close it.
      signal.throwIfAborted()
      return (made = (channel as () => Channel)())
    }
    promise<S, ReadonlyArray<ClientExtension>>(made ?? make, options).then(
      (client) => resume(Effect.succeed(client)),
      (error: unknown) => resume(failure(error))
    )
    return Effect.promise(async () => made?.close())
  })

/**
 * A session as a layer, over a channel that may need making.
 *
 * ```ts
 * import { Client, layer } from "@parley/client/effect"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const names = Effect.gen(function* () {
 *   const client = yield* Client
 *   return yield* Stream.runCollect(Stream.map(client.tools(), ({ name }) => name))
 * })
 *
 * const [near, far] = link()
 * serve(defineServer({ name: "greeter", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")]), far)
 * const greeter = layer(near, { clientInfo: { name: "demo", version: "1.0.0" } })
 * const found = await Effect.runPromise(Effect.provide(names, greeter))
 * found // => ["hello"]
 * ```
 */
export const layer = <R = never, E2 = never, R2 = never>(
  channel: Connected | Effect.Effect<Connected, E2, R2>,
  options: ConnectOptions<unknown, R>
): Layer.Layer<Client, CallError | E2, Exclude<R | R2, Scope>> =>
  Layer.effect(
    Client,
    Effect.isEffect(channel)
      ? Effect.flatMap(channel, (channel) => connect(channel, options))
      : connect(channel, options)
  )
