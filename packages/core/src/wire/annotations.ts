/** Who content is for and how it looks: roles, annotations and icons. */
import * as Schema from "effect/Schema"
import { strings, text } from "./meta.js"

export const Role = Schema.Literals(["user", "assistant"])

/** From 0 to 1. */
export const share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

export const Annotations_2024_11_05 = Schema.Struct({
  audience: Schema.optionalKey(Schema.Array(Role)),
  priority: Schema.optionalKey(share.annotate({ description: "From 0, optional, to 1, required." }))
})

export const Annotations_2025_06_18 = Schema.Struct({
  ...Annotations_2024_11_05.fields,
  lastModified: Schema.optionalKey(Schema.String.annotate({ description: "An ISO 8601 date and time." }))
})

export const Icon_2025_11_25 = Schema.Struct({
  src: Schema.String,
  mimeType: text,
  sizes: Schema.optionalKey(strings.annotate({ description: "Such as `48x48`, or `any` for what scales." })),
  theme: Schema.optionalKey(Schema.Literals(["light", "dark"]))
})

export const icons = Schema.optionalKey(Schema.Array(Icon_2025_11_25))
