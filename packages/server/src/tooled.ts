/** Runs a tool: its arguments are validated, its handler runs, and what comes of it is validated. */
import type { JsonObject } from "@parley/core"
import type { Issue, Validated } from "@parley/json-schema"
import { ToolFailed } from "./failed.js"
import type { Crashed, Job, Jobs } from "./job.js"
import { plainResult, structuredResult } from "./result.js"
import type { ReadyTool } from "./tool.js"

export function tooled(work: Jobs, crashed: Crashed, job: Job, tool: ReadyTool, args: JsonObject): void {
  work.attempt(
    job,
    () => tool.input.validate(args),
    (judged) => {
      const validated = judged as Validated<unknown>
      if (!validated.ok) return refuse(job, inWords(validated.issues))
      work.attempt(
        job,
        () => tool.handler(validated.value as never, job.call as never),
        (returned) => finish(work, crashed, job, tool, returned)
      )
    }
  )
}

function refuse({ invoke: { call, id }, end, feed }: Job, why: string): void {
  end({ _tag: "ArgumentsRefused", why })
  feed({ _tag: "ArgumentsRefused", call, id, why })
}

function finish(work: Jobs, crashed: Crashed, job: Job, { name, output }: ReadyTool, returned: unknown): void {
  // Returned or thrown, it says the same.
  if (returned instanceof ToolFailed) throw returned
  if (output === undefined) return work.succeed(job, plainResult(returned))
  work.attempt(
    job,
    () => structuredResult(output, returned),
    (judged) => {
      const validated = judged as Validated<JsonObject>
      if (validated.ok) return work.succeed(job, validated.value)
      const error = new TypeError(`its result does not fit its output schema: ${inWords(validated.issues)}`)
      work.fail(job, { _tag: "Crashed" }, error)
      crashed(name, error)
    }
  )
}

const inWords = (issues: ReadonlyArray<Issue>): string =>
  issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
