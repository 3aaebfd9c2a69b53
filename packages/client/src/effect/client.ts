/** What an open session offers to Effects. */
import type {
  CompleteResult,
  GetPromptResult,
  JsonObject,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ResourceUpdatedParams,
  Task,
  Tool
} from "@parley/core"
import type { Closed } from "@parley/driver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Client as Plain, Completed, CompleteOptions, ListOptions } from "../client.js"
import type { ClientExtension } from "../extending.js"
import type { MethodOf, Notifications, ParamsOf, Told } from "../notifications.js"
import type { CallOptions } from "../session.js"
import type { Brought } from "../typed.js"
import type { Listing } from "../walk.js"
import type { CallError } from "./calling.js"
import { calling, failure } from "./calling.js"
import { heard, iterated, paged } from "./streaming.js"
import { taskOf } from "./task.js"
import type { CallTool, StartTool, TakeUp, Unsignalled } from "./typed.js"

type Listed<A> = (options?: Unsignalled<ListOptions>) => Effect.Effect<ReadonlyArray<A>, CallError>
type Streamed<A> = (options?: Unsignalled<ListOptions>) => Stream.Stream<A, CallError>
type Wishes = Unsignalled<CallOptions>

/**
 * A session, with the calls of `Client` of `@parley/client` under their names. `S` is the server's type where `connect` was told
 * it by `of`, `X` those of `extensions`. An Effect makes its call each time it is run; interrupting it withdraws the request. Options that can not be used
 * are defects.
 *
 * Streams ask for nothing before they are run, and for nothing more when they end. Those of lists fetch a page when it is
 * wanted, and a page is a chunk: `Stream.chunks(client.tools())` has them one by one. Those of what the server tells on its own
 * end with the session; of what waits for a slow reader the latest thousand are kept.
 */
export interface Client<S = unknown, X extends ReadonlyArray<ClientExtension> = []> {
  readonly peer: Plain["peer"]
  readonly asked: Plain["asked"]
  readonly instructions: Plain["instructions"]
  readonly prior: Plain["prior"]
  readonly listTools: Listed<Tool>
  readonly tools: Streamed<Tool>
  readonly callTool: CallTool<S, Brought<X>>
  readonly startTool: StartTool<S>
  readonly task: TakeUp<S>
  readonly listTasks: Listed<Task>
  readonly tasks: Streamed<Task>
  readonly listResources: Listed<Resource>
  readonly resources: Streamed<Resource>
  readonly listResourceTemplates: Listed<ResourceTemplate>
  readonly resourceTemplates: Streamed<ResourceTemplate>
  readonly readResource: (
    uri: string,
    options?: Unsignalled<NonNullable<Parameters<Plain["readResource"]>[1]>>
  ) => Effect.Effect<ReadResourceResult, CallError>
  /** The updates of a resource, which is subscribed to while the stream is run. */
  readonly subscribe: (uri: string, options?: Wishes) => Stream.Stream<ResourceUpdatedParams, CallError>
  readonly listPrompts: Listed<Prompt>
  readonly prompts: Streamed<Prompt>
  readonly getPrompt: (
    name: string,
    args?: { readonly [argument: string]: string },
    options?: Wishes
  ) => Effect.Effect<GetPromptResult, CallError>
  readonly complete: (
    of: Completed,
    argument: { readonly name: string; readonly value: string },
    options?: Unsignalled<CompleteOptions>
  ) => Effect.Effect<CompleteResult["completion"], CallError>
  readonly setLogLevel: (level: LoggingLevel, options?: Wishes) => Effect.Effect<void, CallError>
  /**
   * What the server tells by this method, which is listened to while the stream is run. What an extension tells is among it; a
   * filter that is a list of names needs those, as in `notifications(method, [jobId])`.
   * Fails at once with `MethodUndeclared` where the server did not declare it, and with `NotificationUnknown` where the revision in
   * force has none of that name.
   */
  readonly notifications: Heard & HeardOf<X>
  readonly elicitationComplete: (elicitationId: string) => Effect.Effect<void, CallError>
  readonly ping: (options?: Wishes) => Effect.Effect<void, CallError>
  readonly request: (method: string, params?: JsonObject, options?: Wishes) => Effect.Effect<JsonObject, CallError>
  /** Succeeds when the session is over, with what ended it. */
  readonly closed: Effect.Effect<Closed>
  /** The same session for code that awaits: what it closes is closed here too. */
  readonly plain: Plain<S, X>
}

type Heard = <M extends keyof Notifications>(method: M) => Stream.Stream<Notifications[M], CallError>

/** The same for what extensions tell, where there are any. */
type HeardOf<X extends ReadonlyArray<ClientExtension>> = [MethodOf<Told<X>>] extends [never]
  ? unknown
  : <M extends MethodOf<Told<X>>>(
      method: M,
      of?: ReadonlyArray<string>
    ) => Stream.Stream<ParamsOf<Told<X>, M>, CallError>

/** The session that `layer` opens. For one whose tools are typed, or one with extensions, make a tag of your own and `Layer.effect(Tag, connect(...))`. */
export const Client: Context.Service<Client, Client> = Context.Service<Client>("@parley/client/effect/Client")

/** A client that promised to tell when its roots change. */
export interface TellingRoots {
  /** The roots are others now: the server is told, and may ask for them. */
  readonly rootsChanged: Effect.Effect<void>
}

/** `untold`: why nothing will ever be told by a notification. */
export function clientOf(plain: Plain, untold: (method: string) => unknown): Client {
  const listed =
    <A>(list: (options?: ListOptions) => Promise<ReadonlyArray<A>>): Listed<A> =>
    (wishes) =>
      calling(list, wishes)
  const streamed =
    <A>(list: (options?: ListOptions) => Listing<A>): Streamed<A> =>
    (wishes) =>
      paged((signal) => list({ ...wishes, signal }))
  return {
    peer: plain.peer,
    asked: plain.asked,
    instructions: plain.instructions,
    prior: plain.prior,
    listTools: listed(plain.listTools),
    tools: streamed(plain.tools),
    callTool: (name, args, wishes) => calling((wishes) => plain.callTool(name, args, wishes), wishes),
    startTool: (name, args, wishes) =>
      Effect.map(
        calling((wishes) => plain.startTool(name, args, wishes), wishes),
        taskOf
      ),
    task: (taskId, tool) => taskOf(plain.task(taskId, tool)),
    listTasks: listed(plain.listTasks),
    tasks: streamed(plain.tasks),
    listResources: listed(plain.listResources),
    resources: streamed(plain.resources),
    listResourceTemplates: listed(plain.listResourceTemplates),
    resourceTemplates: streamed(plain.resourceTemplates),
    readResource: (uri, wishes) => calling((wishes) => plain.readResource(uri, wishes), wishes),
    subscribe: (uri, wishes) => iterated((signal) => plain.subscribe(uri, { ...wishes, signal })),
    listPrompts: listed(plain.listPrompts),
    prompts: streamed(plain.prompts),
    getPrompt: (name, args, wishes) => calling((wishes) => plain.getPrompt(name, args, wishes), wishes),
    complete: (of, argument, wishes) => calling((wishes) => plain.complete(of, argument, wishes), wishes),
    setLogLevel: (level, wishes) => calling((wishes) => plain.setLogLevel(level, wishes), wishes),
    notifications: (method: keyof Notifications, of?: ReadonlyArray<string>) =>
      Stream.suspend((): Stream.Stream<never, CallError> => {
        const why = untold(method)
        if (why !== undefined) return Stream.fromEffect(failure(why))
        return heard(plain.on, method, plain.closed, of) as Stream.Stream<never>
      }),
    elicitationComplete: (id) =>
      calling(({ signal }: CallOptions) => plain.elicitationComplete(id, signal && { signal }), undefined),
    ping: (wishes) => calling(plain.ping, wishes),
    request: (method, params, wishes) => calling((wishes) => plain.request(method, params, wishes), wishes),
    closed: Effect.promise(() => plain.closed),
    plain
  }
}
