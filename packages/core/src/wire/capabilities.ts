/** Capabilities as each revision spells them, strictly; what the handshake accepts is wider. */
import * as Schema from "effect/Schema"

export const Flag = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description: "A presence flag of a capability: an object, usually empty."
})

const flag = Schema.optionalKey(Flag)
const switchable = Schema.optionalKey(Schema.Boolean)
const experimental = Schema.optionalKey(Schema.Record(Schema.String, Flag))
const listChanged = Schema.optionalKey(Schema.Struct({ listChanged: switchable }))

export const ClientCapabilities_2024_11_05 = Schema.Struct({
  experimental,
  roots: listChanged,
  sampling: flag
})

export const ClientCapabilities_2025_06_18 = Schema.Struct({
  ...ClientCapabilities_2024_11_05.fields,
  elicitation: flag
})

export const ClientCapabilities_2025_11_25 = Schema.Struct({
  experimental,
  roots: listChanged,
  sampling: Schema.optionalKey(Schema.Struct({ context: flag, tools: flag })),
  elicitation: Schema.optionalKey(
    Schema.Struct({ form: flag, url: flag }).annotate({ description: "Empty means `form` only." })
  ),
  tasks: Schema.optionalKey(
    Schema.Struct({
      list: flag,
      cancel: flag,
      requests: Schema.optionalKey(
        Schema.Struct({
          sampling: Schema.optionalKey(Schema.Struct({ createMessage: flag })),
          elicitation: Schema.optionalKey(Schema.Struct({ create: flag }))
        })
      )
    })
  )
})

export const ServerCapabilities_2024_11_05 = Schema.Struct({
  experimental,
  logging: flag,
  prompts: listChanged,
  resources: Schema.optionalKey(Schema.Struct({ subscribe: switchable, listChanged: switchable })),
  tools: listChanged
})

export const ServerCapabilities_2025_03_26 = Schema.Struct({
  ...ServerCapabilities_2024_11_05.fields,
  completions: flag
})

export const ServerCapabilities_2025_11_25 = Schema.Struct({
  ...ServerCapabilities_2025_03_26.fields,
  tasks: Schema.optionalKey(
    Schema.Struct({
      list: flag,
      cancel: flag,
      requests: Schema.optionalKey(Schema.Struct({ tools: Schema.optionalKey(Schema.Struct({ call: flag })) }))
    })
  )
})
