/** Tasks: work that outlives its reply, asked for by either side (2025-11-25). */
import * as Schema from "effect/Schema"
import { list, nextCursor, params, text, unwalked, withMeta } from "./meta.js"

export const TaskMetadata_2025_11_25 = Schema.Struct({
  ttl: Schema.optionalKey(Schema.Int.annotate({ description: "Milliseconds." }))
}).annotate({ description: "What a request carries to be run as a task that outlives its reply." })

export const task = Schema.optionalKey(TaskMetadata_2025_11_25)

export const TaskStatus_2025_11_25 = Schema.Literals(["working", "input_required", "completed", "failed", "cancelled"])

export const Task_2025_11_25 = Schema.Struct({
  taskId: Schema.String,
  status: TaskStatus_2025_11_25,
  createdAt: Schema.String,
  lastUpdatedAt: Schema.String,
  ttl: Schema.NullOr(Schema.Int).annotate({ description: "Milliseconds from creation, or null for unlimited." }),
  statusMessage: text,
  pollInterval: Schema.optionalKey(Schema.Int.annotate({ description: "Milliseconds." }))
})

export const TaskParams_2025_11_25 = params({ taskId: Schema.String }).annotate({
  description: "Params of `tasks/get`, `tasks/result` and `tasks/cancel`."
})

export const TaskResult_2025_11_25 = withMeta(Task_2025_11_25.fields)
export const TaskStatusParams_2025_11_25 = withMeta(Task_2025_11_25.fields)
export const CreateTaskResult_2025_11_25 = withMeta({ task: Task_2025_11_25 })

export const TasksPage_2025_11_25 = withMeta({ tasks: unwalked, nextCursor })
export const ListTasksResult_2025_11_25 = list({ tasks: Schema.Array(Task_2025_11_25) })
