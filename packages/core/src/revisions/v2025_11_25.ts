/** 2025-11-25: tasks, elicitation by page, sampling with tools, icons. */
import * as is from "../checks/shapes.js"
import { notification, request, revision } from "./page.js"

const client = {
  initialize: request("client", is.InitializeParams, is.InitializeResult, { when: "opening" }),
  "notifications/initialized": notification("client", is.NotificationParams, { when: "opened" }),
  ping: request("client", is.EmptyParams, is.EmptyResult, { when: "always" }),
  "notifications/cancelled": notification("client", is.CancelledParams, { when: "always" }),
  "notifications/progress": notification("client", is.ProgressParams, { when: "always" }),

  "tools/list": request("client", is.PaginatedParams, is.ToolsPage, { needs: "server.tools", paginated: "tools" }),
  "tools/call": request("client", is.CallToolParams, is.CallToolResult, {
    needs: "server.tools",
    asks: true,
    task: { needs: "server.tasks.requests.tools.call", result: is.CreateTaskResult }
  }),
  "prompts/list": request("client", is.PaginatedParams, is.PromptsPage, {
    needs: "server.prompts",
    paginated: "prompts"
  }),
  "prompts/get": request("client", is.GetPromptParams, is.GetPromptResult, { needs: "server.prompts", asks: true }),
  "resources/list": request("client", is.PaginatedParams, is.ResourcesPage, {
    needs: "server.resources",
    paginated: "resources"
  }),
  "resources/templates/list": request("client", is.PaginatedParams, is.ResourceTemplatesPage, {
    needs: "server.resources",
    paginated: "resourceTemplates"
  }),
  "resources/read": request("client", is.ResourceParams, is.ReadResourceResult, {
    needs: "server.resources",
    asks: true
  }),
  "resources/subscribe": request("client", is.ResourceParams, is.EmptyResult, { needs: "server.resources.subscribe" }),
  "resources/unsubscribe": request("client", is.ResourceParams, is.EmptyResult, {
    needs: "server.resources.subscribe"
  }),
  "completion/complete": request("client", is.CompleteParams, is.CompleteResult, { needs: "server.completions" }),
  "logging/setLevel": request("client", is.SetLevelParams, is.EmptyResult, { needs: "server.logging" }),
  "notifications/roots/list_changed": notification("client", is.NotificationParams, {
    needs: "client.roots.listChanged"
  }),

  "tasks/get": request("client", is.TaskParams, is.TaskResult, { needs: "server.tasks" }),
  "tasks/result": request("client", is.TaskParams, is.EmptyResult, { needs: "server.tasks", asks: true }),
  "tasks/list": request("client", is.PaginatedParams, is.TasksPage, { needs: "server.tasks.list", paginated: "tasks" }),
  "tasks/cancel": request("client", is.TaskParams, is.TaskResult, { needs: "server.tasks.cancel" }),
  "notifications/tasks/status": notification("client", is.TaskStatusParams, { needs: "client.tasks" })
}

const server = {
  ping: request("server", is.EmptyParams, is.EmptyResult, { when: "always" }),
  "notifications/cancelled": notification("server", is.CancelledParams, { when: "always" }),
  "notifications/progress": notification("server", is.ProgressParams, { when: "always" }),

  "sampling/createMessage": request("server", is.CreateMessageParams, is.CreateMessageResult, {
    needs: "client.sampling",
    task: { needs: "client.tasks.requests.sampling.createMessage", result: is.CreateTaskResult }
  }),
  "elicitation/create": request("server", is.ElicitParams, is.ElicitResult, {
    needs: "client.elicitation",
    task: { needs: "client.tasks.requests.elicitation.create", result: is.CreateTaskResult }
  }),
  "notifications/elicitation/complete": notification("server", is.ElicitationCompleteParams, {
    needs: "client.elicitation.url"
  }),
  "roots/list": request("server", is.EmptyParams, is.ListRootsResult, { needs: "client.roots" }),

  "notifications/message": notification("server", is.LoggingMessageParams, { needs: "server.logging" }),
  "notifications/tools/list_changed": notification("server", is.NotificationParams, {
    needs: "server.tools.listChanged"
  }),
  "notifications/prompts/list_changed": notification("server", is.NotificationParams, {
    needs: "server.prompts.listChanged"
  }),
  "notifications/resources/list_changed": notification("server", is.NotificationParams, {
    needs: "server.resources.listChanged"
  }),
  "notifications/resources/updated": notification("server", is.ResourceUpdatedParams, {
    needs: "server.resources.subscribe"
  }),

  "tasks/get": request("server", is.TaskParams, is.TaskResult, { needs: "client.tasks" }),
  "tasks/result": request("server", is.TaskParams, is.EmptyResult, { needs: "client.tasks" }),
  "tasks/list": request("server", is.PaginatedParams, is.TasksPage, { needs: "client.tasks.list", paginated: "tasks" }),
  "tasks/cancel": request("server", is.TaskParams, is.TaskResult, { needs: "client.tasks.cancel" }),
  "notifications/tasks/status": notification("server", is.TaskStatusParams, { needs: "server.tasks" })
}

export const v2025_11_25 = revision({
  name: "2025-11-25",
  opening: "handshake",
  client,
  server,
  items: {
    "tools/list": is.Tool,
    "prompts/list": is.Prompt,
    "resources/list": is.Resource,
    "resources/templates/list": is.ResourceTemplate,
    "tasks/list": is.Task
  },
  place: 3,
  features: {
    batches: false,
    unreadableId: "omitted",
    refusedArguments: "result",
    forms: "full",
    asks: "requests",
    stamps: "none",
    logs: "session",
    missingCapability: "result",
    unknownResource: -32002,
    closedExchange: "ignored",
    structured: "object",
    pageRequired: "error",
    reservedCodes: []
  }
})
