/** Prompts: what is announced of them, and the messages they make. */
import type { ContentBlock, GetPromptResult, Icon, JsonObject, PromptDefinition, PromptMessage } from "@parley/core"
import type { Asks } from "./asks.js"
import { checkAsks } from "./asks.js"
import type { Call } from "./call.js"
import type { Complete } from "./complete.js"
import type { Options } from "./declared.js"
import { known, tellable } from "./declared.js"
import type { Maybe } from "./maybe.js"
import type { OtherResult } from "./other-result.js"

export interface PromptArgument {
  readonly title?: string
  readonly description?: string
  /** A prompt is not made without it: the caller is told so. Default false. */
  readonly required?: boolean
  /** Suggestions while it is being typed. */
  readonly complete?: Complete
}

export interface PromptOptions<A extends { readonly [name: string]: PromptArgument }, Q extends Asks = Asks> {
  readonly title?: string
  readonly description?: string
  // The second half tells the compiler what the functions in it are given.
  readonly arguments?: A & { readonly [name: string]: PromptArgument }
  /** What the handler may ask the client for, by a name of its own. */
  readonly asks?: Q
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/** What a handler receives: required arguments are there, others may be. */
export type Given<A extends { readonly [name: string]: PromptArgument }> = {
  readonly [N in keyof A as A[N] extends { readonly required: true } ? N : never]: string
} & { readonly [N in keyof A as A[N] extends { readonly required: true } ? never : N]?: string }

/** Text or a block of the user's, messages, or a whole result. */
export type Made = string | ContentBlock | ReadonlyArray<PromptMessage> | GetPromptResult | OtherResult

export interface Prompt {
  readonly _tag: "Prompt"
  readonly name: string
  readonly options: PromptOptions<{ readonly [name: string]: PromptArgument }>
  /** What clients are told of it. */
  readonly listed: PromptDefinition
  /** Whether there are suggestions for one of its arguments. */
  readonly completes: boolean
  readonly make: (args: never, call: never) => Maybe<Made>
  readonly result: (made: Made) => unknown
}

/**
 * Declares a prompt.
 *
 * ```ts
 * import { defineServer, prompt } from "@parley/server"
 *
 * const review = prompt("review", { arguments: { code: { required: true } } }, ({ code }) => `Review this:\n${code}`)
 * defineServer({ name: "reviewer", version: "1.0.0" }, [review]).definition.capabilities // => { prompts: {} }
 * ```
 *
 * @throws TypeError when there is no name or no handler, or an option is none or of another kind
 */
export function prompt<const A extends { readonly [name: string]: PromptArgument } = {}, Q extends Asks = {}>(
  name: string,
  options: PromptOptions<A, Q>,
  make: (args: Given<A>, call: Call<Q>) => Maybe<Made>
): Prompt {
  if (typeof name !== "string" || name === "") throw new TypeError("A prompt needs a name")
  if (typeof make !== "function") throw new TypeError(`The prompt ${name} needs a handler: prompt(name, options, make)`)
  const what = `The prompt ${name}`
  known(what, options, promptOptions)
  for (const [one, argument] of Object.entries<PromptArgument>(options.arguments ?? {}))
    known(`The argument ${one} of the prompt ${name}`, argument, argumentOptions)
  checkAsks(what, options.asks)
  const told = listed(name, options)
  tellable(what, "prompts/list", told)
  const completes = Object.values<PromptArgument>(options.arguments ?? {}).some(
    ({ complete }) => complete !== undefined
  )
  return { _tag: "Prompt", name, options, listed: told, completes, make, result }
}

const promptOptions = {
  title: true,
  description: true,
  arguments: "an object",
  asks: "an object",
  icons: true,
  _meta: true
} as const satisfies Options<PromptOptions<{}>>

const argumentOptions = {
  title: true,
  description: true,
  required: "true or false",
  complete: "a function"
} as const satisfies Options<PromptArgument>

function listed(name: string, options: Prompt["options"]): PromptDefinition {
  const { arguments: args, asks: _asks, ...told } = options
  const given = Object.entries(args ?? {}).map(([name, { complete: _complete, ...argument }]) => ({
    name,
    ...argument
  }))
  return { name, ...told, ...(given.length === 0 ? {} : { arguments: given }) } as unknown as PromptDefinition
}

function result(made: Made): unknown {
  if (typeof made === "string") return { messages: [{ role: "user", content: { type: "text", text: made } }] }
  if (Array.isArray(made)) return { messages: made }
  return typeof made === "object" && "type" in made ? { messages: [{ role: "user", content: made }] } : made
}
