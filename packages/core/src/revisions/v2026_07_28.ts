/** 2026-07-28: no handshake and no server requests; every request says who asks, and results hold the questions. */
import * as is from "../checks/shapes.js"
import { notification, request, revision } from "./page.js"

// Made by a function, so that a bundle which speaks other revisions only can leave it out.
export const v2026_07_28 = /* @__PURE__ */ (() => {
  const client = {
    "server/discover": request("client", is.EmptyParams, is.DiscoverResult, { cacheable: true }),
    // 2026-07-28 basic/patterns/cancellation: a request is cancelled at any time, whatever else is going on.
    "notifications/cancelled": notification("client", is.CancelledParams, { when: "always" }),

    "tools/list": request("client", is.PaginatedParams, is.ToolsPage, {
      needs: "server.tools",
      paginated: "tools",
      cacheable: true
    }),
    "tools/call": request("client", is.CallToolParams, is.CallToolResult, {
      needs: "server.tools",
      asks: true,
      header: "name",
      resultTypes: { input_required: is.InputRequiredResult }
    }),
    "prompts/list": request("client", is.PaginatedParams, is.PromptsPage, {
      needs: "server.prompts",
      paginated: "prompts",
      cacheable: true
    }),
    "prompts/get": request("client", is.GetPromptParams, is.GetPromptResult, {
      needs: "server.prompts",
      asks: true,
      header: "name",
      resultTypes: { input_required: is.InputRequiredResult }
    }),
    "resources/list": request("client", is.PaginatedParams, is.ResourcesPage, {
      needs: "server.resources",
      paginated: "resources",
      cacheable: true
    }),
    "resources/templates/list": request("client", is.PaginatedParams, is.ResourceTemplatesPage, {
      needs: "server.resources",
      paginated: "resourceTemplates",
      cacheable: true
    }),
    "resources/read": request("client", is.ReadResourceParams, is.ReadResourceResult, {
      needs: "server.resources",
      asks: true,
      cacheable: true,
      header: "uri",
      resultTypes: { input_required: is.InputRequiredResult }
    }),
    "completion/complete": request("client", is.CompleteParams, is.CompleteResult, { needs: "server.completions" }),
    "subscriptions/listen": request("client", is.SubscriptionsListenParams, is.SubscriptionsListenResult, {
      stream: true
    })
  }

  const server = {
    // Only for a stream that the server ends.
    "notifications/cancelled": notification("server", is.CancelledParams, { when: "always" }),
    "notifications/progress": notification("server", is.ProgressParams),
    "notifications/message": notification("server", is.LoggingMessageParams, { needs: "server.logging" }),

    "notifications/subscriptions/acknowledged": notification("server", is.SubscriptionsAcknowledgedParams, {
      stream: true
    }),
    "notifications/tools/list_changed": notification("server", is.NotificationParams, {
      needs: "server.tools.listChanged",
      stream: true,
      filter: "toolsListChanged"
    }),
    "notifications/prompts/list_changed": notification("server", is.NotificationParams, {
      needs: "server.prompts.listChanged",
      stream: true,
      filter: "promptsListChanged"
    }),
    "notifications/resources/list_changed": notification("server", is.NotificationParams, {
      needs: "server.resources.listChanged",
      stream: true,
      filter: "resourcesListChanged"
    }),
    "notifications/resources/updated": notification("server", is.ResourceUpdatedParams, {
      needs: "server.resources.subscribe",
      stream: true,
      filter: "resourceSubscriptions",
      by: "uri"
    })
  }

  const questions = {
    "sampling/createMessage": request("server", is.CreateMessageParams, is.CreateMessageResult, {
      needs: "client.sampling"
    }),
    "elicitation/create": request("server", is.ElicitParams, is.ElicitResult, { needs: "client.elicitation" }),
    "roots/list": request("server", is.NotificationParams, is.ListRootsResult, { needs: "client.roots" })
  }

  return revision({
    name: "2026-07-28",
    opening: "request",
    envelope: is.RequestMeta,
    client,
    server,
    questions,
    items: {
      "tools/list": is.Tool,
      "prompts/list": is.Prompt,
      "resources/list": is.Resource,
      "resources/templates/list": is.ResourceTemplate
    },
    place: 4,
    features: {
      batches: false,
      unreadableId: "omitted",
      refusedArguments: "result",
      forms: "full",
      asks: "result",
      stamps: "whole",
      logs: "request",
      missingCapability: "error",
      unknownResource: -32602,
      closedExchange: "cancels",
      structured: "any",
      pageRequired: "question",
      // 2026-07-28 basic, Error Codes: what the specification has not defined there nobody may use, and -32002 nobody any more.
      reservedCodes: [[-32099, -32000]]
    }
  })
})()
