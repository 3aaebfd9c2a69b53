/** The calls of one server, at the level of types, as Effects. */
import type { CallToolResult, JsonObject } from "@parley/core"
import type * as Effect from "effect/Effect"
import type { CallOptions } from "../session.js"
import type { StartOptions } from "../tasks.js"
import type { ResultOf, Sent } from "../typed.js"
import type { CallError } from "./calling.js"
import type { ToolTask } from "./task.js"

/** Interruption takes the place of the signal. */
export type Unsignalled<O> = Omit<O, "signal">

type ToolOf<S> = S extends { readonly items: ReadonlyArray<infer T> }
  ? Extract<T, { readonly _tag: "Tool"; readonly name: string }>
  : never

type NameOf<S> = ToolOf<S>["name"]

type OptionsOf<S, N> = Extract<ToolOf<S>, { readonly name: N }>["options" & keyof ToolOf<S>]

type SentTo<S, N> = OptionsOf<S, N> extends { readonly input?: infer I } ? Sent<I> : never

type ResultFrom<S, N> = OptionsOf<S, N> extends { readonly output?: infer O } ? ResultOf<O> : never

/** Arguments may be left out when none is required. */
type Rest<A, O> = {} extends A ? [args?: A, options?: Unsignalled<O>] : [args: A, options?: Unsignalled<O>]

/** Whether the tools are known one by one. */
type Known<S> = [NameOf<S>] extends [never] ? false : string extends NameOf<S> ? false : true

/** As the server's tools are; any tool where they are not known one by one. `B` is what extensions let a tool have beside. */
export type CallTool<S, B = never> =
  Known<S> extends true
    ? <const N extends NameOf<S>>(
        name: N,
        ...rest: Rest<SentTo<S, N>, CallOptions>
      ) => Effect.Effect<ResultFrom<S, N> | B, CallError>
    : (
        name: string,
        args?: JsonObject,
        options?: Unsignalled<CallOptions>
      ) => Effect.Effect<CallToolResult | B, CallError>

/** The same for tools that are started as tasks. */
export type StartTool<S> =
  Known<S> extends true
    ? <const N extends NameOf<S>>(
        name: N,
        ...rest: Rest<SentTo<S, N>, StartOptions>
      ) => Effect.Effect<ToolTask<ResultFrom<S, N>>, CallError>
    : (name: string, args?: JsonObject, options?: Unsignalled<StartOptions>) => Effect.Effect<ToolTask, CallError>

/** A task by its id, and where the tool is named, with the type of its results. */
export type TakeUp<S> =
  Known<S> extends true
    ? <const N extends NameOf<S> = never>(
        taskId: string,
        tool?: N
      ) => ToolTask<[N] extends [never] ? CallToolResult : ResultFrom<S, N>>
    : (taskId: string, tool?: string) => ToolTask
