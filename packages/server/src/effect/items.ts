/** Tools, prompts and resources whose handlers are Effects: each is an Effect of what `@parley/server` declares. */
import type { Decoded, Encodable, Input, JsonSchema } from "@parley/json-schema"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Asks } from "../asks.js"
import type { Call as Promising } from "../call.js"
import {
  prompt as declaredPrompt,
  resource as declaredResource,
  resourceTemplate as declaredTemplate,
  tool as declaredTool
} from "../index.js"
import type { Given, Made, Prompt, PromptArgument, PromptOptions } from "../prompt.js"
import type { Read, Resource, ResourceOptions, Template, TemplateOptions, Variables } from "../resource.js"
import type { Structured } from "../structured.js"
import type { Meanwhile, Reply, Tool, ToolOptions } from "../tool.js"
import type { Call } from "./call.js"
import { yieldable } from "./call.js"
import type { Failure } from "./failure.js"
import { outcome, running } from "./running.js"

/**
 * An item that is still to be made: with the services that its handler needs, in the scope in which its handler will run.
 * A scope that a handler itself asks for is that of one call.
 */
export type Making<T, R> = Effect.Effect<T, never, Exclude<R, Scope> | Scope>

/** What a handler succeeds with: the value that `output` describes, or where there is none a reply as for any other tool. */
export type Value<O extends Input | undefined> = [O] extends [Input] ? Encodable<O> | Structured<Encodable<O>> : Reply

export type Handler<I extends Input, O extends Input | undefined, A extends Asks, R> = (
  args: Decoded<I>,
  call: Call<A>
) => Effect.Effect<Value<O>, Failure, R>

/**
 * Declares a tool whose handler is an Effect. It fails with what the client may be told: `failed(text)` is an `isError` result,
 * `refused(code, message)` a JSON-RPC error; errors of other types do not compile before they are mapped to one of these.
 * A defect is told like what a handler throws: an `isError` result that says nothing more, and `crashed` of `serve` hears of it.
 *
 * The handler's fiber is interrupted when the client withdraws the request, when the session ends, and when the scope closes
 * in which the tool was made. A handler that is interrupted by anything else is an `isError` result that says so.
 *
 * ```ts
 * import { tool } from "@parley/server/effect"
 * import * as Context from "effect/Context"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 *
 * class Stock extends Context.Service<Stock, { readonly count: (gift: string) => Effect.Effect<number> }>()("Stock") {}
 *
 * const count = tool("count", { input: Schema.Struct({ gift: Schema.String }) }, ({ gift }) =>
 *   Effect.gen(function* () {
 *     const stock = yield* Stock
 *     return `${yield* stock.count(gift)} left`
 *   })
 * )
 * const made = Effect.provideService(count, Stock, { count: () => Effect.succeed(3) })
 * const { name } = await Effect.runPromise(Effect.scoped(made))
 * name // => "count"
 * ```
 *
 * @throws SchemaRefused (a TypeError) when a schema can not be used for which nothing has to be loaded, TypeError when the name is empty
 */
export function tool<
  const N extends string,
  const I extends Input = JsonSchema,
  O extends Input | undefined = undefined,
  A extends Asks = {},
  R = never
>(
  name: N,
  options: ToolOptions<I, O, A> & Meanwhile<Decoded<I>> & { readonly requires?: ReadonlyArray<keyof A & string> },
  handler: Handler<I, O, A, R>
): Making<Tool<N, I, O, A>, R> {
  const declared = declaredTool<N, I, O, A>(name, options, handler as never)
  return Effect.map(handled(`The tool ${name}`, handler as never), (handler) => ({ ...declared, handler })) as never
}

/**
 * Declares a prompt that an Effect makes. What it fails with is a JSON-RPC error: `-32603` with the text of `failed(text)`,
 * or that of `refused(code, message)`.
 *
 * ```ts
 * import { prompt } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 *
 * const review = prompt("review", { arguments: { code: { required: true } } }, ({ code }) => Effect.succeed(`Review: ${code}`))
 * const { listed } = await Effect.runPromise(Effect.scoped(review))
 * listed.name // => "review"
 * ```
 *
 * @throws TypeError when there is no name or no handler, or an option is none or of another kind
 */
export function prompt<
  const A extends { readonly [name: string]: PromptArgument } = {},
  Q extends Asks = {},
  R = never
>(
  name: string,
  options: PromptOptions<A, Q>,
  make: (args: Given<A>, call: Call<Q>) => Effect.Effect<Made, Failure, R>
): Making<Prompt, R> {
  const declared = declaredPrompt<A, Q>(name, options, make as never)
  return Effect.map(handled(`The prompt ${name}`, make), (make) => ({ ...declared, make }))
}

/**
 * Declares a resource that an Effect reads; `undefined` says that there is none, and what it fails with is a JSON-RPC error, as
 * for a prompt.
 *
 * ```ts
 * import { resource } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 *
 * const motd = resource("note://motd", { name: "motd" }, () => Effect.succeed("Be kind."))
 * const { uri } = await Effect.runPromise(Effect.scoped(motd))
 * uri // => "note://motd"
 * ```
 *
 * @throws TypeError when the URI has no scheme, an option is none or of another kind, or there is no reader
 */
export function resource<A extends Asks = {}, R = never>(
  uri: string,
  options: ResourceOptions<A>,
  read: (uri: string, call: Call<A>) => Effect.Effect<Read, Failure, R>
): Making<Resource, R> {
  const declared = declaredResource<A>(uri, options, read as never)
  return Effect.map(handled(`The reading of ${uri}`, read), (read) => ({ ...declared, read }))
}

/**
 * Declares all the resources whose URIs a template (RFC 6570) makes, read by an Effect as `resource` says.
 *
 * ```ts
 * import { resourceTemplate } from "@parley/server/effect"
 * import * as Effect from "effect/Effect"
 *
 * const gift = resourceTemplate("gift://{id}", { name: "gift" }, ({ id }) => Effect.succeed(`The gift ${id}`))
 * const { uriTemplate } = await Effect.runPromise(Effect.scoped(gift))
 * uriTemplate.match("gift://12") // => { id: "12" }
 * ```
 *
 * @throws TypeError when it is no template, an option is none or of another kind, or there is no reader
 */
export function resourceTemplate<const T extends string, A extends Asks = {}, R = never>(
  template: T,
  options: TemplateOptions<A>,
  read: (variables: Variables<T>, call: Call<A> & { readonly uri: string }) => Effect.Effect<Read, Failure, R>
): Making<Template, R> {
  const declared = declaredTemplate<T, A>(template, options, read as never)
  return Effect.map(handled(`The reading of ${template}`, read), (read) => ({ ...declared, read }))
}

/** The handler as whatever serves it calls it. */
const handled = <Args, R, A>(
  what: string,
  handler: (args: Args, call: never) => Effect.Effect<A, Failure, R>
): Making<(args: Args, call: never) => A | Promise<A>, R> =>
  Effect.map(running<Exclude<R, Scope>>(), (run) => (args, promising: Promising & { readonly uri?: string }) => {
    const call = yieldable(promising, run)
    const given = promising.uri === undefined ? call : { ...call, uri: promising.uri }
    return outcome(run(Effect.scoped(handler(args, given as never)), promising.signal), what)
  })
