/** Elicitation: the server asks the user, by a form or, from 2025-11-25, by a page to visit. */
import * as Schema from "effect/Schema"
import { params, strings, text, withMeta } from "./meta.js"
import { task } from "./tasks.js"

const some = Schema.optionalKey(strings)
const finite = Schema.optionalKey(Schema.Finite)
const count = Schema.optionalKey(Schema.Int)
const labels = { title: text, description: text }

const field = <Type extends string, Rest extends Schema.Struct.Fields>(type: Type, rest: Rest) =>
  Schema.Struct({ type: Schema.Literal(type), ...labels, ...rest })

export const BooleanField_2025_06_18 = field("boolean", { default: Schema.optionalKey(Schema.Boolean) })

export const StringField_2025_06_18 = field("string", {
  minLength: count,
  maxLength: count,
  format: Schema.optionalKey(Schema.Literals(["email", "uri", "date", "date-time"]))
})

export const NumberField_2025_06_18 = Schema.Struct({
  type: Schema.Literals(["number", "integer"]),
  ...labels,
  minimum: finite,
  maximum: finite
})

export const EnumField_2025_06_18 = Schema.Struct({
  type: Schema.Literal("string"),
  enum: strings,
  ...labels,
  enumNames: Schema.optionalKey(
    strings.annotate({ description: "Display names; from 2025-11-25 the older way to title the options." })
  )
})

export const FormField_2025_06_18 = Schema.Union([
  BooleanField_2025_06_18,
  NumberField_2025_06_18,
  EnumField_2025_06_18,
  StringField_2025_06_18
])

export const StringField_2025_11_25 = Schema.Struct({ ...StringField_2025_06_18.fields, default: text })
export const NumberField_2025_11_25 = Schema.Struct({ ...NumberField_2025_06_18.fields, default: finite })
export const EnumField_2025_11_25 = Schema.Struct({ ...EnumField_2025_06_18.fields, default: text })

export const TitledOption_2025_11_25 = Schema.Struct({ const: Schema.String, title: Schema.String })

export const TitledEnumField_2025_11_25 = Schema.Struct({
  type: Schema.Literal("string"),
  oneOf: Schema.Array(TitledOption_2025_11_25),
  ...labels,
  default: text
})

const several = { ...labels, minItems: count, maxItems: count, default: some }

export const MultiEnumField_2025_11_25 = Schema.Struct({
  type: Schema.Literal("array"),
  items: Schema.Struct({ type: Schema.Literal("string"), enum: strings }),
  ...several
})

export const TitledMultiEnumField_2025_11_25 = Schema.Struct({
  type: Schema.Literal("array"),
  items: Schema.Struct({ anyOf: Schema.Array(TitledOption_2025_11_25) }),
  ...several
})

export const FormField_2025_11_25 = Schema.Union([
  BooleanField_2025_06_18,
  NumberField_2025_11_25,
  EnumField_2025_11_25,
  TitledEnumField_2025_11_25,
  StringField_2025_11_25,
  MultiEnumField_2025_11_25,
  TitledMultiEnumField_2025_11_25
]).annotate({ description: "One field of a form: what the specification calls a primitive schema definition." })

const form = <Field extends Schema.Top, Rest extends Schema.Struct.Fields>(field: Field, rest: Rest) =>
  Schema.Struct({
    type: Schema.Literal("object"),
    properties: Schema.Record(Schema.String, field),
    required: some,
    ...rest
  })

export const ElicitParams_2025_06_18 = params({
  message: Schema.String,
  requestedSchema: form(FormField_2025_06_18, {})
})

export const ElicitFormParams_2025_11_25 = params({
  message: Schema.String,
  requestedSchema: form(FormField_2025_11_25, { $schema: text }),
  mode: Schema.optionalKey(Schema.Literal("form")),
  task
})

export const ElicitUrlParams_2025_11_25 = params({
  mode: Schema.Literal("url"),
  message: Schema.String,
  elicitationId: Schema.String,
  url: Schema.String,
  task
})

/** Inside a result these are no messages of their own: they have no `_meta`, and nothing tells when a page is done. */
export const ElicitFormParams_2026_07_28 = Schema.Struct({
  message: Schema.String,
  requestedSchema: ElicitFormParams_2025_11_25.fields.requestedSchema,
  mode: ElicitFormParams_2025_11_25.fields.mode
})

export const ElicitUrlParams_2026_07_28 = Schema.Struct({
  mode: Schema.Literal("url"),
  message: Schema.String,
  url: Schema.String
})

export const ElicitParams_2025_11_25 = Schema.Union([ElicitUrlParams_2025_11_25, ElicitFormParams_2025_11_25])
export const ElicitParams_2026_07_28 = Schema.Union([ElicitUrlParams_2026_07_28, ElicitFormParams_2026_07_28])

const result = <Value extends Schema.Top>(value: Value) =>
  withMeta({
    action: Schema.Literals(["accept", "decline", "cancel"]),
    content: Schema.optionalKey(
      Schema.Record(Schema.String, value).annotate({ description: "Only when accepted, and only for a form." })
    )
  })

const plain = [Schema.String, Schema.Finite, Schema.Boolean] as const

export const ElicitResult_2025_06_18 = result(Schema.Union(plain))
export const ElicitResult_2025_11_25 = result(Schema.Union([...plain, strings]))
export const ElicitResult_2026_07_28 = Schema.Struct({
  action: ElicitResult_2025_11_25.fields.action,
  content: ElicitResult_2025_11_25.fields.content
})

export const ElicitationCompleteParams_2025_11_25 = withMeta({ elicitationId: Schema.String })
