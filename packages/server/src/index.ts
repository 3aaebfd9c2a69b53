/** Declare an MCP server as a value, and serve it over any channel. */
export { form, page, roots, sample } from "./asks.js"
export type { Ask, Asks, FormParams, SampleOptions } from "./asks.js"
export type { Call } from "./call.js"
export type { Complete } from "./complete.js"
export { defineServer } from "./define.js"
export type { Cache, Declare, Item, Registry, Server, ServerOptions } from "./define.js"
export { extension, Refused, refused } from "./extension.js"
export type { ExtensionOptions, MethodHandlers, ServedExtension, Speaking } from "./extension.js"
export { failed, ToolFailed } from "./failed.js"
export type { KeptSession } from "./kept.js"
export { live } from "./live.js"
export type { Announcing, Change, Live } from "./live.js"
export { logger } from "./logger.js"
export type { Session } from "./logger.js"
export type { OtherResult } from "./other-result.js"
export { pageRequired, PageRequired } from "./page-required.js"
export type { PageParams } from "./page-required.js"
export { prompt } from "./prompt.js"
export type { Made, Prompt, PromptArgument, PromptOptions } from "./prompt.js"
export { resource, resourceTemplate } from "./resource.js"
export type { Read, Resource, ResourceOptions, Template, TemplateCall, TemplateOptions, Variables } from "./resource.js"
export { serve } from "./serve.js"
export type { ClientNotification, ServeOptions, Serving } from "./serve.js"
export { structured } from "./structured.js"
export type { Structured } from "./structured.js"
export { memoryTasks } from "./tasks/store.js"
export type {
  MemoryOptions,
  StoredTask,
  TaskChange,
  TaskOutcome,
  TaskPage,
  TaskStatus,
  TaskStore
} from "./tasks/store.js"
export type { TaskOptions } from "./tasks/options.js"
export { tool } from "./tool.js"
export type { AnyTool, Handler, Meanwhile, Reply, Returned, Tool, ToolOptions } from "./tool.js"
export type { Outcome, Span, Traced, Tracing } from "./tracing.js"
export { AskDeclined, AskFailed } from "./unanswered.js"
export type { Unanswered } from "./unanswered.js"
