/** A small extension that uses all that one may add, and a server of long work that has it. */
import type { Extension, JsonObject, Task } from "@parley/core"
import { notification, request } from "@parley/core"
import { check } from "@parley/json-schema"
import { defineServer, extension, memoryTasks, refused, tool } from "@parley/server"
import * as Schema from "effect/Schema"

const named = { type: "object", properties: { jobId: { type: "string" } }, required: ["jobId"] } as const
const job = {
  type: "object",
  properties: { jobId: { type: "string" }, status: { enum: ["working", "completed"] } },
  required: ["jobId", "status"]
} as const

/** What both sides are given. */
export const parleyTest = {
  id: "com.example/parley-test",
  client: {
    "jobs/get": request("client", check(named), check(job), { header: "jobId" }),
    "jobs/wait": request("client", check(named), check(job)),
    "jobs/count": request(
      "client",
      check(Schema.Struct({ from: Schema.FiniteFromString })),
      check(Schema.Struct({ count: Schema.FiniteFromString }))
    )
  },
  server: {
    "notifications/jobs/changed": notification("server", check(job), { stream: true, filter: "jobs", by: "jobId" }),
    "notifications/jobs/idle": notification("server", check({ type: "object" }), { stream: true, filter: "jobsIdle" })
  },
  results: { "tools/call": { job: check({ ...named, additionalProperties: false }) } }
} satisfies Extension

const owner = "everybody"

/** `dig` is long work: a job where the client knows them, kept before its client hears of it; else it is waited for. */
export function diggers() {
  const store = memoryTasks()
  const jobs = extension(
    parleyTest,
    {
      "jobs/get": async ({ jobId }) => told(await found(jobId)),
      "jobs/wait": async ({ jobId }, call) => {
        call.progress(1)
        await store.wait(owner, jobId, "working", call.signal)
        return told(await found(jobId))
      },
      "jobs/count": ({ from }) => ({ count: from + begun })
    },
    { settings: { most: 3 } }
  )
  let begun = 0
  let find = (): void => undefined
  const treasure = new Promise<void>((resolve) => (find = resolve))

  async function found(jobId: string): Promise<Task> {
    const stored = await store.get(owner, jobId)
    if (stored === undefined) throw refused("There is no such job", -32602, { jobId })
    return stored.task
  }

  const dig = tool("dig", {}, async (_, call) => {
    if (jobs.announced(call) === undefined) {
      await treasure
      return "found it"
    }
    const jobId = `job-${++begun}`
    const lastUpdatedAt = "2026-07-28T00:00:00Z"
    const task: Task = { taskId: jobId, status: "working", createdAt: lastUpdatedAt, lastUpdatedAt, ttl: null }
    await store.create({ owner, task, outcome: undefined })
    void treasure.then(async () => {
      const result: JsonObject = { content: [{ type: "text", text: "found it" }] }
      const outcome = { _tag: "Result", result } as const
      await store.move(owner, jobId, ["working"], {
        status: "completed",
        statusMessage: undefined,
        lastUpdatedAt,
        outcome
      })
      jobs.tell("notifications/jobs/changed", { jobId, status: "completed" })
      jobs.tell("notifications/jobs/idle", {})
    })
    return jobs.result("job", { jobId })
  })

  const server = defineServer({ name: "diggers", version: "1.0.0" }, [dig], { extensions: [jobs] })
  return { server, jobs, find: () => find() }
}

const told = ({ taskId, status }: Task): { readonly jobId: string; readonly status: "working" | "completed" } => ({
  jobId: taskId,
  status: status === "completed" ? status : "working"
})
