/** A server as a value: who it is, what it has, and the promise that follows from both. */
import type { Definition, JsonObject, ServerInfo } from "@parley/core"
import { revisions as every } from "@parley/core/revisions"
import { loading } from "./asks.js"
import { introducible, known } from "./declared.js"
import type { ServedExtension } from "./extension.js"
import type { Prompt } from "./prompt.js"
import type { Resource, Template } from "./resource.js"
import { unsayable } from "./sayable.js"
import type { Cache, Declare, ServerOptions } from "./server-options.js"
import { hints, serverOptions } from "./server-options.js"
import type { AnyTool, ReadyTool } from "./tool.js"
import { listed, loaded, toLoad } from "./tool.js"

export type { Cache, Declare, ServerOptions }

/** What a server is made of. */
export type Item = AnyTool | Resource | Template | Prompt

/** What is registered, by name, with its handlers. */
export interface Registry {
  readonly tools: ReadonlyMap<string, ReadyTool>
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ReadonlyMap<string, Resource>
  /** In the order in which they were registered; the first that fits a URI reads it. */
  readonly templates: ReadonlyArray<Template>
  readonly extensions: ReadonlyArray<ServedExtension>
}

export interface Server<D extends Declare = Declare, T extends Item = Item> extends Registry {
  readonly _tag: "Server"
  readonly info: ServerInfo
  readonly items: ReadonlyArray<T>
  readonly options: ServerOptions<D>
  /** Settles when what the schemas need is loaded: at once unless there are effect Schemas, or JSON Schemas with `$ref`, `allOf`, `pattern`, `x-mcp-header` and their like. */
  readonly ready: Promise<void>
  /**
   * What the core's machine runs.
   * @throws TypeError while what the schemas need is being loaded: wait for `ready`, or import `@parley/json-schema/effect` or `/library`
   */
  readonly definition: Definition
}

/**
 * Declares a server. Capabilities follow from what is registered, `declare` adds to them.
 *
 * ```ts
 * import { defineServer, tool } from "@parley/server"
 *
 * const hello = tool("hello", { description: "Say hello" }, () => "Hello!")
 * const greeter = defineServer({ name: "greeter", version: "1.0.0" }, [hello])
 * greeter.definition.capabilities // => { tools: {} }
 * ```
 *
 * @throws TypeError when two items have one name or URI, the info lacks a name or a version, or an option is none or of another kind
 */
export function defineServer<const D extends Declare = {}, const T extends ReadonlyArray<Item> = ReadonlyArray<Item>>(
  info: ServerInfo,
  items: T,
  options: ServerOptions<D> = {}
): Server<D, T[number]> {
  if (!Array.isArray(items)) throw new TypeError("A server needs its items: defineServer(info, [tool, ...])")
  known("The server", options, serverOptions)
  introducible(info, options.instructions)
  const { revisions = every } = options
  if (!(Array.isArray(revisions) && revisions.length > 0 && revisions.every((one) => typeof one === "object")))
    throw new TypeError(
      `revisions needs a list of at least one, each a value such as v2025_06_18 of "@parley/core/revisions", not ${String(revisions)}`
    )
  const { extensions = [] } = options
  unique(items)
  const loads = [
    ...items.flatMap((item) => (item._tag === "Tool" ? toLoad(item) : loading(item.options.asks))),
    ...extensions.flatMap(({ ready }) => ready ?? [])
  ]
  let made = loads.length === 0 ? make(info, items, options) : undefined
  const load = async (): Promise<void> => {
    await Promise.all(loads)
    made = make(info, items, options)
  }
  const ready = made === undefined ? load() : Promise.resolve()
  // Whoever serves waits for it and learns of a refused schema there.
  ready.catch(() => undefined)
  const now = (): Made => {
    if (made === undefined) throw new TypeError(notLoaded)
    return made
  }
  return {
    _tag: "Server",
    info,
    items,
    options,
    ready,
    get definition() {
      return now().definition
    },
    get tools() {
      return now().tools
    },
    get prompts() {
      return now().prompts
    },
    get resources() {
      return now().resources
    },
    get templates() {
      return now().templates
    },
    extensions
  }
}

interface Made extends Omit<Registry, "extensions"> {
  readonly definition: Definition
}

function make(info: ServerInfo, items: ReadonlyArray<Item>, options: ServerOptions<Declare>): Made {
  const { declare, revisions, unsupported, early, pageSize, instructions, caching = {}, extensions = [] } = options
  const of = <Tag extends Item["_tag"]>(tag: Tag): ReadonlyArray<Extract<Item, { readonly _tag: Tag }>> =>
    items.filter((item): item is Extract<Item, { readonly _tag: Tag }> => item._tag === tag)
  const tools = of("Tool").map(loaded)
  const [prompts, resources, templates] = [of("Prompt"), of("Resource"), of("Template")]
  const plain: Definition = {
    info,
    instructions,
    capabilities: announced(items, declare ?? {}),
    revisions: revisions ?? every,
    unsupported: unsupported ?? "offer",
    early: early ?? "answer",
    pageSize: pageSize ?? 1_000,
    tools: tools.map(listed),
    resources: lists(resources),
    templates: lists(templates),
    prompts: lists(prompts),
    caching: Object.fromEntries(
      Object.entries(caching).map(([list, kept]) => [methods[list as keyof typeof methods], hints(kept)])
    ),
    requires: Object.fromEntries(
      tools.map(({ name, options: { asks, requires } }) => [name, (requires ?? []).map((key) => asks![key]!.needs)])
    )
  }
  const definition = extensions.reduce((made, { extend }) => extend(made), plain)
  const { revisions: _, ...told } = definition
  const why = unsayable(told)
  if (why !== undefined) throw new TypeError(`A server's declaration can not be written as JSON: ${why}`)
  return {
    definition,
    tools: byName(tools),
    prompts: byName(prompts),
    resources: byName(resources),
    templates
  }
}

const lists = <A>(items: ReadonlyArray<{ readonly listed: A }>): ReadonlyArray<A> => items.map(({ listed }) => listed)

const byName = <I extends Item>(items: ReadonlyArray<I>): ReadonlyMap<string, I> =>
  new Map(items.map((item) => [nameOf(item), item]))

const methods = {
  tools: "tools/list",
  resources: "resources/list",
  templates: "resources/templates/list",
  prompts: "prompts/list",
  discover: "server/discover"
} as const satisfies { readonly [list in keyof NonNullable<ServerOptions<Declare>["caching"]>]-?: string }

/** What follows from what is registered, and what was declared beside it. */
function announced(items: ReadonlyArray<Item>, declare: Declare): JsonObject {
  const has = (...tags: ReadonlyArray<Item["_tag"]>): {} | undefined =>
    items.some(({ _tag }) => tags.includes(_tag)) ? {} : undefined
  const { experimental, logging, completions, prompts, resources, tools, tasks } = declare
  const tasked = tasks || items.some((item) => item._tag === "Tool" && item.options.task !== undefined)
  const capabilities = {
    experimental,
    logging: logging && {},
    completions: (completions || items.some((item) => "completes" in item && item.completes)) && {},
    prompts: prompts ?? has("Prompt"),
    resources: resources ?? has("Resource", "Template"),
    tools: tools ?? has("Tool"),
    tasks: tasked && { ...(tasks?.list === false ? {} : { list: {} }), cancel: {}, requests: { tools: { call: {} } } }
  }
  return Object.fromEntries(Object.entries(capabilities).filter(([, one]) => one)) as JsonObject
}

function unique(items: ReadonlyArray<Item>): void {
  const names = new Set<string>()
  for (const item of items) {
    if (!tags.includes(item?._tag))
      throw new TypeError(
        `items[${items.indexOf(item)}] is none: make it by tool, resource, resourceTemplate or prompt`
      )
    const name = `${item._tag} ${nameOf(item)}`
    if (names.has(name)) throw new TypeError(`Two ${item._tag.toLowerCase()}s are named ${nameOf(item)}`)
    names.add(name)
  }
}

const tags: ReadonlyArray<unknown> = ["Tool", "Resource", "Template", "Prompt"] satisfies ReadonlyArray<Item["_tag"]>

function nameOf(item: Item): string {
  if ("name" in item) return item.name
  return "uri" in item ? item.uri : item.uriTemplate.template
}

const notLoaded =
  'What this server\'s schemas need is still being loaded: await server.ready first, or import "@parley/json-schema/effect" (effect Schemas) or "@parley/json-schema/library" (JSON Schemas)'
