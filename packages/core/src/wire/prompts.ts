/** Prompts: what is listed, and the messages they give. */
import * as Schema from "effect/Schema"
import { Role, icons } from "./annotations.js"
import {
  ContentBlock_2024_11_05,
  ContentBlock_2025_03_26,
  ContentBlock_2025_06_18,
  ContentBlock_2025_11_25
} from "./content.js"
import {
  cacheable,
  complete,
  list,
  meta,
  nextCursor,
  params,
  retriable,
  text,
  texts,
  unwalked,
  withMeta
} from "./meta.js"

export const PromptArgument_2024_11_05 = Schema.Struct({
  name: Schema.String,
  description: text,
  required: Schema.optionalKey(Schema.Boolean)
})

export const PromptArgument_2025_06_18 = Schema.Struct({ ...PromptArgument_2024_11_05.fields, title: text })

export const Prompt_2024_11_05 = Schema.Struct({
  name: Schema.String,
  description: text,
  arguments: Schema.optionalKey(Schema.Array(PromptArgument_2024_11_05))
})

export const Prompt_2025_06_18 = Schema.Struct({
  name: Schema.String,
  title: text,
  description: text,
  arguments: Schema.optionalKey(Schema.Array(PromptArgument_2025_06_18)),
  _meta: meta
})

export const Prompt_2025_11_25 = Schema.Struct({ ...Prompt_2025_06_18.fields, icons })

export const GetPromptParams = params({ name: Schema.String, arguments: texts })
export const GetPromptParams_2026_07_28 = retriable({ name: Schema.String, arguments: texts })

const message = <Content extends Schema.Top>(content: Content) => Schema.Struct({ role: Role, content })

export const PromptMessage_2024_11_05 = message(ContentBlock_2024_11_05)
export const PromptMessage_2025_03_26 = message(ContentBlock_2025_03_26)
export const PromptMessage_2025_06_18 = message(ContentBlock_2025_06_18)
export const PromptMessage_2025_11_25 = message(ContentBlock_2025_11_25)

const result = <Message extends Schema.Top>(item: Message) =>
  withMeta({ messages: Schema.Array(item), description: text })

export const GetPromptResult_2024_11_05 = result(PromptMessage_2024_11_05)
export const GetPromptResult_2025_03_26 = result(PromptMessage_2025_03_26)
export const GetPromptResult_2025_06_18 = result(PromptMessage_2025_06_18)
export const GetPromptResult_2025_11_25 = result(PromptMessage_2025_11_25)
export const GetPromptResult_2026_07_28 = complete({
  messages: Schema.Array(PromptMessage_2025_11_25),
  description: text
})

export const PromptsPage = withMeta({ prompts: unwalked, nextCursor })
export const PromptsPage_2026_07_28 = cacheable({ prompts: unwalked, nextCursor })
export const ListPromptsResult_2024_11_05 = list({ prompts: Schema.Array(Prompt_2024_11_05) })
export const ListPromptsResult_2025_06_18 = list({ prompts: Schema.Array(Prompt_2025_06_18) })
export const ListPromptsResult_2025_11_25 = list({ prompts: Schema.Array(Prompt_2025_11_25) })
export const ListPromptsResult_2026_07_28 = cacheable({ prompts: Schema.Array(Prompt_2025_11_25), nextCursor: text })
