/** What a server may be told beside its items: opt-ins, and how it behaves. */
import type { Caching, JsonObject, Revision } from "@parley/core"
import type { Options } from "./declared.js"
import type { ServedExtension } from "./extension.js"

/** What is announced beside what is registered: opt-ins, and capabilities that have nothing to register. */
export interface Declare {
  /** `listChanged: true` promises to tell when tools come and go, and is what `live` needs. `{}` announces tools without having any. */
  readonly tools?: { readonly listChanged?: boolean }
  /** `subscribe: true` lets clients subscribe, and promises to tell them through `live.updated`. */
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  /** `true`, or `{}` as the specification spells it, lets handlers write to the client's log by `call.log`, and clients choose the level. */
  readonly logging?: boolean | Readonly<Record<string, never>>
  /** The same announces suggestions without having any: what a live server needs that is to have some later. */
  readonly completions?: boolean | Readonly<Record<string, never>>
  /** The same for tasks. `list: false` keeps callers from listing theirs; default `true`. */
  readonly tasks?: { readonly list?: boolean }
  readonly experimental?: { readonly [name: string]: JsonObject }
}

/** How long what a client is told stays fresh, and who may share what was kept of it (2026-07-28 server/utilities/caching). */
export interface Cache {
  /** In whole ms, from 0 on: how long the client may go by what it has. It hears of a change sooner where that was promised. */
  readonly ttlMs: number
  /** `public`: the same for every caller, so a gateway may serve it to others. `private`: kept for this caller only. */
  readonly scope: "public" | "private"
}

export interface ServerOptions<D extends Declare> {
  readonly declare?: D
  /** For the model: how to use this server. */
  readonly instructions?: string
  /**
   * The revisions spoken, newest first. All five by default, on one channel: those that `initialize` opens, and 2026-07-28, in
   * which every request says its own. `perRequestRevisions` is the newest alone: such a server refuses `initialize`, and names
   * what it speaks. `handshakeRevisions` are the older ones alone: such a server knows no `server/discover`.
   */
  readonly revisions?: ReadonlyArray<Revision>
  /**
   * When a client asks by `initialize` for a version that is not spoken: `offer` the newest (the default, as the specification says), or `refuse`
   * with `-32602` and the list of those that are.
   */
  readonly unsupported?: "offer" | "refuse"
  /** Requests before `notifications/initialized`: `answer` (the default) or `refuse` with `-32600`. */
  readonly early?: "answer" | "refuse"
  /** Items per page of a list. Default 1,000. */
  readonly pageSize?: number
  /** What is served beside the specification to clients that have it too, since 2026-07-28: each made by `extension`. */
  readonly extensions?: ReadonlyArray<ServedExtension>
  /**
   * How long clients of 2026-07-28 may keep each list, and what `server/discover` says. Default: not at all. What is read of a
   * resource says so itself, by `cache` of `resource`.
   */
  readonly caching?: {
    readonly [list in "tools" | "resources" | "templates" | "prompts" | "discover"]?: Cache
  }
}

const promise = "true or false"
const announced = "true or false or {}"
const changing = { listChanged: promise }
export const cacheOptions = { ttlMs: 0, scope: '"public" or "private"' } as const satisfies Options<Cache>

/** As the specification spells it. */
export const hints = ({ ttlMs = 0, scope = "private" }: Partial<Cache>): Caching => ({ ttlMs, cacheScope: scope })

export const serverOptions = {
  declare: {
    logging: announced,
    completions: announced,
    tools: changing,
    resources: { listChanged: promise, subscribe: promise },
    prompts: changing,
    tasks: { list: promise },
    experimental: "an object"
  } satisfies Options<Declare>,
  instructions: true,
  revisions: true,
  unsupported: '"offer" or "refuse"',
  early: '"answer" or "refuse"',
  pageSize: 1,
  extensions: true,
  caching: {
    tools: cacheOptions,
    resources: cacheOptions,
    templates: cacheOptions,
    prompts: cacheOptions,
    discover: cacheOptions
  }
} as const satisfies Options<ServerOptions<Declare>>
