/** A small extension that uses all that one may add. */
import type { Check } from "../src/check.js"
import { problem } from "../src/check.js"
import type { Extension } from "../src/extension.js"
import { isObject } from "../src/json.js"
import { notification, request } from "../src/row.js"

const has =
  (...names: ReadonlyArray<string>): Check =>
  (value) => {
    const missing = names.find((name) => !isObject(value) || typeof value[name] !== "string")
    return missing === undefined ? undefined : problem(missing, "a string")
  }

export const id = "com.example/parley-test"

/** Jobs: a tool call may become one, it is asked for by its id, and streams tell of it. */
export const extension: Extension = {
  id,
  client: {
    "jobs/get": request("client", has("jobId"), has("status"), { header: "jobId", cacheable: true }),
    "jobs/needy": request("client", has(), has(), { needs: "server.prompts" })
  },
  server: {
    "notifications/jobs/status": notification("server", has("jobId", "status"), {
      stream: true,
      filter: "jobs",
      by: "jobId"
    }),
    "notifications/jobs/all_done": notification("server", has(), { stream: true, filter: "allJobsDone" })
  },
  results: { "tools/call": { job: has("jobId"), 1: has() }, "jobs/get": { gone: has() } }
}
