/** What the tests of this folder share: a server of Effects over a link, and sessions with it. */
import { handshakeRevisions } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import { link } from "@parley/driver"
import { defineServer, serve } from "@parley/server/effect"
import type { Making } from "@parley/server/effect"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Client, connect } from "../../src/effect/index.js"

export const info = { name: "served", version: "1.0.0" }
export const clientInfo = { name: "demo", version: "1.0.0" }
export const said = (text: string) => ({ content: [{ type: "text", text }] })

export const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(effect))

/** A session with a server of these items. */
export const serving = (items: ReadonlyArray<Making>, options: object = {}) =>
  Effect.gen(function* () {
    const [near, far] = link()
    yield* serve(yield* defineServer(info, items, { declare: { logging: true } }), far)
    return yield* connect(near, { clientInfo, ...options })
  }) as Effect.Effect<Client, never, Scope.Scope>

/** One that speaks what a server by hand does. */
export const opened = (channel: Channel | (() => Channel), options: object = {}) =>
  connect(channel, { clientInfo, revisions: handshakeRevisions, ...options })
