/** Resources and templates of them: what is announced, and how their contents are read. */
import type {
  Annotations,
  Icon,
  JsonObject,
  ResourceContents,
  ResourceDefinition,
  TemplateDefinition
} from "@parley/core"
import type { Asks } from "./asks.js"
import { checkAsks } from "./asks.js"
import type { Call } from "./call.js"
import type { Complete } from "./complete.js"
import type { Options } from "./declared.js"
import { known, tellable } from "./declared.js"
import type { Maybe } from "./maybe.js"
import type { OtherResult } from "./other-result.js"
import type { Cache } from "./server-options.js"
import { cacheOptions } from "./server-options.js"
import type { UriTemplate } from "./uri-template.js"
import { uriTemplate } from "./uri-template.js"

export interface ResourceOptions<A extends Asks = Asks> {
  /** What programs call it. */
  readonly name: string
  /** What people call it. */
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** In bytes, before any encoding. */
  readonly size?: number
  readonly annotations?: Annotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
  /** What its reading may ask the client for, by a name of its own. */
  readonly asks?: A
  /** How long a client of 2026-07-28 may keep what it read. Default: not at all. What took a client's answers is never kept. */
  readonly cache?: Cache
}

export interface TemplateOptions<A extends Asks = Asks> extends Omit<ResourceOptions<A>, "size"> {
  /** Suggestions for its variables, by name. */
  readonly complete?: { readonly [variable: string]: Complete }
}

/** Text, bytes, or contents spelled out; several where a resource has parts. Nothing: there is no such resource. */
export type Read = string | Uint8Array | ResourceContents | ReadonlyArray<ResourceContents> | OtherResult | undefined

export interface Resource {
  readonly _tag: "Resource"
  readonly uri: string
  readonly options: ResourceOptions
  /** What clients are told of it. */
  readonly listed: ResourceDefinition
  readonly read: (uri: string, call: never) => Maybe<Read>
}

export interface Template {
  readonly _tag: "Template"
  readonly uriTemplate: UriTemplate
  readonly options: TemplateOptions
  /** What clients are told of it. */
  readonly listed: TemplateDefinition
  /** Whether there are suggestions for one of its variables. */
  readonly completes: boolean
  readonly read: (variables: never, call: never) => Maybe<Read>
}

/**
 * The variables of a template: a text each, and a list for one that explodes, such as `{?tags*}`. Those that a URI may do
 * without, such as `{?page}`, may be absent.
 */
export type Variables<T extends string> = string extends T
  ? { readonly [variable: string]: string | ReadonlyArray<string> | undefined }
  : Flat<VariablesIn<T>>

type Flat<A> = { readonly [K in keyof A]: A[K] }

type VariablesIn<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? InExpression<E> & VariablesIn<Rest>
  : {}

type InExpression<E extends string> = E extends `${"#" | "." | "/" | ";" | "?" | "&"}${infer Names}`
  ? Partial<Named<Names>>
  : E extends `+${infer Names}`
    ? FirstNamed<Names>
    : FirstNamed<E>

type FirstNamed<N extends string> = N extends `${infer First},${infer Rest}`
  ? One<First> & Partial<Named<Rest>>
  : One<N>

type Named<N extends string> = N extends `${infer First},${infer Rest}` ? One<First> & Named<Rest> : One<N>

type One<V extends string> = V extends `${infer Name}*`
  ? { [K in Name]: ReadonlyArray<string> }
  : V extends `${infer Name}:${string}`
    ? { [K in Name]: string }
    : { [K in V]: string }

/** What reads by a template is also told the whole URI. */
export type TemplateCall<A extends Asks = {}> = Call<A> & { readonly uri: string }

/**
 * Declares a resource at one URI.
 *
 * ```ts
 * import { defineServer, resource } from "@parley/server"
 *
 * const motd = resource("note://motd", { name: "motd", mimeType: "text/plain" }, () => "Be kind.")
 * defineServer({ name: "notes", version: "1.0.0" }, [motd]).definition.capabilities // => { resources: {} }
 * ```
 *
 * @throws TypeError when the URI has no scheme, an option is none or of another kind, or there is no reader
 */
export function resource<A extends Asks = {}>(
  uri: string,
  options: ResourceOptions<A>,
  read: (uri: string, call: Call<A>) => Maybe<Read>
): Resource {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri))
    throw new TypeError(`A resource needs a URI with a scheme, such as note://motd, not ${uri}`)
  const what = `The resource ${uri}`
  if (typeof read !== "function") throw new TypeError(`${what} needs a reader: resource(uri, options, read)`)
  known(what, options, resourceOptions)
  checkAsks(what, options.asks)
  const { asks: _asks, cache: _cache, ...told } = options
  const listed = { uri, ...told } as unknown as ResourceDefinition
  tellable(what, "resources/list", listed)
  return { _tag: "Resource", uri, options, listed, read }
}

/**
 * Declares all the resources whose URIs a template (RFC 6570) makes.
 *
 * ```ts
 * import { resourceTemplate } from "@parley/server"
 *
 * const gift = resourceTemplate("gift://{id}", { name: "gift" }, ({ id }) => `The gift ${id}`)
 * gift.uriTemplate.match("gift://12") // => { id: "12" }
 * ```
 *
 * @throws TypeError when it is no template, an option is none or of another kind, or there is no reader
 */
export function resourceTemplate<const T extends string, A extends Asks = {}>(
  template: T,
  options: TemplateOptions<A>,
  read: (variables: Variables<T>, call: TemplateCall<A>) => Maybe<Read>
): Template {
  const what = `The template ${template}`
  if (typeof read !== "function")
    throw new TypeError(`${what} needs a reader: resourceTemplate(template, options, read)`)
  const parsed = uriTemplate(template)
  const complete = Object.fromEntries(parsed.variables.map((name) => [name, "a function"]))
  known(what, options, templateOptions)
  known(what, options.complete ?? {}, complete, "complete")
  checkAsks(what, options.asks)
  const { complete: _complete, asks: _asks, cache: _cache, ...told } = options
  const listed = { uriTemplate: template, ...told } as unknown as TemplateDefinition
  tellable(what, "resources/templates/list", listed)
  const completes = Object.keys(options.complete ?? {}).length > 0
  return { _tag: "Template", uriTemplate: parsed, options, listed, completes, read }
}

const templateOptions = {
  name: true,
  title: true,
  description: true,
  mimeType: true,
  annotations: true,
  icons: true,
  _meta: true,
  asks: "an object",
  cache: cacheOptions,
  complete: "an object"
} as const satisfies Options<TemplateOptions>

const resourceOptions = {
  name: true,
  title: true,
  description: true,
  mimeType: true,
  size: true,
  annotations: true,
  icons: true,
  _meta: true,
  asks: "an object",
  cache: cacheOptions
} as const satisfies Options<ResourceOptions>
