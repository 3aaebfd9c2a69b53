/** A strict MCP client over any channel: it sends only what the server declared, and settles every call once. */
export { Rejected } from "./answers.js"
export type {
  AnswerForm,
  AnswerPage,
  AnswerRoots,
  AnswerSample,
  Answers,
  AnswerTasks,
  Asking,
  AskingForm,
  AskingPage,
  FormAnswer,
  FormContent,
  PageAnswer
} from "./answers.js"
export type { Client, Completed, CompleteOptions, ListOptions, TellingRoots } from "./client.js"
export { connect } from "./connect.js"
export type { ConnectOptions, PromisingRoots } from "./connect-options.js"
export { cache } from "./cache.js"
export type { Cache, CacheOptions } from "./cache.js"
export { CallError } from "./error.js"
export type { Reason } from "./error.js"
export type { ClientExtension } from "./extending.js"
export type { Listeners, Notifications, On, OnTold } from "./notifications.js"
export type { FreshOptions } from "./remembering.js"
export type { CallOptions, Progress } from "./session.js"
export type { Subscription } from "./subscriptions.js"
export type { ResultOptions, ToolTask, UpdatesOptions } from "./task.js"
export type { StartOptions } from "./tasks.js"
export { expandTemplate } from "./template.js"
export type { TemplateValue } from "./template.js"
export { untold } from "./untold.js"
export type { Brought, CallAny, CallTool, StartAny, StartTool, TakeUp, TakeUpAny } from "./typed.js"
export type { Listing } from "./walk.js"
