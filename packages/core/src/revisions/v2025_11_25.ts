/** 2025-11-25: tasks, elicitation by page, sampling with tools, icons. */
import * as is from "../checks/shapes.js"
import { after, notification, request, revision } from "./page.js"
import { page2025_06_18 } from "./v2025_06_18.js"

const client = {
  "tools/call": request("client", is.CallToolParams, is.CallToolResult, {
    needs: "server.tools",
    asks: true,
    task: { needs: "server.tasks.requests.tools.call", result: is.CreateTaskResult }
  }),

  "tasks/get": request("client", is.TaskParams, is.TaskResult, { needs: "server.tasks" }),
  "tasks/result": request("client", is.TaskParams, is.EmptyResult, { needs: "server.tasks", asks: true }),
  "tasks/list": request("client", is.PaginatedParams, is.TasksPage, { needs: "server.tasks.list", paginated: "tasks" }),
  "tasks/cancel": request("client", is.TaskParams, is.TaskResult, { needs: "server.tasks.cancel" }),
  "notifications/tasks/status": notification("client", is.TaskStatusParams, { needs: "client.tasks" })
}

const server = {
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

  "tasks/get": request("server", is.TaskParams, is.TaskResult, { needs: "client.tasks" }),
  "tasks/result": request("server", is.TaskParams, is.EmptyResult, { needs: "client.tasks" }),
  "tasks/list": request("server", is.PaginatedParams, is.TasksPage, { needs: "client.tasks.list", paginated: "tasks" }),
  "tasks/cancel": request("server", is.TaskParams, is.TaskResult, { needs: "client.tasks.cancel" }),
  "notifications/tasks/status": notification("server", is.TaskStatusParams, { needs: "server.tasks" })
}

export const v2025_11_25 = /* @__PURE__ */ revision(
  after(page2025_06_18, {
    name: "2025-11-25",
    place: 3,
    client,
    server,
    items: { "tasks/list": is.Task },
    features: { unreadableId: "omitted", refusedArguments: "result", forms: "full" }
  })
)
