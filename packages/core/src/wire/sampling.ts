/** Sampling: the server asks the client's model. */
import * as Schema from "effect/Schema"
import { Role, share as fromZeroToOne } from "./annotations.js"
import { ContentBlock_2025_11_25, plain_2024_11_05, plain_2025_03_26, plain_2025_06_18 } from "./content.js"
import { anyObject, meta, params, strings, text, withMeta } from "./meta.js"
import { task } from "./tasks.js"
import { Tool_2025_11_25, Tool_2026_07_28 } from "./tools.js"

const share = Schema.optionalKey(fromZeroToOne)

export const ModelHint = Schema.Struct({ name: text })

export const ModelPreferences = Schema.Struct({
  hints: Schema.optionalKey(Schema.Array(ModelHint)),
  costPriority: share,
  speedPriority: share,
  intelligencePriority: share
}).annotate({ description: "Priorities run from 0 to 1; `hints` are tried in order." })

export const ToolUseContent_2025_11_25 = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.String,
  name: Schema.String,
  input: anyObject,
  _meta: meta
})

export const ToolResultContent_2025_11_25 = Schema.Struct({
  type: Schema.Literal("tool_result"),
  toolUseId: Schema.String,
  content: Schema.Array(ContentBlock_2025_11_25),
  structuredContent: Schema.optionalKey(anyObject),
  isError: Schema.optionalKey(Schema.Boolean),
  _meta: meta
})

export const ToolResultContent_2026_07_28 = Schema.Struct({
  ...ToolResultContent_2025_11_25.fields,
  structuredContent: Schema.optionalKey(Schema.Unknown)
})

export const SamplingContent_2024_11_05 = Schema.Union(plain_2024_11_05)
export const SamplingContent_2025_03_26 = Schema.Union(plain_2025_03_26)
export const SamplingContent_2025_06_18 = Schema.Union(plain_2025_06_18)
export const SamplingContent_2025_11_25 = Schema.Union([
  ...plain_2025_06_18,
  ToolUseContent_2025_11_25,
  ToolResultContent_2025_11_25
])

export const SamplingContent_2026_07_28 = Schema.Union([
  ...plain_2025_06_18,
  ToolUseContent_2025_11_25,
  ToolResultContent_2026_07_28
])

const message = <Content extends Schema.Top>(content: Content) => Schema.Struct({ role: Role, content })

export const SamplingMessage_2024_11_05 = message(SamplingContent_2024_11_05)
export const SamplingMessage_2025_03_26 = message(SamplingContent_2025_03_26)
export const SamplingMessage_2025_06_18 = message(SamplingContent_2025_06_18)
export const SamplingMessage_2025_11_25 = Schema.Struct({
  role: Role,
  content: Schema.Union([Schema.Array(SamplingContent_2025_11_25), SamplingContent_2025_11_25]),
  _meta: meta
})

export const SamplingMessage_2026_07_28 = Schema.Struct({
  role: Role,
  content: Schema.Union([Schema.Array(SamplingContent_2026_07_28), SamplingContent_2026_07_28]),
  _meta: meta
})

const asked = <Message extends Schema.Top>(item: Message) => ({
  messages: Schema.Array(item),
  maxTokens: Schema.Int,
  modelPreferences: Schema.optionalKey(ModelPreferences),
  systemPrompt: text,
  includeContext: Schema.optionalKey(Schema.Literals(["none", "thisServer", "allServers"])),
  temperature: Schema.optionalKey(Schema.Finite),
  stopSequences: Schema.optionalKey(strings),
  metadata: Schema.optionalKey(anyObject)
})

export const CreateMessageParams_2024_11_05 = params(asked(SamplingMessage_2024_11_05))
export const CreateMessageParams_2025_03_26 = params(asked(SamplingMessage_2025_03_26))
export const CreateMessageParams_2025_06_18 = params(asked(SamplingMessage_2025_06_18))

const toolChoice = Schema.optionalKey(
  Schema.Struct({ mode: Schema.optionalKey(Schema.Literals(["auto", "required", "none"])) })
)

export const CreateMessageParams_2025_11_25 = params({
  ...asked(SamplingMessage_2025_11_25),
  tools: Schema.optionalKey(Schema.Array(Tool_2025_11_25)),
  toolChoice,
  task
})

/** Inside a result this is no message of its own. */
export const CreateMessageParams_2026_07_28 = Schema.Struct({
  ...asked(SamplingMessage_2026_07_28),
  tools: Schema.optionalKey(Schema.Array(Tool_2026_07_28)),
  toolChoice
})

const answered = {
  model: Schema.String,
  stopReason: Schema.optionalKey(
    Schema.String.annotate({ description: "`endTurn`, `stopSequence`, `maxTokens`, `toolUse` or a provider's own." })
  )
}

export const CreateMessageResult_2024_11_05 = withMeta({ ...SamplingMessage_2024_11_05.fields, ...answered })
export const CreateMessageResult_2025_03_26 = withMeta({ ...SamplingMessage_2025_03_26.fields, ...answered })
export const CreateMessageResult_2025_06_18 = withMeta({ ...SamplingMessage_2025_06_18.fields, ...answered })
export const CreateMessageResult_2025_11_25 = withMeta({ ...SamplingMessage_2025_11_25.fields, ...answered })
export const CreateMessageResult_2026_07_28 = withMeta({ ...SamplingMessage_2026_07_28.fields, ...answered })
