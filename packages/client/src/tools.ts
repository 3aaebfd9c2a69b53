/** One tool of the server's: its arguments are checked before they are sent, and its structured results when they come. */
import type { CallToolResult, JsonObject, Tool } from "@parley/core"
import { isObject } from "@parley/core"
import type { PeerSchema } from "@parley/json-schema"
import { fromPeer } from "@parley/json-schema"
import { inBrief } from "./calmly.js"
import { CallError } from "./error.js"

export interface Known {
  readonly tool: Tool
  readonly input: PeerSchema
  readonly output: PeerSchema | undefined
}

/**
 * Compiles a tool's schemas when first asked: most tools of a long list are never called. A promise only while what some
 * schemas need is being loaded. `structured`: whether the revision in force has output schemas; elsewhere they mean nothing.
 */
export function compiling(tool: Tool, structured: boolean): () => Known | Promise<Known> {
  let made: Known | Promise<Known> | undefined
  const make = (): Known | Promise<Known> => {
    const input = fromPeer(tool.inputSchema)
    const output = structured && tool.outputSchema !== undefined ? fromPeer(tool.outputSchema) : undefined
    if (!(input instanceof Promise) && !(output instanceof Promise)) return { tool, input, output }
    return Promise.all([input, output]).then(([input, output]) => (made = { tool, input, output }))
  }
  return () => (made ??= make())
}

/** Throws `CallError` when the arguments do not fit. A schema that can not be checked refuses nothing: the server will judge. */
export function checkArguments({ tool, input }: Known, args: JsonObject): void {
  const why = isObject(args) ? reading(() => unfit(input, written(args))) : "they are no object"
  if (why !== undefined) throw new CallError({ _tag: "ArgumentsInvalid", tool: tool.name, why })
}

/**
 * The result when it fits, else throws `CallError`.
 * 2025-06-18 server/tools, Output Schema: servers MUST provide conforming results; clients SHOULD validate them.
 */
export function checkResult({ tool, output }: Known, result: CallToolResult): CallToolResult {
  if (result.isError === true || output === undefined || isOther(result)) return result
  const { structuredContent } = result
  const why = structuredContent === undefined ? "structuredContent is missing" : unfit(output, structuredContent)
  if (why !== undefined) throw new CallError({ _tag: "StructuredContentInvalid", tool: tool.name, why })
  return result
}

/** Of another type than the complete one, which an extension brought. */
const isOther = ({ resultType }: { readonly resultType?: string }): boolean => (resultType ?? "complete") !== "complete"

/** What goes over the wire: not always what is at hand, when that is a class of its own or says so by `toJSON`. */
function written(args: object): unknown {
  const kind: unknown = Object.getPrototypeOf(args)
  const plain = (kind === Object.prototype || kind === null) && !("toJSON" in args)
  return plain ? args : (JSON.parse(JSON.stringify(args) ?? "null") as unknown)
}

/** Arguments that are no JSON may throw when they are read. */
function reading(judge: () => string | undefined): string | undefined {
  try {
    return judge()
  } catch (error) {
    return inBrief(error)
  }
}

/** What does not fit, in words. Nothing also where that can not be said. */
export function unfit(schema: PeerSchema, value: unknown): string | undefined {
  if (schema._tag === "Uncheckable") return undefined
  const judged = schema.validator.validate(value)
  if (judged.ok || judged.unchecked === true) return undefined
  return judged.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
}
