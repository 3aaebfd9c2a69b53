/** What a handler may ask the client for: a form, a visit to a page, its model, its roots. */
import type { CreateMessageParams, CreateMessageResult, JsonObject, Root } from "@parley/core"
import type { Decoded, Input, Validator } from "@parley/json-schema"
import { compile, isDeferred } from "@parley/json-schema"
import type { Asking } from "./asking.js"
import { asking } from "./asking.js"
import type { Options } from "./declared.js"
import { known } from "./declared.js"
import { flatForm } from "./flat-form.js"
import type { PageParams } from "./page-required.js"
import { pageQuestion } from "./page-required.js"
import { AskFailed } from "./unanswered.js"

/** One kind of question: what it takes to ask it, and what comes back. */
export interface Ask<P = never, A = unknown> {
  readonly method: string
  /** The answer to a question of one kind is none to one of another, also where both have one method. */
  readonly kind: "form" | "page" | "sample" | "roots"
  /** The client capability that it needs. */
  readonly needs: string
  /** Loads what its schema needs; nothing when there is nothing to load. */
  readonly ready: Promise<unknown> | undefined
  readonly params: (params: P) => JsonObject | undefined
  /** Params by which to see whether a client can be asked at all. */
  readonly probe: () => JsonObject | undefined
  readonly answer: (result: JsonObject, key: string) => A | Promise<A>
  /** What asking takes comes with the questions: a server that asks nothing does not load it. */
  readonly asking: Asking
}

/** Any question, whatever goes in and comes out. */
export type AnyAsk = Ask

export interface FormParams {
  /** For the user: what is asked, and why. */
  readonly message: string
}

/**
 * A form for the user. The schema is an object of texts, numbers, booleans and choices; what comes back has its type.
 *
 * ```ts
 * import { form } from "@parley/server"
 *
 * const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
 * guests.needs // => "elicitation"
 * ```
 *
 * @throws TypeError when the schema can not be used, a field is no such thing, or its default is no answer to it; for an effect Schema that is still to be
 * loaded whoever serves it learns of it
 */
export function form<const I extends Input>(schema: I): Ask<FormParams, Decoded<I>> {
  const compiled = compile<Input>(schema, "input")
  let validator: Validator | undefined
  let requestedSchema: JsonObject = {}
  const take = (loaded: Validator): void => {
    requestedSchema = flatForm(loaded.jsonSchema)
    validator = loaded
  }
  const ready = isDeferred(compiled) ? compiled.ready.then(take) : take(compiled)
  // Whoever serves it learns of it; a form that nobody serves harms nobody.
  ready?.catch(() => undefined)
  return {
    method: "elicitation/create",
    kind: "form",
    needs: "elicitation",
    ready: ready ?? undefined,
    params: ({ message }) => ({ message, requestedSchema }),
    probe: () => ({ message: "", requestedSchema }),
    answer: async (result, key) => {
      if (validator === undefined) throw new TypeError("The form's schema is still being loaded")
      const judged = await validator.validate(result["content"] ?? {})
      if (judged.ok) return judged.value as Decoded<I>
      const why = judged.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
      throw new AskFailed(key, { _tag: "Unfit", why })
    },
    asking
  }
}

/**
 * A visit to a page, such as a payment. The answer is the user's consent to go there, not that it is done: tell the client
 * that it is by `completed` of what `serve` or `live` returned. Clients of 2026-07-28 are not told.
 */
export const page = (): Ask<PageParams, true> => ({
  method: "elicitation/create",
  kind: "page",
  needs: "elicitation.url",
  ready: undefined,
  params: pageQuestion,
  probe: () => pageQuestion({ message: "", url: "https://example.com", elicitationId: "" }),
  answer: () => true,
  asking
})

export interface SampleOptions {
  /** The model is given tools: a client that can not do so can not be asked. Without it, tools are left out where need be. */
  readonly tools?: boolean
}

/**
 * A completion by the client's model.
 * @throws TypeError for an option that is none, or is of another kind
 */
export function sample(options: SampleOptions = {}): Ask<CreateMessageParams, CreateMessageResult> {
  known("sample", options, { tools: "true or false" } satisfies Options<SampleOptions>)
  return {
    method: "sampling/createMessage",
    kind: "sample",
    needs: options.tools === true ? "sampling.tools" : "sampling",
    ready: undefined,
    params: (params) => params as unknown as JsonObject,
    probe: () => ({ messages: [], maxTokens: 1 }),
    answer: (result) => result as unknown as CreateMessageResult,
    asking
  }
}

/** The folders and other roots that the client works in. */
export const roots = (): Ask<void, ReadonlyArray<Root>> => ({
  method: "roots/list",
  kind: "roots",
  needs: "roots",
  ready: undefined,
  params: () => undefined,
  probe: () => undefined,
  answer: (result) => result["roots"] as unknown as ReadonlyArray<Root>,
  asking
})

export type Asks = { readonly [key: string]: AnyAsk }

export type ParamsOf<A> = A extends Ask<infer P> ? P : never

export type AnswerOf<A> = A extends Ask<never, infer R> ? R : never

/** @throws TypeError when what is asked is no question, its key can not be used, or what is required is not among them */
export function checkAsks(what: string, asks: Asks = {}, requires: ReadonlyArray<string> = []): void {
  for (const [key, ask] of Object.entries<AnyAsk | undefined>(asks)) {
    if (ask?.asking === undefined)
      throw new TypeError(`${what} asks for ${key}, which is no question: make it by form, page, sample or roots`)
    ask.asking.nameable(what, key)
  }
  if (!Array.isArray(requires)) throw new TypeError(`${what} needs a list for requires`)
  const missing = requires.find((key) => !Object.hasOwn(asks, key))
  if (missing !== undefined) throw new TypeError(`${what} requires ${missing}, which is not among what it asks`)
}

/** What the schemas of its questions still have to load. */
export const loading = (asks: Asks = {}): ReadonlyArray<Promise<unknown>> =>
  Object.values(asks).flatMap(({ ready }) => (ready === undefined ? [] : [ready]))
