/** What the server tells without being asked, by method, to whoever listens. */
import type {
  ElicitationCompleteParams,
  JsonObject,
  LoggingMessageParams,
  NotificationParams,
  ResourceUpdatedParams,
  TaskStatusParams
} from "@parley/core"
import { calmly } from "./calmly.js"
import type { ClientExtension } from "./extending.js"
import { checkOptions, listeners } from "./options.js"
import type { Wire } from "./typed.js"

/** The params of each notification, for those that may be heard: what the server did not declare is not passed on. */
export interface Notifications {
  readonly "notifications/message": LoggingMessageParams
  readonly "notifications/tools/list_changed": NotificationParams | undefined
  readonly "notifications/prompts/list_changed": NotificationParams | undefined
  readonly "notifications/resources/list_changed": NotificationParams | undefined
  readonly "notifications/resources/updated": ResourceUpdatedParams
  readonly "notifications/elicitation/complete": ElicitationCompleteParams
  readonly "notifications/tasks/status": TaskStatusParams
}

/** Those that say that a list is another now. */
export const lists = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed"
] as const

export type Listeners = {
  readonly [method in keyof Notifications]?: (params: Notifications[method]) => void
}

/** Listens until the returned function is called. */
export type On = <M extends keyof Notifications>(method: M, listener: (params: Notifications[M]) => void) => () => void

/** What extensions tell. */
export type Told<X extends ReadonlyArray<ClientExtension>> = X[number] extends infer E
  ? E extends { readonly server: infer R }
    ? R
    : never
  : never

export type MethodOf<R> = R extends unknown ? keyof R & string : never

export type ParamsOf<R, M extends string> = R extends { readonly [method in M]: { readonly params: infer C } }
  ? Wire<C>
  : never

/** The same for what extensions tell, where there are any. `of` names what to tell of where the filter is a list of names. */
export type OnTold<X extends ReadonlyArray<ClientExtension>> = [MethodOf<Told<X>>] extends [never]
  ? unknown
  : <M extends MethodOf<Told<X>>>(
      method: M,
      listener: (params: ParamsOf<Told<X>, M>) => void,
      of?: ReadonlyArray<string>
    ) => () => void

export interface Hub {
  readonly on: On
  /** How often this has come. */
  readonly times: (method: string) => number
  readonly tell: (method: string, params: JsonObject | undefined) => void
}

/** One that throws keeps nothing from the others, and nothing from the session. */
export function hub(
  initial: Listeners,
  all: ((method: string, params: JsonObject | undefined) => void) | undefined,
  more: ReadonlyArray<string> = []
): Hub {
  const listening = new Map<string, Set<(params: never) => void>>()
  const told = new Map<string, number>()
  const times = (method: string): number => told.get(method) ?? 0
  const add = (method: string, listener: (params: never) => void): void => {
    const some = listening.get(method) ?? new Set()
    listening.set(method, some.add(listener))
  }
  const aFunction = listeners["notifications/message"]
  const table =
    more.length === 0 ? listeners : { ...listeners, ...Object.fromEntries(more.map((one) => [one, aFunction])) }
  for (const [method, listener] of Object.entries(initial)) if (listener !== undefined) add(method, listener)
  return {
    on: (method, listener) => {
      checkOptions("on", { [method]: listener ?? null }, table)
      // One function may listen twice, and stop once.
      const own = (params: never): void => listener(params)
      add(method, own)
      return () => {
        listening.get(method)?.delete(own)
      }
    },
    times,
    tell: (method, params) => {
      told.set(method, times(method) + 1)
      const some = listening.get(method)
      // One that comes while they are told hears the next; one that leaves hears nothing more.
      for (const listener of Array.from(some ?? [])) if (some!.has(listener)) calmly(listener, params as never)
      calmly(all, method, params)
    }
  }
}
