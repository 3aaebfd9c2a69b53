/** Plain checks generated from the schemas in `src/wire` by `pnpm generate`: change those instead. */
import type { Check } from "../check.js"
import {
  anything,
  array,
  boolean,
  each,
  everyMember,
  integer,
  isObject,
  notObject,
  nothing,
  number,
  object,
  optional,
  problem,
  required,
  share,
  string
} from "./pieces.js"

export const Role: Check = (value) =>
  value === "user" || value === "assistant" ? undefined : problem("", '"user" or "assistant"')

export const list_of_Role: Check = (value) => each(value, Role)

export const Annotations_2024_11_05: Check = (value) =>
  isObject(value)
    ? (optional("audience", value.audience, list_of_Role) ?? optional("priority", value.priority, share))
    : notObject

export const map_of_object: Check = (value) => everyMember(value, object)

export const ClientCapabilities_2024_11_05_roots: Check = (value) =>
  isObject(value) ? optional("listChanged", value.listChanged, boolean) : notObject

export const ClientCapabilities_2024_11_05: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("roots", value.roots, ClientCapabilities_2024_11_05_roots) ??
      optional("sampling", value.sampling, object))
    : notObject

export const ServerCapabilities_2024_11_05_resources: Check = (value) =>
  isObject(value)
    ? (optional("subscribe", value.subscribe, boolean) ?? optional("listChanged", value.listChanged, boolean))
    : notObject

export const ServerCapabilities_2024_11_05: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("logging", value.logging, object) ??
      optional("prompts", value.prompts, ClientCapabilities_2024_11_05_roots) ??
      optional("resources", value.resources, ServerCapabilities_2024_11_05_resources) ??
      optional("tools", value.tools, ClientCapabilities_2024_11_05_roots))
    : notObject

export const is_ref_prompt: Check = (value) => (value === "ref/prompt" ? undefined : problem("", '"ref/prompt"'))

export const PromptReference_2024_11_05: Check = (value) =>
  isObject(value) ? (required("type", value.type, is_ref_prompt) ?? required("name", value.name, string)) : notObject

export const is_ref_resource: Check = (value) => (value === "ref/resource" ? undefined : problem("", '"ref/resource"'))

export const ResourceReference: Check = (value) =>
  isObject(value) ? (required("type", value.type, is_ref_resource) ?? required("uri", value.uri, string)) : notObject

export const CompleteParams_2024_11_05_ref: Check = (value) =>
  isObject(value)
    ? value.type === "ref/prompt"
      ? PromptReference_2024_11_05(value)
      : value.type === "ref/resource"
        ? ResourceReference(value)
        : problem("type", '"ref/prompt" or "ref/resource"')
    : notObject

export const CompleteParams_2024_11_05_argument: Check = (value) =>
  isObject(value) ? (required("name", value.name, string) ?? required("value", value.value, string)) : notObject

export const ProgressToken: Check = (value) => string(value) && integer(value) && problem("", "a string or an integer")

export const RequestMeta: Check = (value) =>
  isObject(value) ? optional("progressToken", value.progressToken, ProgressToken) : notObject

export const CompleteParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("ref", value.ref, CompleteParams_2024_11_05_ref) ??
      required("argument", value.argument, CompleteParams_2024_11_05_argument) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const list_of_string: Check = (value) => each(value, string)

export const CompleteResult_completion: Check = (value) =>
  isObject(value)
    ? (required("values", value.values, list_of_string) ??
      optional("total", value.total, integer) ??
      optional("hasMore", value.hasMore, boolean))
    : notObject

export const CompleteResult: Check = (value) =>
  isObject(value)
    ? (required("completion", value.completion, CompleteResult_completion) ?? optional("_meta", value._meta, object))
    : notObject

export const is_text: Check = (value) => (value === "text" ? undefined : problem("", '"text"'))

export const TextContent_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_text) ??
      required("text", value.text, string) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const is_image: Check = (value) => (value === "image" ? undefined : problem("", '"image"'))

export const ImageContent_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_image) ??
      required("data", value.data, string) ??
      required("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const is_resource: Check = (value) => (value === "resource" ? undefined : problem("", '"resource"'))

export const BlobResourceContents_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("blob", value.blob, string) ??
      optional("mimeType", value.mimeType, string))
    : notObject

export const TextResourceContents_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("text", value.text, string) ??
      optional("mimeType", value.mimeType, string))
    : notObject

export const ResourceContents_2024_11_05: Check = (value) =>
  BlobResourceContents_2024_11_05(value) && TextResourceContents_2024_11_05(value)

export const EmbeddedResource_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_resource) ??
      required("resource", value.resource, ResourceContents_2024_11_05) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const ContentBlock_2024_11_05: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2024_11_05(value)
      : value.type === "image"
        ? ImageContent_2024_11_05(value)
        : value.type === "resource"
          ? EmbeddedResource_2024_11_05(value)
          : problem("type", '"text" or "image" or "resource"')
    : notObject

export const Implementation_2024_11_05: Check = (value) =>
  isObject(value) ? (required("name", value.name, string) ?? required("version", value.version, string)) : notObject

export const InitializeParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("clientInfo", value.clientInfo, Implementation_2024_11_05) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const InitializeResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("serverInfo", value.serverInfo, Implementation_2024_11_05) ??
      optional("instructions", value.instructions, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const EmptyParams: Check = (value) => (isObject(value) ? optional("_meta", value._meta, RequestMeta) : notObject)

export const EmptyResult: Check = (value) => (isObject(value) ? optional("_meta", value._meta, object) : notObject)

export const PaginatedParams: Check = (value) =>
  isObject(value)
    ? (optional("cursor", value.cursor, string) ?? optional("_meta", value._meta, RequestMeta))
    : notObject

export const CancelledParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("requestId", value.requestId, ProgressToken) ??
      optional("reason", value.reason, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const LoggingLevel: Check = (value) =>
  value === "debug" ||
  value === "info" ||
  value === "notice" ||
  value === "warning" ||
  value === "error" ||
  value === "critical" ||
  value === "alert" ||
  value === "emergency"
    ? undefined
    : problem("", '"debug" or "info" or "notice" or "warning" or "error" or "critical" or "alert" or "emergency"')

export const LoggingMessageParams: Check = (value) =>
  isObject(value)
    ? (required("level", value.level, LoggingLevel) ??
      required("data", value.data, anything) ??
      optional("logger", value.logger, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const ProgressParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("progressToken", value.progressToken, ProgressToken) ??
      required("progress", value.progress, number) ??
      optional("total", value.total, number) ??
      optional("_meta", value._meta, object))
    : notObject

export const SetLevelParams: Check = (value) =>
  isObject(value)
    ? (required("level", value.level, LoggingLevel) ?? optional("_meta", value._meta, RequestMeta))
    : notObject

export const map_of_string: Check = (value) => everyMember(value, string)

export const GetPromptParams: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("arguments", value.arguments, map_of_string) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const PromptMessage_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, ContentBlock_2024_11_05))
    : notObject

export const list_of_PromptMessage_2024_11_05: Check = (value) => each(value, PromptMessage_2024_11_05)

export const GetPromptResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_PromptMessage_2024_11_05) ??
      optional("description", value.description, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptArgument_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("required", value.required, boolean))
    : notObject

export const list_of_PromptArgument_2024_11_05: Check = (value) => each(value, PromptArgument_2024_11_05)

export const Prompt_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("arguments", value.arguments, list_of_PromptArgument_2024_11_05))
    : notObject

export const list_of_Prompt_2024_11_05: Check = (value) => each(value, Prompt_2024_11_05)

export const ListPromptsResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("prompts", value.prompts, list_of_Prompt_2024_11_05) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptsPage_nextCursor: Check = (value) =>
  string(value) && nothing(value) && problem("", "a string or null")

export const PromptsPage: Check = (value) =>
  isObject(value)
    ? (required("prompts", value.prompts, array) ??
      optional("nextCursor", value.nextCursor, PromptsPage_nextCursor) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceTemplate_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("uriTemplate", value.uriTemplate, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const list_of_ResourceTemplate_2024_11_05: Check = (value) => each(value, ResourceTemplate_2024_11_05)

export const ListResourceTemplatesResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("resourceTemplates", value.resourceTemplates, list_of_ResourceTemplate_2024_11_05) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const Resource_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("size", value.size, integer) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const list_of_Resource_2024_11_05: Check = (value) => each(value, Resource_2024_11_05)

export const ListResourcesResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("resources", value.resources, list_of_Resource_2024_11_05) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_ResourceContents_2024_11_05: Check = (value) => each(value, ResourceContents_2024_11_05)

export const ReadResourceResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("contents", value.contents, list_of_ResourceContents_2024_11_05) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceParams: Check = (value) =>
  isObject(value) ? (required("uri", value.uri, string) ?? optional("_meta", value._meta, RequestMeta)) : notObject

export const ResourceTemplatesPage: Check = (value) =>
  isObject(value)
    ? (required("resourceTemplates", value.resourceTemplates, array) ??
      optional("nextCursor", value.nextCursor, PromptsPage_nextCursor) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceUpdatedParams: Check = (value) =>
  isObject(value) ? (required("uri", value.uri, string) ?? optional("_meta", value._meta, object)) : notObject

export const ResourcesPage: Check = (value) =>
  isObject(value)
    ? (required("resources", value.resources, array) ??
      optional("nextCursor", value.nextCursor, PromptsPage_nextCursor) ??
      optional("_meta", value._meta, object))
    : notObject

export const Root_2024_11_05: Check = (value) =>
  isObject(value) ? (required("uri", value.uri, string) ?? optional("name", value.name, string)) : notObject

export const list_of_Root_2024_11_05: Check = (value) => each(value, Root_2024_11_05)

export const ListRootsResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("roots", value.roots, list_of_Root_2024_11_05) ?? optional("_meta", value._meta, object))
    : notObject

export const SamplingContent_2024_11_05: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2024_11_05(value)
      : value.type === "image"
        ? ImageContent_2024_11_05(value)
        : problem("type", '"text" or "image"')
    : notObject

export const SamplingMessage_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, SamplingContent_2024_11_05))
    : notObject

export const list_of_SamplingMessage_2024_11_05: Check = (value) => each(value, SamplingMessage_2024_11_05)

export const ModelHint: Check = (value) => (isObject(value) ? optional("name", value.name, string) : notObject)

export const list_of_ModelHint: Check = (value) => each(value, ModelHint)

export const ModelPreferences: Check = (value) =>
  isObject(value)
    ? (optional("hints", value.hints, list_of_ModelHint) ??
      optional("costPriority", value.costPriority, share) ??
      optional("speedPriority", value.speedPriority, share) ??
      optional("intelligencePriority", value.intelligencePriority, share))
    : notObject

export const one_of_none_thisServer_allServers: Check = (value) =>
  value === "none" || value === "thisServer" || value === "allServers"
    ? undefined
    : problem("", '"none" or "thisServer" or "allServers"')

export const CreateMessageParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_SamplingMessage_2024_11_05) ??
      required("maxTokens", value.maxTokens, integer) ??
      optional("modelPreferences", value.modelPreferences, ModelPreferences) ??
      optional("systemPrompt", value.systemPrompt, string) ??
      optional("includeContext", value.includeContext, one_of_none_thisServer_allServers) ??
      optional("temperature", value.temperature, number) ??
      optional("stopSequences", value.stopSequences, list_of_string) ??
      optional("metadata", value.metadata, object) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const CreateMessageResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ??
      required("content", value.content, SamplingContent_2024_11_05) ??
      required("model", value.model, string) ??
      optional("stopReason", value.stopReason, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const CallToolParams_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("arguments", value.arguments, object) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const list_of_ContentBlock_2024_11_05: Check = (value) => each(value, ContentBlock_2024_11_05)

export const CallToolResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("content", value.content, list_of_ContentBlock_2024_11_05) ??
      optional("isError", value.isError, boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const is_object: Check = (value) => (value === "object" ? undefined : problem("", '"object"'))

export const ObjectSchema: Check = (value) => (isObject(value) ? required("type", value.type, is_object) : notObject)

export const Tool_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("inputSchema", value.inputSchema, ObjectSchema) ??
      optional("description", value.description, string))
    : notObject

export const list_of_Tool_2024_11_05: Check = (value) => each(value, Tool_2024_11_05)

export const ListToolsResult_2024_11_05: Check = (value) =>
  isObject(value)
    ? (required("tools", value.tools, list_of_Tool_2024_11_05) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const ToolsPage: Check = (value) =>
  isObject(value)
    ? (required("tools", value.tools, array) ??
      optional("nextCursor", value.nextCursor, PromptsPage_nextCursor) ??
      optional("_meta", value._meta, object))
    : notObject

export const ServerCapabilities_2025_03_26: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("logging", value.logging, object) ??
      optional("prompts", value.prompts, ClientCapabilities_2024_11_05_roots) ??
      optional("resources", value.resources, ServerCapabilities_2024_11_05_resources) ??
      optional("tools", value.tools, ClientCapabilities_2024_11_05_roots) ??
      optional("completions", value.completions, object))
    : notObject

export const is_audio: Check = (value) => (value === "audio" ? undefined : problem("", '"audio"'))

export const AudioContent_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_audio) ??
      required("data", value.data, string) ??
      required("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2024_11_05))
    : notObject

export const ContentBlock_2025_03_26: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2024_11_05(value)
      : value.type === "image"
        ? ImageContent_2024_11_05(value)
        : value.type === "audio"
          ? AudioContent_2025_03_26(value)
          : value.type === "resource"
            ? EmbeddedResource_2024_11_05(value)
            : problem("type", '"text" or "image" or "audio" or "resource"')
    : notObject

export const ProgressParams_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("progressToken", value.progressToken, ProgressToken) ??
      required("progress", value.progress, number) ??
      optional("total", value.total, number) ??
      optional("message", value.message, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptMessage_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, ContentBlock_2025_03_26))
    : notObject

export const list_of_PromptMessage_2025_03_26: Check = (value) => each(value, PromptMessage_2025_03_26)

export const GetPromptResult_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_PromptMessage_2025_03_26) ??
      optional("description", value.description, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const SamplingContent_2025_03_26: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2024_11_05(value)
      : value.type === "image"
        ? ImageContent_2024_11_05(value)
        : value.type === "audio"
          ? AudioContent_2025_03_26(value)
          : problem("type", '"text" or "image" or "audio"')
    : notObject

export const SamplingMessage_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, SamplingContent_2025_03_26))
    : notObject

export const list_of_SamplingMessage_2025_03_26: Check = (value) => each(value, SamplingMessage_2025_03_26)

export const CreateMessageParams_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_SamplingMessage_2025_03_26) ??
      required("maxTokens", value.maxTokens, integer) ??
      optional("modelPreferences", value.modelPreferences, ModelPreferences) ??
      optional("systemPrompt", value.systemPrompt, string) ??
      optional("includeContext", value.includeContext, one_of_none_thisServer_allServers) ??
      optional("temperature", value.temperature, number) ??
      optional("stopSequences", value.stopSequences, list_of_string) ??
      optional("metadata", value.metadata, object) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const CreateMessageResult_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ??
      required("content", value.content, SamplingContent_2025_03_26) ??
      required("model", value.model, string) ??
      optional("stopReason", value.stopReason, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_ContentBlock_2025_03_26: Check = (value) => each(value, ContentBlock_2025_03_26)

export const CallToolResult_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("content", value.content, list_of_ContentBlock_2025_03_26) ??
      optional("isError", value.isError, boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const ToolAnnotations_2025_03_26: Check = (value) =>
  isObject(value)
    ? (optional("title", value.title, string) ??
      optional("readOnlyHint", value.readOnlyHint, boolean) ??
      optional("destructiveHint", value.destructiveHint, boolean) ??
      optional("idempotentHint", value.idempotentHint, boolean) ??
      optional("openWorldHint", value.openWorldHint, boolean))
    : notObject

export const Tool_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("inputSchema", value.inputSchema, ObjectSchema) ??
      optional("description", value.description, string) ??
      optional("annotations", value.annotations, ToolAnnotations_2025_03_26))
    : notObject

export const list_of_Tool_2025_03_26: Check = (value) => each(value, Tool_2025_03_26)

export const ListToolsResult_2025_03_26: Check = (value) =>
  isObject(value)
    ? (required("tools", value.tools, list_of_Tool_2025_03_26) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const Annotations_2025_06_18: Check = (value) =>
  isObject(value)
    ? (optional("audience", value.audience, list_of_Role) ??
      optional("priority", value.priority, share) ??
      optional("lastModified", value.lastModified, string))
    : notObject

export const ClientCapabilities_2025_06_18: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("roots", value.roots, ClientCapabilities_2024_11_05_roots) ??
      optional("sampling", value.sampling, object) ??
      optional("elicitation", value.elicitation, object))
    : notObject

export const PromptReference_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_ref_prompt) ??
      required("name", value.name, string) ??
      optional("title", value.title, string))
    : notObject

export const CompleteParams_2025_06_18_ref: Check = (value) =>
  isObject(value)
    ? value.type === "ref/prompt"
      ? PromptReference_2025_06_18(value)
      : value.type === "ref/resource"
        ? ResourceReference(value)
        : problem("type", '"ref/prompt" or "ref/resource"')
    : notObject

export const CompleteParams_2025_06_18_context: Check = (value) =>
  isObject(value) ? optional("arguments", value.arguments, map_of_string) : notObject

export const CompleteParams_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("ref", value.ref, CompleteParams_2025_06_18_ref) ??
      required("argument", value.argument, CompleteParams_2024_11_05_argument) ??
      optional("context", value.context, CompleteParams_2025_06_18_context) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const AudioContent_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_audio) ??
      required("data", value.data, string) ??
      required("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const TextContent_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_text) ??
      required("text", value.text, string) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const ImageContent_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_image) ??
      required("data", value.data, string) ??
      required("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const is_resource_link: Check = (value) =>
  value === "resource_link" ? undefined : problem("", '"resource_link"')

export const ResourceLink_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_resource_link) ??
      required("uri", value.uri, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("size", value.size, integer) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const BlobResourceContents_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("blob", value.blob, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const TextResourceContents_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("text", value.text, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceContents_2025_06_18: Check = (value) =>
  BlobResourceContents_2025_06_18(value) && TextResourceContents_2025_06_18(value)

export const EmbeddedResource_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_resource) ??
      required("resource", value.resource, ResourceContents_2025_06_18) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const ContentBlock_2025_06_18: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2025_06_18(value)
      : value.type === "image"
        ? ImageContent_2025_06_18(value)
        : value.type === "audio"
          ? AudioContent_2025_06_18(value)
          : value.type === "resource_link"
            ? ResourceLink_2025_06_18(value)
            : value.type === "resource"
              ? EmbeddedResource_2025_06_18(value)
              : problem("type", '"text" or "image" or "audio" or "resource_link" or "resource"')
    : notObject

export const is_boolean: Check = (value) => (value === "boolean" ? undefined : problem("", '"boolean"'))

export const BooleanField_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_boolean) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("default", value.default, boolean))
    : notObject

export const one_of_number_integer: Check = (value) =>
  value === "number" || value === "integer" ? undefined : problem("", '"number" or "integer"')

export const NumberField_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, one_of_number_integer) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minimum", value.minimum, number) ??
      optional("maximum", value.maximum, number))
    : notObject

export const is_string: Check = (value) => (value === "string" ? undefined : problem("", '"string"'))

export const EnumField_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ??
      required("enum", value.enum, list_of_string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("enumNames", value.enumNames, list_of_string))
    : notObject

export const one_of_email_uri_date_date_time: Check = (value) =>
  value === "email" || value === "uri" || value === "date" || value === "date-time"
    ? undefined
    : problem("", '"email" or "uri" or "date" or "date-time"')

export const StringField_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minLength", value.minLength, integer) ??
      optional("maxLength", value.maxLength, integer) ??
      optional("format", value.format, one_of_email_uri_date_date_time))
    : notObject

export const FormField_2025_06_18: Check = (value) =>
  isObject(value)
    ? value.type === "boolean"
      ? BooleanField_2025_06_18(value)
      : value.type === "number" || value.type === "integer"
        ? NumberField_2025_06_18(value)
        : value.type === "string"
          ? EnumField_2025_06_18(value) && StringField_2025_06_18(value)
          : problem("type", '"boolean" or "number" or "integer" or "string"')
    : notObject

export const map_of_FormField_2025_06_18: Check = (value) => everyMember(value, FormField_2025_06_18)

export const ElicitParams_2025_06_18_requestedSchema: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_object) ??
      required("properties", value.properties, map_of_FormField_2025_06_18) ??
      optional("required", value.required, list_of_string))
    : notObject

export const ElicitParams_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("message", value.message, string) ??
      required("requestedSchema", value.requestedSchema, ElicitParams_2025_06_18_requestedSchema) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const one_of_accept_decline_cancel: Check = (value) =>
  value === "accept" || value === "decline" || value === "cancel"
    ? undefined
    : problem("", '"accept" or "decline" or "cancel"')

export const string_or_number_or_boolean: Check = (value) =>
  string(value) && number(value) && boolean(value) && problem("", "a string or a number or a boolean")

export const map_of_string_or_number_or_boolean: Check = (value) => everyMember(value, string_or_number_or_boolean)

export const ElicitResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("action", value.action, one_of_accept_decline_cancel) ??
      optional("content", value.content, map_of_string_or_number_or_boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const Implementation_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("version", value.version, string) ??
      optional("title", value.title, string))
    : notObject

export const InitializeParams_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("clientInfo", value.clientInfo, Implementation_2025_06_18) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const InitializeResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("serverInfo", value.serverInfo, Implementation_2025_06_18) ??
      optional("instructions", value.instructions, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptMessage_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, ContentBlock_2025_06_18))
    : notObject

export const list_of_PromptMessage_2025_06_18: Check = (value) => each(value, PromptMessage_2025_06_18)

export const GetPromptResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_PromptMessage_2025_06_18) ??
      optional("description", value.description, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptArgument_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("required", value.required, boolean) ??
      optional("title", value.title, string))
    : notObject

export const list_of_PromptArgument_2025_06_18: Check = (value) => each(value, PromptArgument_2025_06_18)

export const Prompt_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("arguments", value.arguments, list_of_PromptArgument_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_Prompt_2025_06_18: Check = (value) => each(value, Prompt_2025_06_18)

export const ListPromptsResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("prompts", value.prompts, list_of_Prompt_2025_06_18) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceTemplate_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("uriTemplate", value.uriTemplate, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_ResourceTemplate_2025_06_18: Check = (value) => each(value, ResourceTemplate_2025_06_18)

export const ListResourceTemplatesResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("resourceTemplates", value.resourceTemplates, list_of_ResourceTemplate_2025_06_18) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const Resource_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("size", value.size, integer) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_Resource_2025_06_18: Check = (value) => each(value, Resource_2025_06_18)

export const ListResourcesResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("resources", value.resources, list_of_Resource_2025_06_18) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_ResourceContents_2025_06_18: Check = (value) => each(value, ResourceContents_2025_06_18)

export const ReadResourceResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("contents", value.contents, list_of_ResourceContents_2025_06_18) ??
      optional("_meta", value._meta, object))
    : notObject

export const Root_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      optional("name", value.name, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_Root_2025_06_18: Check = (value) => each(value, Root_2025_06_18)

export const ListRootsResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("roots", value.roots, list_of_Root_2025_06_18) ?? optional("_meta", value._meta, object))
    : notObject

export const SamplingContent_2025_06_18: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2025_06_18(value)
      : value.type === "image"
        ? ImageContent_2025_06_18(value)
        : value.type === "audio"
          ? AudioContent_2025_06_18(value)
          : problem("type", '"text" or "image" or "audio"')
    : notObject

export const SamplingMessage_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, SamplingContent_2025_06_18))
    : notObject

export const list_of_SamplingMessage_2025_06_18: Check = (value) => each(value, SamplingMessage_2025_06_18)

export const CreateMessageParams_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_SamplingMessage_2025_06_18) ??
      required("maxTokens", value.maxTokens, integer) ??
      optional("modelPreferences", value.modelPreferences, ModelPreferences) ??
      optional("systemPrompt", value.systemPrompt, string) ??
      optional("includeContext", value.includeContext, one_of_none_thisServer_allServers) ??
      optional("temperature", value.temperature, number) ??
      optional("stopSequences", value.stopSequences, list_of_string) ??
      optional("metadata", value.metadata, object) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const CreateMessageResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ??
      required("content", value.content, SamplingContent_2025_06_18) ??
      required("model", value.model, string) ??
      optional("stopReason", value.stopReason, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_ContentBlock_2025_06_18: Check = (value) => each(value, ContentBlock_2025_06_18)

export const CallToolResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("content", value.content, list_of_ContentBlock_2025_06_18) ??
      optional("structuredContent", value.structuredContent, object) ??
      optional("isError", value.isError, boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const Tool_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("inputSchema", value.inputSchema, ObjectSchema) ??
      optional("description", value.description, string) ??
      optional("annotations", value.annotations, ToolAnnotations_2025_03_26) ??
      optional("title", value.title, string) ??
      optional("outputSchema", value.outputSchema, ObjectSchema) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_Tool_2025_06_18: Check = (value) => each(value, Tool_2025_06_18)

export const ListToolsResult_2025_06_18: Check = (value) =>
  isObject(value)
    ? (required("tools", value.tools, list_of_Tool_2025_06_18) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const one_of_light_dark: Check = (value) =>
  value === "light" || value === "dark" ? undefined : problem("", '"light" or "dark"')

export const Icon_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("src", value.src, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("sizes", value.sizes, list_of_string) ??
      optional("theme", value.theme, one_of_light_dark))
    : notObject

export const ClientCapabilities_2025_11_25_sampling: Check = (value) =>
  isObject(value) ? (optional("context", value.context, object) ?? optional("tools", value.tools, object)) : notObject

export const ClientCapabilities_2025_11_25_elicitation: Check = (value) =>
  isObject(value) ? (optional("form", value.form, object) ?? optional("url", value.url, object)) : notObject

export const ClientCapabilities_2025_11_25_tasks_requests_sampling: Check = (value) =>
  isObject(value) ? optional("createMessage", value.createMessage, object) : notObject

export const ClientCapabilities_2025_11_25_tasks_requests_elicitation: Check = (value) =>
  isObject(value) ? optional("create", value.create, object) : notObject

export const ClientCapabilities_2025_11_25_tasks_requests: Check = (value) =>
  isObject(value)
    ? (optional("sampling", value.sampling, ClientCapabilities_2025_11_25_tasks_requests_sampling) ??
      optional("elicitation", value.elicitation, ClientCapabilities_2025_11_25_tasks_requests_elicitation))
    : notObject

export const ClientCapabilities_2025_11_25_tasks: Check = (value) =>
  isObject(value)
    ? (optional("list", value.list, object) ??
      optional("cancel", value.cancel, object) ??
      optional("requests", value.requests, ClientCapabilities_2025_11_25_tasks_requests))
    : notObject

export const ClientCapabilities_2025_11_25: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("roots", value.roots, ClientCapabilities_2024_11_05_roots) ??
      optional("sampling", value.sampling, ClientCapabilities_2025_11_25_sampling) ??
      optional("elicitation", value.elicitation, ClientCapabilities_2025_11_25_elicitation) ??
      optional("tasks", value.tasks, ClientCapabilities_2025_11_25_tasks))
    : notObject

export const ServerCapabilities_2025_11_25_tasks_requests_tools: Check = (value) =>
  isObject(value) ? optional("call", value.call, object) : notObject

export const ServerCapabilities_2025_11_25_tasks_requests: Check = (value) =>
  isObject(value) ? optional("tools", value.tools, ServerCapabilities_2025_11_25_tasks_requests_tools) : notObject

export const ServerCapabilities_2025_11_25_tasks: Check = (value) =>
  isObject(value)
    ? (optional("list", value.list, object) ??
      optional("cancel", value.cancel, object) ??
      optional("requests", value.requests, ServerCapabilities_2025_11_25_tasks_requests))
    : notObject

export const ServerCapabilities_2025_11_25: Check = (value) =>
  isObject(value)
    ? (optional("experimental", value.experimental, map_of_object) ??
      optional("logging", value.logging, object) ??
      optional("prompts", value.prompts, ClientCapabilities_2024_11_05_roots) ??
      optional("resources", value.resources, ServerCapabilities_2024_11_05_resources) ??
      optional("tools", value.tools, ClientCapabilities_2024_11_05_roots) ??
      optional("completions", value.completions, object) ??
      optional("tasks", value.tasks, ServerCapabilities_2025_11_25_tasks))
    : notObject

export const list_of_Icon_2025_11_25: Check = (value) => each(value, Icon_2025_11_25)

export const ResourceLink_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_resource_link) ??
      required("uri", value.uri, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("size", value.size, integer) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const ContentBlock_2025_11_25: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2025_06_18(value)
      : value.type === "image"
        ? ImageContent_2025_06_18(value)
        : value.type === "audio"
          ? AudioContent_2025_06_18(value)
          : value.type === "resource_link"
            ? ResourceLink_2025_11_25(value)
            : value.type === "resource"
              ? EmbeddedResource_2025_06_18(value)
              : problem("type", '"text" or "image" or "audio" or "resource_link" or "resource"')
    : notObject

export const NumberField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, one_of_number_integer) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minimum", value.minimum, number) ??
      optional("maximum", value.maximum, number) ??
      optional("default", value.default, number))
    : notObject

export const EnumField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ??
      required("enum", value.enum, list_of_string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("enumNames", value.enumNames, list_of_string) ??
      optional("default", value.default, string))
    : notObject

export const TitledOption_2025_11_25: Check = (value) =>
  isObject(value) ? (required("const", value.const, string) ?? required("title", value.title, string)) : notObject

export const list_of_TitledOption_2025_11_25: Check = (value) => each(value, TitledOption_2025_11_25)

export const TitledEnumField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ??
      required("oneOf", value.oneOf, list_of_TitledOption_2025_11_25) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("default", value.default, string))
    : notObject

export const StringField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minLength", value.minLength, integer) ??
      optional("maxLength", value.maxLength, integer) ??
      optional("format", value.format, one_of_email_uri_date_date_time) ??
      optional("default", value.default, string))
    : notObject

export const is_array: Check = (value) => (value === "array" ? undefined : problem("", '"array"'))

export const MultiEnumField_2025_11_25_items: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_string) ?? required("enum", value.enum, list_of_string))
    : notObject

export const MultiEnumField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_array) ??
      required("items", value.items, MultiEnumField_2025_11_25_items) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minItems", value.minItems, integer) ??
      optional("maxItems", value.maxItems, integer) ??
      optional("default", value.default, list_of_string))
    : notObject

export const TitledMultiEnumField_2025_11_25_items: Check = (value) =>
  isObject(value) ? required("anyOf", value.anyOf, list_of_TitledOption_2025_11_25) : notObject

export const TitledMultiEnumField_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_array) ??
      required("items", value.items, TitledMultiEnumField_2025_11_25_items) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("minItems", value.minItems, integer) ??
      optional("maxItems", value.maxItems, integer) ??
      optional("default", value.default, list_of_string))
    : notObject

export const FormField_2025_11_25: Check = (value) =>
  isObject(value)
    ? value.type === "boolean"
      ? BooleanField_2025_06_18(value)
      : value.type === "number" || value.type === "integer"
        ? NumberField_2025_11_25(value)
        : value.type === "string"
          ? EnumField_2025_11_25(value) && TitledEnumField_2025_11_25(value) && StringField_2025_11_25(value)
          : value.type === "array"
            ? MultiEnumField_2025_11_25(value) && TitledMultiEnumField_2025_11_25(value)
            : problem("type", '"boolean" or "number" or "integer" or "string" or "array"')
    : notObject

export const map_of_FormField_2025_11_25: Check = (value) => everyMember(value, FormField_2025_11_25)

export const ElicitFormParams_2025_11_25_requestedSchema: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_object) ??
      required("properties", value.properties, map_of_FormField_2025_11_25) ??
      optional("required", value.required, list_of_string) ??
      optional("$schema", value.$schema, string))
    : notObject

export const is_form: Check = (value) => (value === "form" ? undefined : problem("", '"form"'))

export const TaskMetadata_2025_11_25: Check = (value) =>
  isObject(value) ? optional("ttl", value.ttl, integer) : notObject

export const ElicitFormParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("message", value.message, string) ??
      required("requestedSchema", value.requestedSchema, ElicitFormParams_2025_11_25_requestedSchema) ??
      optional("mode", value.mode, is_form) ??
      optional("task", value.task, TaskMetadata_2025_11_25) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const is_url: Check = (value) => (value === "url" ? undefined : problem("", '"url"'))

export const ElicitUrlParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("mode", value.mode, is_url) ??
      required("message", value.message, string) ??
      required("elicitationId", value.elicitationId, string) ??
      required("url", value.url, string) ??
      optional("task", value.task, TaskMetadata_2025_11_25) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const ElicitParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? value.mode === "url"
      ? ElicitUrlParams_2025_11_25(value)
      : ElicitFormParams_2025_11_25(value)
    : notObject

export const string_or_number_or_boolean_or_array: Check = (value) =>
  Array.isArray(value)
    ? list_of_string(value)
    : string(value) && number(value) && boolean(value) && problem("", "a string or a number or a boolean or an array")

export const map_of_string_or_number_or_boolean_or_array: Check = (value) =>
  everyMember(value, string_or_number_or_boolean_or_array)

export const ElicitResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("action", value.action, one_of_accept_decline_cancel) ??
      optional("content", value.content, map_of_string_or_number_or_boolean_or_array) ??
      optional("_meta", value._meta, object))
    : notObject

export const ElicitationCompleteParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("elicitationId", value.elicitationId, string) ?? optional("_meta", value._meta, object))
    : notObject

export const Implementation_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("version", value.version, string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("websiteUrl", value.websiteUrl, string) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const InitializeParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("clientInfo", value.clientInfo, Implementation_2025_11_25) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const InitializeResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("protocolVersion", value.protocolVersion, string) ??
      required("capabilities", value.capabilities, object) ??
      required("serverInfo", value.serverInfo, Implementation_2025_11_25) ??
      optional("instructions", value.instructions, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const CancelledParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (optional("requestId", value.requestId, ProgressToken) ??
      optional("reason", value.reason, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const PromptMessage_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ?? required("content", value.content, ContentBlock_2025_11_25))
    : notObject

export const list_of_PromptMessage_2025_11_25: Check = (value) => each(value, PromptMessage_2025_11_25)

export const GetPromptResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_PromptMessage_2025_11_25) ??
      optional("description", value.description, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const Prompt_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("title", value.title, string) ??
      optional("description", value.description, string) ??
      optional("arguments", value.arguments, list_of_PromptArgument_2025_06_18) ??
      optional("_meta", value._meta, object) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const list_of_Prompt_2025_11_25: Check = (value) => each(value, Prompt_2025_11_25)

export const ListPromptsResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("prompts", value.prompts, list_of_Prompt_2025_11_25) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const ResourceTemplate_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("uriTemplate", value.uriTemplate, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const list_of_ResourceTemplate_2025_11_25: Check = (value) => each(value, ResourceTemplate_2025_11_25)

export const ListResourceTemplatesResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("resourceTemplates", value.resourceTemplates, list_of_ResourceTemplate_2025_11_25) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const Resource_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("uri", value.uri, string) ??
      required("name", value.name, string) ??
      optional("description", value.description, string) ??
      optional("mimeType", value.mimeType, string) ??
      optional("size", value.size, integer) ??
      optional("annotations", value.annotations, Annotations_2025_06_18) ??
      optional("title", value.title, string) ??
      optional("_meta", value._meta, object) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const list_of_Resource_2025_11_25: Check = (value) => each(value, Resource_2025_11_25)

export const ListResourcesResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("resources", value.resources, list_of_Resource_2025_11_25) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const is_tool_use: Check = (value) => (value === "tool_use" ? undefined : problem("", '"tool_use"'))

export const ToolUseContent_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_tool_use) ??
      required("id", value.id, string) ??
      required("name", value.name, string) ??
      required("input", value.input, object) ??
      optional("_meta", value._meta, object))
    : notObject

export const is_tool_result: Check = (value) => (value === "tool_result" ? undefined : problem("", '"tool_result"'))

export const list_of_ContentBlock_2025_11_25: Check = (value) => each(value, ContentBlock_2025_11_25)

export const ToolResultContent_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("type", value.type, is_tool_result) ??
      required("toolUseId", value.toolUseId, string) ??
      required("content", value.content, list_of_ContentBlock_2025_11_25) ??
      optional("structuredContent", value.structuredContent, object) ??
      optional("isError", value.isError, boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const SamplingContent_2025_11_25: Check = (value) =>
  isObject(value)
    ? value.type === "text"
      ? TextContent_2025_06_18(value)
      : value.type === "image"
        ? ImageContent_2025_06_18(value)
        : value.type === "audio"
          ? AudioContent_2025_06_18(value)
          : value.type === "tool_use"
            ? ToolUseContent_2025_11_25(value)
            : value.type === "tool_result"
              ? ToolResultContent_2025_11_25(value)
              : problem("type", '"text" or "image" or "audio" or "tool_use" or "tool_result"')
    : notObject

export const list_of_SamplingContent_2025_11_25: Check = (value) => each(value, SamplingContent_2025_11_25)

export const SamplingMessage_2025_11_25_content: Check = (value) =>
  Array.isArray(value) ? list_of_SamplingContent_2025_11_25(value) : SamplingContent_2025_11_25(value)

export const SamplingMessage_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ??
      required("content", value.content, SamplingMessage_2025_11_25_content) ??
      optional("_meta", value._meta, object))
    : notObject

export const list_of_SamplingMessage_2025_11_25: Check = (value) => each(value, SamplingMessage_2025_11_25)

export const one_of_forbidden_optional_required: Check = (value) =>
  value === "forbidden" || value === "optional" || value === "required"
    ? undefined
    : problem("", '"forbidden" or "optional" or "required"')

export const ToolExecution_2025_11_25: Check = (value) =>
  isObject(value) ? optional("taskSupport", value.taskSupport, one_of_forbidden_optional_required) : notObject

export const Tool_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      required("inputSchema", value.inputSchema, ObjectSchema) ??
      optional("description", value.description, string) ??
      optional("annotations", value.annotations, ToolAnnotations_2025_03_26) ??
      optional("title", value.title, string) ??
      optional("outputSchema", value.outputSchema, ObjectSchema) ??
      optional("_meta", value._meta, object) ??
      optional("execution", value.execution, ToolExecution_2025_11_25) ??
      optional("icons", value.icons, list_of_Icon_2025_11_25))
    : notObject

export const list_of_Tool_2025_11_25: Check = (value) => each(value, Tool_2025_11_25)

export const one_of_auto_required_none: Check = (value) =>
  value === "auto" || value === "required" || value === "none"
    ? undefined
    : problem("", '"auto" or "required" or "none"')

export const CreateMessageParams_2025_11_25_toolChoice: Check = (value) =>
  isObject(value) ? optional("mode", value.mode, one_of_auto_required_none) : notObject

export const CreateMessageParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("messages", value.messages, list_of_SamplingMessage_2025_11_25) ??
      required("maxTokens", value.maxTokens, integer) ??
      optional("modelPreferences", value.modelPreferences, ModelPreferences) ??
      optional("systemPrompt", value.systemPrompt, string) ??
      optional("includeContext", value.includeContext, one_of_none_thisServer_allServers) ??
      optional("temperature", value.temperature, number) ??
      optional("stopSequences", value.stopSequences, list_of_string) ??
      optional("metadata", value.metadata, object) ??
      optional("tools", value.tools, list_of_Tool_2025_11_25) ??
      optional("toolChoice", value.toolChoice, CreateMessageParams_2025_11_25_toolChoice) ??
      optional("task", value.task, TaskMetadata_2025_11_25) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const CreateMessageResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("role", value.role, Role) ??
      required("content", value.content, SamplingMessage_2025_11_25_content) ??
      optional("_meta", value._meta, object) ??
      required("model", value.model, string) ??
      optional("stopReason", value.stopReason, string))
    : notObject

export const TaskStatus_2025_11_25: Check = (value) =>
  value === "working" ||
  value === "input_required" ||
  value === "completed" ||
  value === "failed" ||
  value === "cancelled"
    ? undefined
    : problem("", '"working" or "input_required" or "completed" or "failed" or "cancelled"')

export const Task_2025_11_25_ttl: Check = (value) =>
  integer(value) && nothing(value) && problem("", "an integer or null")

export const Task_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("taskId", value.taskId, string) ??
      required("status", value.status, TaskStatus_2025_11_25) ??
      required("createdAt", value.createdAt, string) ??
      required("lastUpdatedAt", value.lastUpdatedAt, string) ??
      required("ttl", value.ttl, Task_2025_11_25_ttl) ??
      optional("statusMessage", value.statusMessage, string) ??
      optional("pollInterval", value.pollInterval, integer))
    : notObject

export const CreateTaskResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("task", value.task, Task_2025_11_25) ?? optional("_meta", value._meta, object))
    : notObject

export const list_of_Task_2025_11_25: Check = (value) => each(value, Task_2025_11_25)

export const ListTasksResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("tasks", value.tasks, list_of_Task_2025_11_25) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject

export const TaskParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("taskId", value.taskId, string) ?? optional("_meta", value._meta, RequestMeta))
    : notObject

export const TaskResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("taskId", value.taskId, string) ??
      required("status", value.status, TaskStatus_2025_11_25) ??
      required("createdAt", value.createdAt, string) ??
      required("lastUpdatedAt", value.lastUpdatedAt, string) ??
      required("ttl", value.ttl, Task_2025_11_25_ttl) ??
      optional("statusMessage", value.statusMessage, string) ??
      optional("pollInterval", value.pollInterval, integer) ??
      optional("_meta", value._meta, object))
    : notObject

export const TasksPage_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("tasks", value.tasks, array) ??
      optional("nextCursor", value.nextCursor, PromptsPage_nextCursor) ??
      optional("_meta", value._meta, object))
    : notObject

export const CallToolParams_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("name", value.name, string) ??
      optional("arguments", value.arguments, object) ??
      optional("task", value.task, TaskMetadata_2025_11_25) ??
      optional("_meta", value._meta, RequestMeta))
    : notObject

export const CallToolResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("content", value.content, list_of_ContentBlock_2025_11_25) ??
      optional("structuredContent", value.structuredContent, object) ??
      optional("isError", value.isError, boolean) ??
      optional("_meta", value._meta, object))
    : notObject

export const ListToolsResult_2025_11_25: Check = (value) =>
  isObject(value)
    ? (required("tools", value.tools, list_of_Tool_2025_11_25) ??
      optional("nextCursor", value.nextCursor, string) ??
      optional("_meta", value._meta, object))
    : notObject
