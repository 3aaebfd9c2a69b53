/** Capabilities as each revision spells them, strictly; what the handshake accepts is wider. */
import * as Schema from "effect/Schema"

export const Flag = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description: "A presence flag of a capability: an object, usually empty."
})

const flag = Schema.optionalKey(Flag)
const switchable = Schema.optionalKey(Schema.Boolean)
const experimental = Schema.optionalKey(Schema.Record(Schema.String, Flag))

/** A capability with these parts. */
const having = <Parts extends Schema.Struct.Fields>(parts: Parts) => Schema.optionalKey(Schema.Struct(parts))

const listChanged = having({ listChanged: switchable })

export const ClientCapabilities_2024_11_05 = Schema.Struct({ experimental, roots: listChanged, sampling: flag })

export const ClientCapabilities_2025_06_18 = Schema.Struct({
  ...ClientCapabilities_2024_11_05.fields,
  elicitation: flag
})

export const ClientCapabilities_2025_11_25 = Schema.Struct({
  experimental,
  roots: listChanged,
  sampling: having({ context: flag, tools: flag }),
  elicitation: Schema.optionalKey(
    Schema.Struct({ form: flag, url: flag }).annotate({ description: "Empty means `form` only." })
  ),
  tasks: having({
    list: flag,
    cancel: flag,
    requests: having({ sampling: having({ createMessage: flag }), elicitation: having({ create: flag }) })
  })
})

const extensions = Schema.optionalKey(
  Schema.Record(Schema.String, Flag).annotate({ description: "Settings by the identifier of the extension." })
)

export const ClientCapabilities_2026_07_28 = Schema.Struct({
  experimental,
  roots: flag,
  sampling: ClientCapabilities_2025_11_25.fields.sampling,
  elicitation: ClientCapabilities_2025_11_25.fields.elicitation,
  extensions
})

export const ServerCapabilities_2024_11_05 = Schema.Struct({
  experimental,
  logging: flag,
  prompts: listChanged,
  resources: having({ subscribe: switchable, listChanged: switchable }),
  tools: listChanged
})

export const ServerCapabilities_2025_03_26 = Schema.Struct({
  ...ServerCapabilities_2024_11_05.fields,
  completions: flag
})

export const ServerCapabilities_2025_11_25 = Schema.Struct({
  ...ServerCapabilities_2025_03_26.fields,
  tasks: having({ list: flag, cancel: flag, requests: having({ tools: having({ call: flag }) }) })
})

export const ServerCapabilities_2026_07_28 = Schema.Struct({ ...ServerCapabilities_2025_03_26.fields, extensions })
