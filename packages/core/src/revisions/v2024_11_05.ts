/** 2024-11-05: the first dated revision: text, image and resource content, no batches, no completions capability on the wire. */
import * as is from "../checks/shapes.js"
import type { Page } from "./page.js"
import { notification, request, revision } from "./page.js"

const client = {
  initialize: request("client", is.InitializeParams, is.InitializeResult, { when: "opening" }),
  "notifications/initialized": notification("client", is.NotificationParams, { when: "opened" }),
  ping: request("client", is.EmptyParams, is.EmptyResult, { when: "always" }),
  "notifications/cancelled": notification("client", is.CancelledParams, { when: "always" }),
  "notifications/progress": notification("client", is.ProgressParams, { when: "always" }),

  "tools/list": request("client", is.PaginatedParams, is.ToolsPage, { needs: "server.tools", paginated: "tools" }),
  "tools/call": request("client", is.CallToolParams, is.CallToolResult, { needs: "server.tools", asks: true }),
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
  // The wire has no such capability yet: here it only says that the server offers completion.
  "completion/complete": request("client", is.CompleteParams, is.CompleteResult, { needs: "server.completions" }),
  "logging/setLevel": request("client", is.SetLevelParams, is.EmptyResult, { needs: "server.logging" }),
  "notifications/roots/list_changed": notification("client", is.NotificationParams, {
    needs: "client.roots.listChanged"
  })
}

const server = {
  ping: request("server", is.EmptyParams, is.EmptyResult, { when: "always" }),
  "notifications/cancelled": notification("server", is.CancelledParams, { when: "always" }),
  "notifications/progress": notification("server", is.ProgressParams, { when: "always" }),

  "sampling/createMessage": request("server", is.CreateMessageParams, is.CreateMessageResult, {
    needs: "client.sampling"
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
  })
}

export const page2024_11_05: Page = {
  name: "2024-11-05",
  opening: "handshake",
  client,
  server,
  items: {
    "tools/list": is.Tool,
    "prompts/list": is.Prompt,
    "resources/list": is.Resource,
    "resources/templates/list": is.ResourceTemplate
  },
  place: 0,
  features: {
    batches: false,
    unreadableId: "null",
    refusedArguments: "error",
    forms: "flat",
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
}

export const v2024_11_05 = /* @__PURE__ */ revision(page2024_11_05)
