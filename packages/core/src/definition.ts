/** What a server is, as data: what it announces and what it has. Handlers are kept elsewhere. */
import type { JsonObject } from "./json.js"
import { isObject, member } from "./json.js"
import type { Revision } from "./revision.js"

export interface Definition {
  /** `serverInfo` as the newest revision spells it; older peers get the members their revision has. */
  readonly info: ServerInfo
  readonly instructions: string | undefined
  /** The announcement. A method is served only if what it needs is here. */
  readonly capabilities: JsonObject
  /** The revisions spoken, newest first; at least one. */
  readonly revisions: ReadonlyArray<Revision>
  /** An `initialize` that asks for a revision not spoken: offer the newest one, or refuse with `-32602` and stay unopened. */
  readonly unsupported: "offer" | "refuse"
  /** Requests between the initialize result and `notifications/initialized`: answer, or refuse with `-32600`. */
  readonly early: "answer" | "refuse"
  /** Items per page of a list. */
  readonly pageSize: number
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly resources: ReadonlyArray<ResourceDefinition>
  readonly templates: ReadonlyArray<TemplateDefinition>
  readonly prompts: ReadonlyArray<PromptDefinition>
  /** By tool, what the client must have declared before the tool is called at all, such as `elicitation`. */
  readonly requires: { readonly [tool: string]: ReadonlyArray<string> }
  /** By method, for how long and for whom a result may be kept that does not say so itself; `{}`: no result may be kept. */
  readonly caching: { readonly [method: string]: Caching }
}

/** 2026-07-28 server/utilities/caching: what a client that keeps a result goes by. */
export interface Caching {
  /** How long the result stays fresh, in whole ms from 0 on; 0: it is stale at once. */
  readonly ttlMs: number
  /** `public`: any cache may keep it, for whoever asks. `private`: only for the same authorization. */
  readonly cacheScope: "public" | "private"
}

export interface ServerInfo extends JsonObject {
  readonly name: string
  readonly version: string
}

/** A tool as the newest revision lists it; older peers get the members their revision has. */
export interface ToolDefinition extends JsonObject {
  readonly name: string
  readonly inputSchema: JsonObject
}

/** A resource as the newest revision lists it. */
export interface ResourceDefinition extends JsonObject {
  readonly uri: string
  readonly name: string
}

/** A resource template as the newest revision lists it. */
export interface TemplateDefinition extends JsonObject {
  readonly uriTemplate: string
  readonly name: string
}

/** A prompt as the newest revision lists it. */
export interface PromptDefinition extends JsonObject {
  readonly name: string
}

/** A list that can change while serving. */
export type Family = "tools" | "resources" | "prompts"

/** Whether a capability path such as `resources.subscribe` is announced: every step is there, the last is `true` or an object. */
export function announced(capabilities: unknown, path: string): boolean {
  const dot = path.indexOf(".")
  const value = member(capabilities, dot < 0 ? path : path.slice(0, dot))
  return dot < 0 ? value === true || isObject(value) : announced(value, path.slice(dot + 1))
}
