/** A tool: what is announced of it, how its arguments and results are validated, and what it does. */
import type { CallToolResult, ContentBlock, Icon, JsonObject, ToolAnnotations, ToolDefinition } from "@parley/core"
import type { Decoded, Deferred, Encodable, Input, JsonSchema, Validator } from "@parley/json-schema"
import { compile, isDeferred, SchemaRefused } from "@parley/json-schema"
import type { Effect } from "effect/Effect"
import type { Call } from "./call.js"
import type { ToolFailed } from "./failed.js"

export interface ToolOptions<I extends Input, O extends Input | undefined> {
  /** For the model: what the tool does and when to use it. */
  readonly description?: string
  /** For people. */
  readonly title?: string
  /** The arguments: an effect Schema, a Standard Schema that prints JSON Schema, or a JSON Schema. No arguments when absent. */
  readonly input?: I
  /** What comes back as `structuredContent`. The handler returns the value itself. */
  readonly output?: O
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/** What a handler may return where the tool has no `output`: text, one content block, several, or a whole result. */
export type Reply = string | ContentBlock | ReadonlyArray<ContentBlock> | CallToolResult | void

type Value<O extends Input | undefined> = O extends Input ? Encodable<O> | ToolFailed : Reply | ToolFailed

/** The value, a promise of it, or an Effect that makes it. */
export type Returned<O extends Input | undefined> = Value<O> | PromiseLike<Value<O>> | Effect<Value<O>, unknown>

/** Decided before the function's type is made: the compiler then knows what may be returned while it reads the function. */
export type Handler<I extends Input, O extends Input | undefined> = [O] extends [Input]
  ? (args: Decoded<I>, call: Call) => Returned<O>
  : (args: Decoded<I>, call: Call) => Returned<undefined>

export interface Tool<
  N extends string = string,
  I extends Input = Input,
  O extends Input | undefined = Input | undefined
> {
  readonly _tag: "Tool"
  readonly name: N
  readonly options: ToolOptions<I, O>
  readonly handler: (args: never, call: Call) => unknown
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
 * @throws SchemaRefused (a TypeError) when a schema can not be used, TypeError when the name is empty
 */
export function tool<
  const N extends string,
  const I extends Input = JsonSchema,
  O extends Input | undefined = undefined
>(name: N, options: ToolOptions<I, O>, handler: Handler<I, O>): Tool<N, I, O> {
  if (typeof name !== "string" || name === "") throw new TypeError("A tool needs a name")
  if (typeof handler !== "function")
    throw new TypeError(`The tool ${name} needs a handler: tool(name, options, handler)`)
  known(name, options)
  return {
    _tag: "Tool",
    name,
    options,
    handler,
    input: compiled(name, options.input ?? noArguments, "input"),
    output: options.output === undefined ? undefined : compiled(name, options.output, "output")
  }
}

/** Every option there is: one that the type has and this has not does not compile. */
const optionNames = Object.keys({
  description: true,
  title: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  _meta: true
} satisfies Record<keyof ToolOptions<Input, Input>, true>)

/** Programs without types get no help from the compiler; a schema under another name would check nothing. */
function known(tool: string, options: object): void {
  const odd = Object.keys(options).find((name) => !optionNames.includes(name))
  if (odd !== undefined)
    throw new TypeError(`The tool ${tool} has an unknown option ${odd}; there are ${optionNames.join(", ")}`)
  for (const name of ["description", "title"] as const) {
    const text = (options as { readonly [name: string]: unknown })[name]
    if (text !== undefined && typeof text !== "string")
      throw new TypeError(`The tool ${tool} has a ${name} that is not text`)
  }
}

/** A refused schema says whose it is. */
function compiled(tool: string, schema: Input, use: "input" | "output"): Validator | Deferred {
  try {
    const made = compile(schema, use)
    if (!isDeferred(made)) return made
    const ready = made.ready.catch((error: unknown) => {
      throw named(tool, use, error)
    })
    // Whoever serves the tool learns of it; a tool that nobody serves harms nobody.
    ready.catch(() => undefined)
    return { ready }
  } catch (error) {
    throw named(tool, use, error)
  }
}

function named(tool: string, use: "input" | "output", error: unknown): unknown {
  if (!(error instanceof SchemaRefused)) return error
  const { reason, at, message, cause } = error
  const plain = at === "" ? message : message.slice(0, message.lastIndexOf(" (at "))
  return new SchemaRefused(reason, at, `The ${use} schema of tool ${tool} can not be used: ${plain}`, cause)
}

/** What the client is told of a tool whose schemas are at hand. */
export function listed({ name, options, ...schemas }: ReadyTool): ToolDefinition {
  const { title, description, annotations, icons, _meta } = options
  const told: Record<string, unknown> = { name }
  if (title !== undefined) told["title"] = title
  if (description !== undefined) told["description"] = description
  told["inputSchema"] = schemas.input.jsonSchema
  if (schemas.output !== undefined) told["outputSchema"] = schemas.output.jsonSchema
  if (annotations !== undefined) told["annotations"] = annotations
  if (icons !== undefined) told["icons"] = icons
  if (_meta !== undefined) told["_meta"] = _meta
  return told as unknown as ToolDefinition
}

/** A tool whose validators are loaded. */
export interface ReadyTool extends AnyTool {
  readonly input: Validator
  readonly output: Validator | undefined
}

/** The tool when nothing has to be loaded for it, else a promise of it. */
export function readied(tool: AnyTool): ReadyTool | Promise<ReadyTool> {
  const { input, output } = tool
  if (!isDeferred(input) && (output === undefined || !isDeferred(output))) return tool as ReadyTool
  return Promise.all([
    isDeferred(input) ? input.ready : input,
    output && isDeferred(output) ? output.ready : output
  ]).then(([input, output]) => ({ ...tool, input, output }))
}

const noArguments: JsonSchema = { type: "object" }
