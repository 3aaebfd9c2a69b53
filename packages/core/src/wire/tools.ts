/** Tools: what is listed, how one is called, and what it answers. */
import * as Schema from "effect/Schema"
import { icons } from "./annotations.js"
import {
  ContentBlock_2024_11_05,
  ContentBlock_2025_03_26,
  ContentBlock_2025_06_18,
  ContentBlock_2025_11_25
} from "./content.js"
import {
  anyObject,
  cacheable,
  complete,
  list,
  meta,
  nextCursor,
  params,
  retriable,
  text,
  unwalked,
  withMeta
} from "./meta.js"
import { task } from "./tasks.js"

const hint = Schema.optionalKey(Schema.Boolean)

export const ObjectSchema = Schema.StructWithRest(Schema.Struct({ type: Schema.Literal("object") }), [
  anyObject
]).annotate({ description: "A JSON Schema whose root is an object; the rest is for a validator to judge." })

export const ToolAnnotations_2025_03_26 = Schema.Struct({
  title: text,
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint
}).annotate({ description: "Hints, not promises: never decide on those of a server you do not trust." })

export const ToolExecution_2025_11_25 = Schema.Struct({
  taskSupport: Schema.optionalKey(Schema.Literals(["forbidden", "optional", "required"]))
})

export const Tool_2024_11_05 = Schema.Struct({ name: Schema.String, inputSchema: ObjectSchema, description: text })

export const Tool_2025_03_26 = Schema.Struct({
  ...Tool_2024_11_05.fields,
  annotations: Schema.optionalKey(ToolAnnotations_2025_03_26)
})

export const Tool_2025_06_18 = Schema.Struct({
  ...Tool_2025_03_26.fields,
  title: text,
  outputSchema: Schema.optionalKey(ObjectSchema),
  _meta: meta
})

export const Tool_2025_11_25 = Schema.Struct({
  ...Tool_2025_06_18.fields,
  execution: Schema.optionalKey(ToolExecution_2025_11_25),
  icons
})

export const Tool_2026_07_28 = Schema.Struct({
  ...Tool_2025_06_18.fields,
  outputSchema: Schema.optionalKey(anyObject.annotate({ description: "A JSON Schema, for a validator to judge." })),
  icons
})

export const ToolsPage = withMeta({ tools: unwalked, nextCursor })
export const ToolsPage_2026_07_28 = cacheable({ tools: unwalked, nextCursor })
export const ListToolsResult_2024_11_05 = list({ tools: Schema.Array(Tool_2024_11_05) })
export const ListToolsResult_2025_03_26 = list({ tools: Schema.Array(Tool_2025_03_26) })
export const ListToolsResult_2025_06_18 = list({ tools: Schema.Array(Tool_2025_06_18) })
export const ListToolsResult_2025_11_25 = list({ tools: Schema.Array(Tool_2025_11_25) })
export const ListToolsResult_2026_07_28 = cacheable({ tools: Schema.Array(Tool_2026_07_28), nextCursor: text })

const called = { name: Schema.String, arguments: Schema.optionalKey(anyObject) }

export const CallToolParams_2024_11_05 = params(called)
export const CallToolParams_2025_11_25 = params({ ...called, task })
export const CallToolParams_2026_07_28 = retriable(called)

const plain = <Content extends Schema.Top>(block: Content) => withMeta({ content: Schema.Array(block), isError: hint })

const structured = <Content extends Schema.Top>(block: Content) =>
  withMeta({ content: Schema.Array(block), structuredContent: Schema.optionalKey(anyObject), isError: hint })

export const CallToolResult_2024_11_05 = plain(ContentBlock_2024_11_05)
export const CallToolResult_2025_03_26 = plain(ContentBlock_2025_03_26)
export const CallToolResult_2025_06_18 = structured(ContentBlock_2025_06_18)
export const CallToolResult_2025_11_25 = structured(ContentBlock_2025_11_25)
export const CallToolResult_2026_07_28 = complete({
  content: Schema.Array(ContentBlock_2025_11_25),
  structuredContent: Schema.optionalKey(Schema.Unknown),
  isError: hint
})
