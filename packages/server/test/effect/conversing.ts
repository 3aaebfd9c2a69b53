/** What the tests of this folder share: a server of Effects, talked to by hand. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Making } from "../../src/effect/index.js"
import { defineServer } from "../../src/effect/index.js"
import { form } from "../../src/index.js"
import { talking } from "../talk.js"

const info = { name: "effects", version: "1.0.0" }
export const said = (text: string) => ({ content: [{ type: "text", text }] })
export const isError = (text: string) => ({ ...said(text), isError: true })

export class Stock extends Context.Service<Stock, { readonly left: number }>()("Stock") {}

/** A conversation with a server of these items, in a scope that the test closes. */
export async function conversing(items: ReadonlyArray<Making>, capabilities?: object) {
  const scope = Scope.makeUnsafe()
  const making = defineServer(info, items, { declare: { logging: true } })
  const provided = Effect.provideService(Scope.provide(making, scope), Stock, { left: 3 })
  const talk = await talking(
    await Effect.runPromise(provided as Effect.Effect<Effect.Success<typeof making>>),
    {
      ...(capabilities && { askMs: 10_000 })
    },
    undefined,
    capabilities
  )
  return { ...talk, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export const guests = form({
  type: "object",
  properties: { guests: { type: "integer" } },
  required: ["guests"]
} as const)
export const elicits = { elicitation: {} }
export const accepts = (guests: number) => ({ action: "accept", content: { guests } })
