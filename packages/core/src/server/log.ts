/** The client's log: at the level it asked for, only where logging was declared, and no message twice when a handler runs again. */
import { LoggingLevel } from "../checks/shapes.js"
import { announced } from "../definition.js"
import type { Json, JsonObject } from "../json.js"
import type { Compiled } from "./compiled.js"
import { changed, revisionOf, running } from "./entry.js"
import { tell } from "./outputs.js"
import { succeed } from "./reply.js"
import type { Next, Served, State } from "./state.js"
import { becoming } from "./state.js"
import type { Input } from "./vocabulary.js"

/** From least to most severe. */
const severities = LoggingLevel as ReadonlyArray<string>

export const isLevel = (level: unknown): level is string => severities.includes(level as string)

/** Whether the client wants to hear of what is that severe; until it has said so, of all but `debug`. */
export const wanted = (state: State, level: string): boolean => reaches(level, state.level ?? "info")

const reaches = (level: string, least: string): boolean => severities.indexOf(level) >= severities.indexOf(least)

export const setLevel = (compiled: Compiled, state: State, about: Served, params: JsonObject): Next =>
  succeed(compiled, becoming(state, { level: params["level"] as string }), about, {}, "{}")

export function log(compiled: Compiled, state: State, input: Extract<Input, { _tag: "Logged" }>): Next {
  const { level, logger, data, about } = input
  if (!announced(compiled.definition.capabilities, "logging")) return [state, []]
  const heard = state.phase._tag === "Ready" && wanted(state, level)
  const params: Record<string, Json> = { level, data: (data ?? null) as Json }
  if (typeof logger === "string") params["logger"] = logger
  const said = (via?: string) => [tell("notifications/message", params, via)]
  if (about === undefined) return [state, heard ? said() : []]
  const entry = running(compiled, state, about)
  if (entry === undefined) return [state, []]
  const passed = entry.passed + 1
  const next = changed(compiled, state, entry, { passed, logged: Math.max(entry.logged, passed) })
  const own = revisionOf(compiled, entry).features.logs === "request"
  const hears = own ? entry.level !== undefined && reaches(level, entry.level) : heard
  // An earlier run has come by this already, whether it was wanted then or not.
  return [next, hears && passed > entry.logged ? said(entry.via) : []]
}
