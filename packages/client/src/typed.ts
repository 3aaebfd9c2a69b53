/** The calls of one server, at the level of types: names, arguments and structured content of its tools. */
import type { CallToolResult, JsonObject } from "@parley/core"
import type { Decoded, EffectSchema, SchemaCheck } from "@parley/json-schema"
import type { ClientExtension } from "./extending.js"
import type { CallOptions } from "./session.js"
import type { ToolTask } from "./task.js"
import type { StartOptions } from "./tasks.js"

/** The tools among a server's items, as `defineServer` keeps them. */
type ToolOf<S> = S extends { readonly items: ReadonlyArray<infer T> }
  ? Extract<T, { readonly _tag: "Tool"; readonly name: string }>
  : never

type NameOf<S> = ToolOf<S>["name"]

type Named<S, N> = Extract<ToolOf<S>, { readonly name: N }>

type InputOf<T> = T extends { readonly options: { readonly input?: infer I } } ? I : never

type OutputOf<T> = T extends { readonly options: { readonly output?: infer O } } ? O : never

/** What crosses the wire: effect's encoded side, what goes into a Standard Schema, and for a JSON Schema its properties. */
export type Sent<I> = I extends EffectSchema
  ? I["Encoded"]
  : I extends { readonly "~standard": { readonly types?: { readonly input: infer A } | undefined } }
    ? A
    : Decoded<I>

/** The same for what comes back: what comes out of a Standard Schema. */
export type Received<O> = O extends EffectSchema ? O["Encoded"] : Decoded<O>

/** A result whose `structuredContent` has the type of the tool's `output`. It is absent when the tool failed. */
export type ResultOf<O> = [O] extends [undefined]
  ? CallToolResult
  : Omit<CallToolResult, "structuredContent"> & { readonly structuredContent?: Received<O> }

/** What passes a check, as it crosses the wire. */
export type Wire<C> = C extends SchemaCheck<infer I> ? Received<I> : JsonObject

/** The results of a type of their own that extensions let a tool have, told apart by `resultType`. */
export type Brought<X extends ReadonlyArray<ClientExtension>> = BroughtBy<X[number]>

type BroughtBy<E> = E extends { readonly results: { readonly "tools/call": infer R } }
  ? { readonly [T in keyof R & string]: { readonly resultType: T } & Omit<Wire<R[T]>, "resultType"> }[keyof R & string]
  : never

export type CallAny<R = never> = (name: string, args?: JsonObject, options?: CallOptions) => Promise<CallToolResult | R>

export type StartAny = (name: string, args?: JsonObject, options?: StartOptions) => Promise<ToolTask>

export type TakeUpAny = (taskId: string, tool?: string) => ToolTask

/** Arguments may be left out when none is required. */
type Rest<A, O = CallOptions> = {} extends A ? [args?: A, options?: O] : [args: A, options?: O]

type CallNamed<S, R> = <const N extends NameOf<S>>(
  name: N,
  ...rest: Rest<Sent<InputOf<Named<S, N>>>>
) => Promise<ResultOf<OutputOf<Named<S, N>>> | R>

/** As the server's tools are; any tool where they are not known one by one. */
export type CallTool<S, R = never> = [NameOf<S>] extends [never]
  ? CallAny<R>
  : string extends NameOf<S>
    ? CallAny<R>
    : CallNamed<S, R>

type StartNamed<S> = <const N extends NameOf<S>>(
  name: N,
  ...rest: Rest<Sent<InputOf<Named<S, N>>>, StartOptions>
) => Promise<ToolTask<ResultOf<OutputOf<Named<S, N>>>>>

/** The same for tools that are started as tasks. */
export type StartTool<S> = [NameOf<S>] extends [never] ? StartAny : string extends NameOf<S> ? StartAny : StartNamed<S>

interface TakeUpNamed<S> {
  (taskId: string): ToolTask
  <const N extends NameOf<S>>(taskId: string, tool: N): ToolTask<ResultOf<OutputOf<Named<S, N>>>>
}

/** A task by its id, and where the tool is named, with the type of its results. */
export type TakeUp<S> = [NameOf<S>] extends [never] ? TakeUpAny : string extends NameOf<S> ? TakeUpAny : TakeUpNamed<S>
