/** Content blocks: what tools, prompts and models say, and the kinds each revision knows. */
import * as Schema from "effect/Schema"
import { Annotations_2024_11_05, Annotations_2025_06_18 } from "./annotations.js"
import { meta } from "./meta.js"
import {
  ResourceContents_2024_11_05,
  ResourceContents_2025_06_18,
  Resource_2025_06_18,
  Resource_2025_11_25
} from "./resources.js"

const annotated_2024_11_05 = { annotations: Schema.optionalKey(Annotations_2024_11_05) }
const annotated_2025_06_18 = { annotations: Schema.optionalKey(Annotations_2025_06_18), _meta: meta }

const text = { type: Schema.Literal("text"), text: Schema.String }
const media = { data: Schema.String.annotate({ description: "Base64." }), mimeType: Schema.String }
const image = { type: Schema.Literal("image"), ...media }
const audio = { type: Schema.Literal("audio"), ...media }

export const TextContent_2024_11_05 = Schema.Struct({ ...text, ...annotated_2024_11_05 })
export const TextContent_2025_06_18 = Schema.Struct({ ...text, ...annotated_2025_06_18 })
export const ImageContent_2024_11_05 = Schema.Struct({ ...image, ...annotated_2024_11_05 })
export const ImageContent_2025_06_18 = Schema.Struct({ ...image, ...annotated_2025_06_18 })
export const AudioContent_2025_03_26 = Schema.Struct({ ...audio, ...annotated_2024_11_05 })
export const AudioContent_2025_06_18 = Schema.Struct({ ...audio, ...annotated_2025_06_18 })

const embedded = Schema.Literal("resource")

export const EmbeddedResource_2024_11_05 = Schema.Struct({
  type: embedded,
  resource: ResourceContents_2024_11_05,
  ...annotated_2024_11_05
})
export const EmbeddedResource_2025_06_18 = Schema.Struct({
  type: embedded,
  resource: ResourceContents_2025_06_18,
  ...annotated_2025_06_18
})

const link = Schema.Literal("resource_link")

export const ResourceLink_2025_06_18 = Schema.Struct({ type: link, ...Resource_2025_06_18.fields })
export const ResourceLink_2025_11_25 = Schema.Struct({ type: link, ...Resource_2025_11_25.fields })

/** What tools, prompts and models all can say. */
export const plain_2024_11_05 = [TextContent_2024_11_05, ImageContent_2024_11_05] as const
export const plain_2025_03_26 = [...plain_2024_11_05, AudioContent_2025_03_26] as const
export const plain_2025_06_18 = [TextContent_2025_06_18, ImageContent_2025_06_18, AudioContent_2025_06_18] as const

export const ContentBlock_2024_11_05 = Schema.Union([...plain_2024_11_05, EmbeddedResource_2024_11_05])
export const ContentBlock_2025_03_26 = Schema.Union([...plain_2025_03_26, EmbeddedResource_2024_11_05])
export const ContentBlock_2025_06_18 = Schema.Union([
  ...plain_2025_06_18,
  ResourceLink_2025_06_18,
  EmbeddedResource_2025_06_18
])
export const ContentBlock_2025_11_25 = Schema.Union([
  ...plain_2025_06_18,
  ResourceLink_2025_11_25,
  EmbeddedResource_2025_06_18
])
