/** Options are looked at where they are given: programs without types get no help from the compiler. */
import type { RequestRow } from "@parley/core"
import { isObject, told } from "@parley/core"
import { handshakeRevisions, revisions } from "@parley/core/revisions"
import type { Answers, AnswerTasks } from "./answers.js"
import type { CacheOptions } from "./cache.js"
import { inBrief } from "./calmly.js"
import type { CompleteOptions, ListOptions } from "./client.js"
import type { ConnectOptions } from "./connect-options.js"
import type { ClientExtension } from "./extending.js"
import type { Listeners } from "./notifications.js"
import type { FreshOptions } from "./remembering.js"
import type { CallOptions } from "./session.js"
import type { ResultOptions, UpdatesOptions } from "./task.js"
import type { StartOptions } from "./tasks.js"

/** What an option has to be: in words, and whether it is. A table looks at the options inside. */
interface Kind {
  readonly be: string
  readonly fits: (value: unknown) => boolean
  readonly inside?: Table
}

type Table = { readonly [name: string]: Kind }

/** Every option there is: one that the type has and this has not does not compile. */
type Options<O> = { readonly [N in keyof O]-?: Kind }

/** @throws TypeError for an option that is none, or is of another kind; `what` says whose it is */
export function checkOptions(what: string, given: unknown, options: Table, path = ""): void {
  if (!isObject(given)) throw new TypeError(`${what} needs an object for its options, not ${shown(given)}`)
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(options, name))
      throw new TypeError(`${what} has no option ${path}${name}; there are ${Object.keys(options).join(", ")}`)
    const value = given[name]
    if (value === undefined) continue
    const { be, fits, inside } = options[name]!
    if (!fits(value)) throw new TypeError(`${what} needs ${be} for ${path}${name}, not ${shown(value)}`)
    if (inside !== undefined && isObject(value)) checkOptions(what, value, inside, `${path}${name}.`)
  }
}

const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value)
  return isObject(value) ? "an object" : Array.isArray(value) ? "an array" : inBrief(value)
}

const isText = (value: unknown): value is string => typeof value === "string"
const isFunction = (value: unknown): boolean => typeof value === "function"
const isWhole = (value: unknown, from: number): boolean => Number.isSafeInteger(value) && (value as number) >= from

const anything: Kind = { be: "anything", fits: () => true }
const aFunction: Kind = { be: "a function", fits: isFunction }
const aBoolean: Kind = { be: "true or false", fits: (value) => typeof value === "boolean" }
const aWait: Kind = {
  be: "a number of milliseconds from 0 on (Infinity: no limit)",
  fits: (value) => typeof value === "number" && value >= 0
}
const aSignal: Kind = { be: "an AbortSignal", fits: (value) => isObject(value) && "aborted" in value }
const someMs: Kind = { be: "a whole number of milliseconds from 0 on", fits: (value) => isWhole(value, 0) }
const aCount: Kind = { be: "a whole number from 1 on", fits: (value) => isWhole(value, 1) }
const aLimit: Kind = {
  be: "a whole number from 1 on (Infinity: no limit)",
  fits: (value) => isWhole(value, 1) || value === Infinity
}

export const callOptions: Options<CallOptions> = {
  timeoutMs: aWait,
  resetOnProgress: aBoolean,
  totalMs: aWait,
  onProgress: aFunction,
  signal: aSignal
}

export const readOptions: Options<FreshOptions> = { ...callOptions, fresh: aBoolean }

export const listOptions: Options<ListOptions> = { ...readOptions, maxPages: aLimit }

export const completeOptions: Options<CompleteOptions> = {
  ...callOptions,
  given: { be: "an object of arguments", fits: isObject }
}

export const startOptions: Options<StartOptions> = {
  timeoutMs: aWait,
  onProgress: aFunction,
  ttl: someMs,
  signal: aSignal
}

export const updatesOptions: Options<UpdatesOptions> = { pollMs: someMs, timeoutMs: aWait, signal: aSignal }

export const resultOptions: Options<ResultOptions> = { totalMs: aWait, signal: aSignal }

export const cacheOptions: Options<CacheOptions> = {
  maxEntries: aCount,
  maxBytes: aCount,
  clock: { be: "a clock", fits: isObject }
}

export const visitOptions: Table = { signal: aSignal }

export const listeners: Options<Listeners> = {
  "notifications/message": aFunction,
  "notifications/tools/list_changed": aFunction,
  "notifications/prompts/list_changed": aFunction,
  "notifications/resources/list_changed": aFunction,
  "notifications/resources/updated": aFunction,
  "notifications/elicitation/complete": aFunction,
  "notifications/tasks/status": aFunction
}

const answerTasks: Options<AnswerTasks> = { ttlMs: someMs, maxTtlMs: someMs, pollMs: someMs, most: aCount }

const answers: Options<Answers> = {
  elicit: {
    be: "a function or { form, url }",
    fits: (value) => isFunction(value) || isObject(value),
    inside: { form: aFunction, url: aFunction }
  },
  sample: {
    be: "a function or { create, tools, context }",
    fits: (value) => isFunction(value) || (isObject(value) && isFunction(value["create"])),
    inside: { create: aFunction, tools: aBoolean, context: aBoolean }
  },
  roots: {
    be: "an array, a function or { list, listChanged }",
    fits: (value) => isRoots(value) || (isObject(value) && isRoots(value["list"])),
    inside: { list: { be: "an array or a function", fits: isRoots }, listChanged: aBoolean }
  },
  tasks: { be: "true or an object", fits: (value) => value === true || isObject(value), inside: answerTasks },
  timeoutMs: aWait
}

function isRoots(value: unknown): boolean {
  return Array.isArray(value) || isFunction(value)
}

const connectOptions: Options<ConnectOptions<unknown, ReadonlyArray<ClientExtension>>> = {
  clientInfo: { be: "an object", fits: isObject },
  of: anything,
  answer: { be: "an object", fits: isObject, inside: answers },
  revisions: {
    be: "an array of at least one revision, as @parley/core/revisions has them,",
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && "client" in one)
  },
  extensions: {
    be: "an array of extensions",
    fits: (value) => Array.isArray(value) && value.every((one) => isObject(one) && isText(one["id"]))
  },
  prefer: { be: '"newest", "oldest" or the name of a revision that is spoken', fits: isText },
  probeMs: aWait,
  prior: {
    be: "what client.prior was",
    fits: (value) => isObject(value) && isText(value["_tag"]) && (value["_tag"] !== "Discovered" || "result" in value),
    inside: {
      _tag: { be: '"Handshake" or "Discovered"', fits: (value) => value === "Handshake" || value === "Discovered" },
      result: { be: "an object", fits: isObject }
    }
  },
  openingMs: aWait,
  timeoutMs: aWait,
  maxPages: aLimit,
  cache: {
    be: "false, or what cache() made",
    fits: (value) => value === false || (isObject(value) && "find" in value)
  },
  authorization: { be: "a string", fits: isText },
  meta: aFunction,
  on: { be: "an object of functions", fits: isObject, inside: listeners },
  onNotification: aFunction,
  report: aFunction,
  clock: { be: "a clock", fits: isObject }
}

/** @throws TypeError for what `connect` can not work with */
export function connectable(given: ConnectOptions<unknown, ReadonlyArray<ClientExtension>>): void {
  checkOptions("connect", given, connectOptions)
  const { prefer = "newest", revisions: spoken = revisions } = given
  if (prefer.includes("-") ? !spoken.some(({ name }) => name === prefer) : prefer !== "newest" && prefer !== "oldest")
    throw new TypeError(
      `connect needs ${connectOptions.prefer.be} for prefer, not ${shown(prefer)}; spoken are ${spoken.map(({ name }) => name).join(", ")}`
    )
  const { params } = handshakeRevisions[0]!.client["initialize"] as RequestRow
  const problem = params({ protocolVersion: "", capabilities: {}, clientInfo: given.clientInfo })
  if (problem !== undefined)
    throw new TypeError(`connect needs clientInfo, such as { name: "demo", version: "1.0.0" }: ${told(problem)}`)
}
