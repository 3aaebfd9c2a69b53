/** A tool that runs as a task at the server, for Effects (2025-11-25). */
import type { CallToolResult, Task } from "@parley/core"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CallOptions } from "../session.js"
import type { ResultOptions, ToolTask as Plain, UpdatesOptions } from "../task.js"
import type { CallError } from "./calling.js"
import { calling } from "./calling.js"
import { iterated } from "./streaming.js"
import type { Unsignalled } from "./typed.js"

/** A task, as `ToolTask` of `@parley/client`. It runs on when the fiber is interrupted that follows it. */
export interface ToolTask<R = CallToolResult> {
  readonly taskId: string
  /** What the server suggests to tell a model at once, while the task runs. */
  readonly immediateResponse: string | undefined
  /** Asks how it is now. */
  readonly status: (options?: Unsignalled<CallOptions>) => Effect.Effect<Task, CallError>
  /** How it is now, and each change as it is heard of, until it is over. */
  readonly updates: (options?: Unsignalled<UpdatesOptions>) => Stream.Stream<Task, CallError>
  /** What the tool answered; waits for the task to be over. */
  readonly result: (options?: Unsignalled<ResultOptions>) => Effect.Effect<R, CallError>
  /** Stops it. Fails when it is over already, or when the server did not declare `tasks.cancel`. */
  readonly cancel: (options?: Unsignalled<CallOptions>) => Effect.Effect<Task, CallError>
}

export const taskOf = <R>(task: Plain<R>): ToolTask<R> => ({
  taskId: task.taskId,
  immediateResponse: task.immediateResponse,
  status: (wishes) => calling(task.status, wishes),
  updates: (wishes) => iterated((signal) => task.updates({ ...wishes, signal })),
  result: (wishes) => calling((wishes: ResultOptions) => task.result(wishes), wishes),
  cancel: (wishes) => calling(task.cancel, wishes)
})
