/** Completion of prompt arguments and of the variables in resource templates. */
import * as Schema from "effect/Schema"
import { complete, params, strings, text, texts, withMeta } from "./meta.js"

export const PromptReference_2024_11_05 = Schema.Struct({ type: Schema.Literal("ref/prompt"), name: Schema.String })
export const PromptReference_2025_06_18 = Schema.Struct({ ...PromptReference_2024_11_05.fields, title: text })
export const ResourceReference = Schema.Struct({ type: Schema.Literal("ref/resource"), uri: Schema.String })

const argument = Schema.Struct({ name: Schema.String, value: Schema.String })

export const CompleteParams_2024_11_05 = params({
  ref: Schema.Union([PromptReference_2024_11_05, ResourceReference]),
  argument
})

export const CompleteParams_2025_06_18 = params({
  ref: Schema.Union([PromptReference_2025_06_18, ResourceReference]),
  argument,
  context: Schema.optionalKey(Schema.Struct({ arguments: texts }))
})

export const CompleteParams_2026_07_28 = withMeta({
  ref: CompleteParams_2025_06_18.fields.ref,
  argument,
  context: CompleteParams_2025_06_18.fields.context
})

const completion = Schema.Struct({
  values: strings.annotate({ description: "At most 100." }),
  total: Schema.optionalKey(Schema.Int),
  hasMore: Schema.optionalKey(Schema.Boolean)
})

export const CompleteResult = withMeta({ completion })
export const CompleteResult_2026_07_28 = complete({ completion })
