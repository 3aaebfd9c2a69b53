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
import { checkOptions, listeners } from "./options.js"

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

export type Listeners = {
  readonly [method in keyof Notifications]?: (params: Notifications[method]) => void
}

/** Listens until the returned function is called. */
export type On = <M extends keyof Notifications>(method: M, listener: (params: Notifications[M]) => void) => () => void

export interface Hub {
  readonly on: On
  /** How often this has come. */
  readonly times: (method: string) => number
  readonly tell: (method: string, params: JsonObject | undefined) => void
}

/** One that throws keeps nothing from the others, and nothing from the session. */
export function hub(
  initial: Listeners,
  all: ((method: string, params: JsonObject | undefined) => void) | undefined
): Hub {
  const listening = new Map<string, Set<(params: never) => void>>()
  const told = new Map<string, number>()
  const times = (method: string): number => told.get(method) ?? 0
  const add = (method: string, listener: (params: never) => void): void => {
    const some = listening.get(method) ?? new Set()
    listening.set(method, some.add(listener))
  }
  for (const [method, listener] of Object.entries(initial)) if (listener !== undefined) add(method, listener)
  return {
    on: (method, listener) => {
      checkOptions("on", { [method]: listener ?? null }, listeners)
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
