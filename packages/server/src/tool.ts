/** A tool: what is announced of it, how its arguments and results are validated, and what it does. */
import type { CallToolResult, ContentBlock, Icon, JsonObject, ToolAnnotations, ToolDefinition } from "@parley/core"
import type { Decoded, Deferred, Encodable, Input, JsonSchema, Validator } from "@parley/json-schema"
import { compile, isDeferred, SchemaRefused } from "@parley/json-schema"
import type { Asks } from "./asks.js"
import { checkAsks, loading } from "./asks.js"
import type { Call } from "./call.js"
import type { Options } from "./declared.js"
import { known, tellable } from "./declared.js"
import type { ToolFailed } from "./failed.js"
import type { Maybe } from "./maybe.js"
import type { OtherResult } from "./other-result.js"
import type { Structured } from "./structured.js"

export interface ToolOptions<I extends Input, O extends Input | undefined, A extends Asks = Asks> {
  /** For the model: what the tool does and when to use it. */
  readonly description?: string
  /** For people. */
  readonly title?: string
  /** The arguments: an effect Schema, a Standard Schema that prints JSON Schema, or a JSON Schema. No arguments when absent. */
  readonly input?: I
  /**
   * What comes back as `structuredContent`. The handler returns the value itself, or `structured(value, text)`. Clients before
   * 2026-07-28 are told of objects only: of another value they get the text.
   */
  readonly output?: O
  /** What the handler may ask the client for, by a name of its own. */
  readonly asks?: A
  /** Which of these it can not do without: a client that can not be asked is told so, since 2026-07-28 by error `-32021`, and no handler runs. */
  readonly requires?: ReadonlyArray<string>
  /** Whether a client may run it as a task that outlives the reply, or has to (2025-11-25; elsewhere it is a call like any other). Not when absent. */
  readonly task?: "optional" | "required"
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/** What a tool that has `task` may say beside. */
export interface Meanwhile<Args> {
  /**
   * For the model, while the task runs: what a host may hand it as the call's result for now, made of the arguments if it is a
   * function. It goes out with the task, which there is where the client asked for one and its revision has tasks (2025-11-25).
   *
   * ```ts
   * import { tool } from "@parley/server"
   *
   * const input = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const
   * const plan = tool(
   *   "plan",
   *   { task: "optional", input, meanwhile: ({ city }) => `The trip to ${city} is being planned; this takes an hour.` },
   *   async ({ city }) => `Planned: ${city}`
   * )
   * plan.options.task // => "optional"
   * ```
   */
  readonly meanwhile?: string | ((args: Args) => string)
}

/** What a handler may return where the tool has no `output`: text, one content block, several, or a whole result. */
export type Reply = string | ContentBlock | ReadonlyArray<ContentBlock> | CallToolResult | void

type Value<O extends Input | undefined> = O extends Input
  ? Encodable<O> | Structured<Encodable<O>> | ToolFailed | OtherResult
  : Reply | ToolFailed | OtherResult

/** The value, a promise of it, or an Effect that makes it. */
export type Returned<O extends Input | undefined> = Maybe<Value<O>>

/** Decided before the function's type is made: the compiler then knows what may be returned while it reads the function. */
export type Handler<I extends Input, O extends Input | undefined, A extends Asks = {}> = [O] extends [Input]
  ? (args: Decoded<I>, call: Call<A>) => Returned<O>
  : (args: Decoded<I>, call: Call<A>) => Returned<undefined>

export interface Tool<
  N extends string = string,
  I extends Input = Input,
  O extends Input | undefined = Input | undefined,
  A extends Asks = Asks
> {
  readonly _tag: "Tool"
  readonly name: N
  readonly options: ToolOptions<I, O, A> & Meanwhile<never>
  readonly handler: (args: never, call: never) => unknown
  readonly input: Validator | Deferred
  readonly output: Validator | Deferred | undefined
}

/** Any tool, whatever its schemas. */
export type AnyTool = Tool

/**
 * Declares a tool. Arguments that do not fit `input` never reach the handler. A handler that throws is an `isError` result
 * which says nothing more; return or throw `failed(text)` to tell the model what went wrong.
 *
 * ```ts
 * import { tool } from "@parley/server"
 *
 * const add = tool(
 *   "add",
 *   {
 *     description: "Add two numbers",
 *     input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] }
 *   },
 *   ({ a, b }) => String(a + b)
 * )
 * add.name // => "add"
 * ```
 *
 * What is wrong with a schema that something has to be loaded for, `ready` of its server rejects with: a SchemaRefused, or for an
 * `x-mcp-header` where none may be a TypeError, that names the tool and the place.
 *
 * @throws SchemaRefused (a TypeError) when another schema can not be used, TypeError when the name is empty
 */
export function tool<
  const N extends string,
  const I extends Input = JsonSchema,
  O extends Input | undefined = undefined,
  A extends Asks = {}
>(
  name: N,
  options: ToolOptions<I, O, A> & Meanwhile<Decoded<I>> & { readonly requires?: ReadonlyArray<keyof A & string> },
  handler: Handler<I, O, A>
): Tool<N, I, O, A> {
  if (typeof name !== "string" || name === "") throw new TypeError("A tool needs a name")
  if (typeof handler !== "function")
    throw new TypeError(`The tool ${name} needs a handler: tool(name, options, handler)`)
  checked(`The tool ${name}`, name, options)
  return {
    _tag: "Tool",
    name,
    options,
    handler,
    input: compiled(name, options.input ?? noArguments, "input"),
    output: options.output === undefined ? undefined : compiled(name, options.output, "output")
  }
}

const toolOptions = {
  description: true,
  title: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  _meta: true,
  asks: "an object",
  requires: true,
  task: '"optional" or "required"',
  meanwhile: true
} as const satisfies Options<ToolOptions<Input, Input> & Meanwhile<never>>

/** A schema under another name would check nothing. */
function checked(what: string, name: string, options: ToolOptions<Input, Input | undefined> & Meanwhile<never>): void {
  known(what, options, toolOptions)
  if (options.meanwhile !== undefined && options.task === undefined)
    throw new TypeError(`${what} has something to say meanwhile, but is never a task: give it task: "optional"`)
  tellable(what, "tools/list", told(name, options, noArguments))
  checkAsks(what, options.asks, options.requires)
}

interface Loading extends Deferred {
  /** Once it is loaded. */
  made?: Validator
}

/** A refused schema says whose it is. */
function compiled(tool: string, schema: Input, use: "input" | "output"): Validator | Loading {
  const refused = (error: unknown): never => {
    throw named(tool, use, error)
  }
  try {
    const made = compile(schema, use)
    if (!isDeferred(made) && !mirrors(made, use)) return made
    const load = async (): Promise<Validator> => {
      const validator = isDeferred(made) ? await made.ready.catch(refused) : made
      const mirrored = mirrors(validator, use) && (await import("./mirrorable.js")).mirrorable(tool, validator)
      return (loading.made = mirrored || validator)
    }
    const loading: Loading = { ready: load() }
    // Whoever serves the tool learns of it; a tool that nobody serves harms nobody.
    loading.ready.catch(() => undefined)
    return loading
  } catch (error) {
    return refused(error)
  }
}

/** Few do. */
const mirrors = ({ jsonSchema }: Validator, use: "input" | "output"): boolean =>
  use === "input" && JSON.stringify(jsonSchema).includes('"x-mcp-header"')

function named(tool: string, use: "input" | "output", error: unknown): unknown {
  if (!(error instanceof SchemaRefused)) return error
  const { reason, at, message, cause } = error
  const plain = at === "" ? message : message.slice(0, message.lastIndexOf(" (at "))
  return new SchemaRefused(reason, at, `The ${use} schema of tool ${tool} can not be used: ${plain}`, cause)
}

/** What the client is told of a tool whose schemas are at hand. */
export const listed = ({ name, options, input, output }: ReadyTool): ToolDefinition =>
  told(name, options, input.jsonSchema, output?.jsonSchema)

function told(
  name: string,
  options: ToolOptions<Input, Input | undefined>,
  input: object,
  output?: object
): ToolDefinition {
  const { title, description, annotations, icons, task, _meta } = options
  const execution = task && { taskSupport: task }
  const all = {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations,
    execution,
    icons,
    _meta
  }
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as unknown as ToolDefinition
}

/** A tool whose validators are loaded. */
export interface ReadyTool extends AnyTool {
  readonly input: Validator
  readonly output: Validator | undefined
}

/** What still has to be loaded for it. */
export const toLoad = ({ input, output, options }: AnyTool): ReadonlyArray<Promise<unknown>> => [
  ...[input, output].flatMap((one) => (one !== undefined && isDeferred(one) ? [one.ready] : [])),
  ...loading(options.asks)
]

/** The tool when all is loaded. */
export const loaded = (tool: AnyTool): ReadyTool => ({
  ...tool,
  input: validator(tool.input),
  output: tool.output && validator(tool.output)
})

const validator = (made: Validator | Loading): Validator => (isDeferred(made) ? made.made! : made)

const noArguments: JsonSchema = { type: "object" }
