/** A server as a value: who it is, what it has, and the promise that follows from both. */
import type { Definition, JsonObject, Revision, ServerInfo } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import type { AnyTool, ReadyTool } from "./tool.js"
import { listed, readied } from "./tool.js"

/** What is announced beside what is registered: opt-ins, and capabilities that have nothing to register. */
export interface Declare {
  /** `listChanged: true` promises to tell when tools come and go, and is what `live` needs. `{}` announces tools without having any. */
  readonly tools?: { readonly listChanged?: boolean }
  readonly experimental?: { readonly [name: string]: JsonObject }
}

export interface ServerOptions<D extends Declare> {
  readonly declare?: D
  /** For the model: how to use this server. */
  readonly instructions?: string
  /** The revisions spoken, newest first. All of them by default. */
  readonly revisions?: ReadonlyArray<Revision>
  /**
   * When a client asks for a version that is not spoken: `offer` the newest (the default, as the specification says), or `refuse`
   * with `-32602` and the list of those that are.
   */
  readonly unsupported?: "offer" | "refuse"
  /** Requests before `notifications/initialized`: `answer` (the default) or `refuse` with `-32600`. */
  readonly early?: "answer" | "refuse"
  /** Items per page of a list. Default 1,000. */
  readonly pageSize?: number
}

export interface Server<D extends Declare = Declare, T extends AnyTool = AnyTool> {
  readonly _tag: "Server"
  readonly info: ServerInfo
  readonly items: ReadonlyArray<T>
  readonly options: ServerOptions<D>
  /** Settles when what the schemas need is loaded: at once unless there are effect Schemas, or JSON Schemas with `$ref`, `allOf`, `pattern` and their like. */
  readonly ready: Promise<void>
  /**
   * What the core's machine runs.
   * @throws TypeError while what the schemas need is being loaded: wait for `ready`, or import `@parley/json-schema/effect` or `/library`
   */
  readonly definition: Definition
  /** The tools by name, with their handlers. Throws as `definition` does. */
  readonly tools: ReadonlyMap<string, ReadyTool>
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
 * @throws TypeError when two tools have one name, or the info lacks a name or a version
 */
export function defineServer<
  const D extends Declare = {},
  const T extends ReadonlyArray<AnyTool> = ReadonlyArray<AnyTool>
>(info: ServerInfo, items: T, options: ServerOptions<D> = {}): Server<D, T[number]> {
  if (typeof info?.name !== "string" || typeof info.version !== "string")
    throw new TypeError("A server needs a name and a version: defineServer({ name, version }, items)")
  if (!Array.isArray(items)) throw new TypeError("A server needs its items: defineServer(info, [tool, ...])")
  for (const revision of options.revisions ?? [])
    if (typeof revision !== "object")
      throw new TypeError(
        `revisions are values, such as v2025_06_18 from "@parley/core/revisions", not ${String(revision)}`
      )
  unique(items)
  const waiting = items.map(readied)
  let made: Made | undefined = waiting.every(isReady) ? make(info, waiting, options) : undefined
  const ready =
    made !== undefined
      ? Promise.resolve()
      : Promise.all(waiting.map(async (tool) => tool)).then((tools) => {
          made = make(info, tools, options)
        })
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
    }
  }
}

interface Made {
  readonly definition: Definition
  readonly tools: ReadonlyMap<string, ReadyTool>
}

function make(info: ServerInfo, tools: ReadonlyArray<ReadyTool>, options: ServerOptions<Declare>): Made {
  const { declare, revisions, unsupported, early, pageSize, instructions } = options
  return {
    definition: {
      info,
      instructions,
      capabilities: announced(tools, declare ?? {}),
      revisions: revisions ?? handshakeRevisions,
      unsupported: unsupported ?? "offer",
      early: early ?? "answer",
      pageSize: pageSize ?? 1_000,
      tools: tools.map(listed)
    },
    tools: new Map(tools.map((tool) => [tool.name, tool]))
  }
}

function announced(tools: ReadonlyArray<ReadyTool>, declare: Declare): JsonObject {
  const capabilities: Record<string, JsonObject> = {}
  if (declare.experimental !== undefined) capabilities["experimental"] = declare.experimental
  if (tools.length > 0 || declare.tools !== undefined) capabilities["tools"] = declare.tools ?? {}
  return capabilities
}

function unique(items: ReadonlyArray<AnyTool>): void {
  const names = new Set<string>()
  for (const { name } of items) {
    if (names.has(name)) throw new TypeError(`Two tools are named ${name}`)
    names.add(name)
  }
}

const isReady = (tool: ReadyTool | Promise<ReadyTool>): tool is ReadyTool => !(tool instanceof Promise)

const notLoaded =
  'What this server\'s schemas need is still being loaded: await server.ready first, or import "@parley/json-schema/effect" (effect Schemas) or "@parley/json-schema/library" (JSON Schemas)'
