/** Resources: what is listed, what is read, and what is told when it changes. */
import * as Schema from "effect/Schema"
import { Annotations_2024_11_05, Annotations_2025_06_18, icons } from "./annotations.js"
import { cacheable, list, meta, nextCursor, params, retriable, text, unwalked, withMeta } from "./meta.js"

export const Resource_2024_11_05 = Schema.Struct({
  uri: Schema.String,
  name: Schema.String,
  description: text,
  mimeType: text,
  size: Schema.optionalKey(Schema.Int.annotate({ description: "Bytes before any encoding." })),
  annotations: Schema.optionalKey(Annotations_2024_11_05)
})

const since_2025_06_18 = { annotations: Schema.optionalKey(Annotations_2025_06_18), title: text, _meta: meta }

export const Resource_2025_06_18 = Schema.Struct({ ...Resource_2024_11_05.fields, ...since_2025_06_18 })
export const Resource_2025_11_25 = Schema.Struct({ ...Resource_2025_06_18.fields, icons })

export const ResourceTemplate_2024_11_05 = Schema.Struct({
  uriTemplate: Schema.String,
  name: Schema.String,
  description: text,
  mimeType: text,
  annotations: Schema.optionalKey(Annotations_2024_11_05)
})

export const ResourceTemplate_2025_06_18 = Schema.Struct({ ...ResourceTemplate_2024_11_05.fields, ...since_2025_06_18 })
export const ResourceTemplate_2025_11_25 = Schema.Struct({ ...ResourceTemplate_2025_06_18.fields, icons })

const uri = Schema.String
const blob = Schema.String.annotate({ description: "Base64." })

export const TextResourceContents_2024_11_05 = Schema.Struct({ uri, text: Schema.String, mimeType: text })
export const BlobResourceContents_2024_11_05 = Schema.Struct({ uri, blob, mimeType: text })
export const TextResourceContents_2025_06_18 = Schema.Struct({ uri, text: Schema.String, mimeType: text, _meta: meta })
export const BlobResourceContents_2025_06_18 = Schema.Struct({ uri, blob, mimeType: text, _meta: meta })

export const ResourceContents_2024_11_05 = Schema.Union([
  BlobResourceContents_2024_11_05,
  TextResourceContents_2024_11_05
])

export const ResourceContents_2025_06_18 = Schema.Union([
  BlobResourceContents_2025_06_18,
  TextResourceContents_2025_06_18
])

export const ResourceParams = params({ uri: Schema.String }).annotate({
  description: "Params of `resources/read`, `resources/subscribe` and `resources/unsubscribe`."
})

export const ReadResourceParams_2026_07_28 = retriable({ uri: Schema.String })

export const ResourceUpdatedParams = withMeta({ uri: Schema.String })

export const ReadResourceResult_2024_11_05 = withMeta({ contents: Schema.Array(ResourceContents_2024_11_05) })
export const ReadResourceResult_2025_06_18 = withMeta({ contents: Schema.Array(ResourceContents_2025_06_18) })
export const ReadResourceResult_2026_07_28 = cacheable({ contents: Schema.Array(ResourceContents_2025_06_18) })

export const ResourcesPage = withMeta({ resources: unwalked, nextCursor })
export const ResourcesPage_2026_07_28 = cacheable({ resources: unwalked, nextCursor })
export const ListResourcesResult_2024_11_05 = list({ resources: Schema.Array(Resource_2024_11_05) })
export const ListResourcesResult_2025_06_18 = list({ resources: Schema.Array(Resource_2025_06_18) })
export const ListResourcesResult_2025_11_25 = list({ resources: Schema.Array(Resource_2025_11_25) })
export const ListResourcesResult_2026_07_28 = cacheable({
  resources: Schema.Array(Resource_2025_11_25),
  nextCursor: text
})

const templates = <Template extends Schema.Top>(template: Template) =>
  list({ resourceTemplates: Schema.Array(template) })

export const ResourceTemplatesPage = withMeta({ resourceTemplates: unwalked, nextCursor })
export const ResourceTemplatesPage_2026_07_28 = cacheable({ resourceTemplates: unwalked, nextCursor })
export const ListResourceTemplatesResult_2024_11_05 = templates(ResourceTemplate_2024_11_05)
export const ListResourceTemplatesResult_2025_06_18 = templates(ResourceTemplate_2025_06_18)
export const ListResourceTemplatesResult_2025_11_25 = templates(ResourceTemplate_2025_11_25)
export const ListResourceTemplatesResult_2026_07_28 = cacheable({
  resourceTemplates: Schema.Array(ResourceTemplate_2025_11_25),
  nextCursor: text
})
