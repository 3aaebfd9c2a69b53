/** An extension as a server has it: what it adds to the protocol, and who answers its methods. */
import type { Check, Definition, Extension, JsonObject, Peer, Report, RequestRow } from "@parley/core"
import { extended, isObject, member } from "@parley/core"
import type { CallFailure, Input, Invoke, Output, ServerState } from "@parley/core/server"
import type { Driver } from "@parley/driver"
import type { Decoded, EffectSchema, Encodable, SchemaCheck, Validated } from "@parley/json-schema"
import type { Call } from "./call.js"
import type { Options } from "./declared.js"
import { known } from "./declared.js"
import type { Told } from "./failed.js"
import { Telling, ToolFailed } from "./failed.js"
import type { Jobs } from "./job.js"
import type { Maybe } from "./maybe.js"
import { OtherResult } from "./other-result.js"

type Requests<E> = E extends { readonly client: infer R } ? R : {}
type Tells<E> = E extends { readonly server: infer R } ? R : {}
type Results<E> = E extends { readonly results: infer R } ? R[keyof R] : never

type Given<C> = C extends SchemaCheck<infer I> ? Decoded<I> : JsonObject
type Answered<C> = C extends SchemaCheck<infer I> ? Encodable<I> : JsonObject
type Wire<C> = C extends SchemaCheck<infer I> ? (I extends EffectSchema ? I["Encoded"] : Encodable<I>) : JsonObject
type ParamsOf<R> = R extends { readonly params: infer C } ? C : never
type ResultOf<R> = R extends { readonly result: infer C } ? C : never

/** The types of result that it brings, whichever method they answer. */
type TypeOf<R> = R extends unknown ? keyof R & string : never
type Named<R, T extends string> = R extends { readonly [type in T]: infer C } ? C : never

/** Who answers: a value, a promise or an Effect, and for a result of another type what `result` made. */
export type MethodHandlers<E> = {
  readonly [M in keyof Requests<E>]: (
    params: Given<ParamsOf<Requests<E>[M]>>,
    call: Call
  ) => Maybe<Answered<ResultOf<Requests<E>[M]>> | OtherResult>
}

/** One for `extensions` of `defineServer`. */
export interface ServedExtension {
  readonly _tag: "Extension"
  readonly wire: Extension
  /** Settles when what its schemas need is loaded. */
  readonly ready: Promise<unknown> | undefined
  /** The server with it: announced under its identifier, in the tables of the revisions that have extensions. */
  readonly extend: (definition: Definition) => Definition
  /** What the client that asks announced under the identifier; nothing when it announced nothing, or its revision has no extensions. */
  readonly announced: (call: { readonly peer: Peer }) => JsonObject | undefined
  /** The session is told what is told, until it is over; `say` is told of what can not be. */
  readonly follow: (session: Driver<ServerState, Input, Output>, say?: (report: Report) => void) => void
  /** Answers one of its methods; false when it has none of that name, or the client has not announced it. */
  readonly serve: (work: Jobs, invoke: Invoke, method: string, params: JsonObject) => boolean
}

/** What handlers and others say by it. */
export interface Speaking<E extends Extension> {
  /**
   * A result of one of its types, for a handler to return: of a tool, a prompt, a resource or a method, whatever its `output` is.
   * Only for a client that announced the extension: for any other it is as if the handler threw, and `crashed` of `serve` is told
   * why.
   */
  readonly result: <T extends TypeOf<Results<E>>>(
    type: T,
    result: Omit<Wire<Named<Results<E>, T>>, "resultType">
  ) => OtherResult
  /** Tells all clients, of all sessions that are served now, whose streams asked for it. What does not fit is told to nobody, and reported. */
  readonly tell: <M extends keyof Tells<E> & string>(method: M, params: Wire<ParamsOf<Tells<E>[M]>>) => void
}

export interface ExtensionOptions {
  /** What to announce under the identifier. Default `{}`. */
  readonly settings?: JsonObject
}

/**
 * Gives an extension its handlers. They are run as those of tools are: what does not fit `params` never reaches them, they can be
 * interrupted, tell of progress and log; what they throw is error `-32603` and says no more, unless it is `refused(...)`.
 * `wire` is the same value that a client gives to `connect`.
 *
 * ```ts
 * import { request } from "@parley/core"
 * import { check } from "@parley/json-schema"
 * import { defineServer, extension } from "@parley/server"
 *
 * const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const
 * const echo = { id: "com.example/echo", client: { "echo/say": request("client", check(text), check(text)) } }
 * const server = defineServer({ name: "cave", version: "1.0.0" }, [], {
 *   extensions: [extension(echo, { "echo/say": ({ text }) => ({ text: `${text} ${text}` }) })]
 * })
 * server.definition.capabilities // => { extensions: { "com.example/echo": {} } }
 * ```
 *
 * @throws TypeError when a method has no handler, or a handler is of no method; `defineServer` throws for what can not be added
 */
export function extension<const E extends Extension>(
  wire: E,
  handlers: MethodHandlers<E>,
  options: ExtensionOptions = {}
): ServedExtension & Speaking<E> {
  const what = `The extension ${wire?.id}`
  known(what, options, { settings: "an object" } satisfies Options<ExtensionOptions>)
  const { id, client = {}, server = {}, results = {} } = wire
  for (const method of Object.keys({ ...client, ...handlers }))
    if (!(Object.hasOwn(client, method) && typeof (handlers as Handlers)[method] === "function"))
      throw new TypeError(`${what} needs one handler for each of its methods, and ${method} is not both`)
  const checks = [...Object.values(client), ...Object.values(server), ...Object.values(results)].flatMap(checksOf)
  const sessions = new Map<Driver<ServerState, Input, Output>, ((report: Report) => void) | undefined>()
  const announced = ({ peer }: { readonly peer: Peer }): JsonObject | undefined => {
    const said = member(peer.capabilities["extensions"], id)
    return isObject(said) ? (said as JsonObject) : undefined
  }
  return {
    _tag: "Extension",
    wire,
    ready: loaded(checks),
    extend: (definition) => {
      const { capabilities, revisions } = definition
      const extensions = { ...(capabilities["extensions"] as JsonObject | undefined), [id]: options.settings ?? {} }
      return {
        ...definition,
        capabilities: { ...capabilities, extensions },
        revisions: revisions.map((revision) => extended(revision, [wire]))
      }
    },
    announced,
    result: (type, result) =>
      new OtherResult((client) => {
        if (announced(client) !== undefined) return { ...(result as JsonObject), resultType: type }
        throw new TypeError(`the result ${type} needs the extension ${id}, which the client did not announce`)
      }),
    tell: (method, params) => {
      for (const [{ state, feed }, say] of sessions)
        if (!Object.hasOwn(server, method))
          say?.({ _tag: "Unsendable", method, why: `the extension ${id} has no such notification` })
        // Without a stream there is nobody to tell.
        else if (state().listens.size > 0) feed({ _tag: "Notified", method, params })
    },
    follow: (session, say) => {
      sessions.set(session, say)
      void session.closed.then(() => sessions.delete(session))
    },
    serve: (work, invoke, method, params) => {
      const row = Object.hasOwn(client, method) && announced(invoke) ? client[method] : undefined
      if (row !== undefined) run(work, invoke, row, method, params, (handlers as Handlers)[method]!)
      return row !== undefined
    }
  }
}

type Handlers = { readonly [method: string]: (params: never, call: never) => unknown }

function run(
  work: Jobs,
  invoke: Invoke,
  { params: check, result }: RequestRow,
  method: string,
  { _meta, ...params }: JsonObject,
  handler: Handlers[string]
): void {
  const job = work.begin(invoke, method, undefined)
  work.attempt(
    job,
    () => bySchema(check)?.validate(params) ?? { ok: true, value: params },
    (judged) => {
      const given = judged as Validated<unknown>
      if (!given.ok) return work.fail(job, invalid(`Invalid params for ${method}: ${inWords(given)}`))
      work.attempt(
        job,
        () => handler(given.value as never, job.call as never),
        (returned) => {
          if (returned instanceof ToolFailed) throw returned
          work.attempt(
            job,
            () => bySchema(result)?.encode(returned) ?? { ok: true, value: returned },
            (judged) => {
              const made = judged as Validated<unknown>
              if (!made.ok) throw new TypeError(`its result does not fit its schema: ${inWords(made)}`)
              if (!isObject(made.value)) throw new TypeError("its result is no object")
              work.succeed(job, made.value)
            }
          )
        }
      )
    }
  )
}

/** A schema's check knows more than any other: what the value becomes on either side. */
const bySchema = (check: Check): SchemaCheck | undefined => ("schema" in check ? (check as SchemaCheck) : undefined)

const checksOf = (entry: object): ReadonlyArray<unknown> => Object.values(entry)

function loaded(checks: ReadonlyArray<unknown>): Promise<unknown> | undefined {
  const loading = checks.flatMap((check) => (typeof check === "function" && bySchema(check as Check)?.ready) || [])
  return loading.length === 0 ? undefined : Promise.all(loading)
}

const inWords = ({ issues }: Extract<Validated<unknown>, { readonly ok: false }>): string =>
  issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")

const invalid = (message: string): CallFailure => ({ _tag: "Chosen", code: -32602, message })

/** A JSON-RPC error of a handler's choice. */
export class Refused extends Telling {
  override readonly name = "Refused"
  readonly code: number
  readonly data: JsonObject | undefined

  constructor(message: string, code: number, data: JsonObject | undefined) {
    super(message)
    this.code = code
    this.data = data
  }

  tell(): Told {
    const { code, message, data } = this
    return { failure: { _tag: "Chosen", code, message, ...(data && { data }) } }
  }
}

/**
 * An error for a handler of an extension's method to throw, such as for an id that names nothing. `-32602` unless it says otherwise;
 * a code that the revision keeps to itself goes out as `-32603`, and is reported.
 *
 * ```ts
 * import { refused } from "@parley/server"
 *
 * refused("There is no such job").code // => -32602
 * ```
 */
export const refused = (message: string, code = -32602, data?: JsonObject): Refused => new Refused(message, code, data)
