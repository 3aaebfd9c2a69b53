/** What a server may be told beside its items: opt-ins, and how it behaves. */
import type { JsonObject, Revision } from "@parley/core"
import type { Options } from "./declared.js"

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

const promise = "true or false"
const announced = "true or false or {}"
const changing = { listChanged: promise }

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
  pageSize: 1
} as const satisfies Options<ServerOptions<Declare>>
