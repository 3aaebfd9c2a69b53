/** Runs a tool: its arguments are validated, its handler runs, and what comes of it is validated. */
import type { JsonObject } from "@parley/core"
import type { Issue, Validated, Validator } from "@parley/json-schema"
import { ToolFailed } from "./failed.js"
import type { Crashed, Job, Jobs } from "./job.js"
import { plainResult, structuredResult } from "./result.js"
import { Structured } from "./structured.js"
import type { ReadyTool } from "./tool.js"

export function tooled(work: Jobs, crashed: Crashed, job: Job, tool: ReadyTool, args: JsonObject): void {
  judge(work, job, tool.input, args, refuse, (value) =>
    work.attempt(
      job,
      () => tool.handler(value as never, job.call as never),
      (returned) => finish(work, crashed, job, tool, returned)
    )
  )
}

/** Goes on with what a schema makes of a value. */
const judge = (
  work: Jobs,
  job: Job,
  { validate }: Validator,
  value: unknown,
  wrong: (job: Job, why: string) => void,
  then: (value: unknown) => void
): void =>
  work.attempt(
    job,
    () => validate(value),
    (judged) => {
      const validated = judged as Validated<unknown>
      if (validated.ok) then(validated.value)
      else wrong(job, inWords(validated.issues))
    }
  )

function refuse({ invoke: { call, id }, end, feed }: Job, why: string): void {
  end({ _tag: "ArgumentsRefused", why })
  feed({ _tag: "ArgumentsRefused", call, id, why })
}

function finish(work: Jobs, crashed: Crashed, job: Job, { name, output }: ReadyTool, returned: unknown): void {
  // Returned or thrown, it says the same.
  if (returned instanceof ToolFailed) throw returned
  if (output === undefined) return work.succeed(job, plainResult(returned))
  const given = returned instanceof Structured ? returned.value : returned
  const unfit = (job: Job, why: string): void => {
    const error = new TypeError(`its result does not fit its output schema: ${why}`)
    work.fail(job, { _tag: "Crashed" }, error)
    crashed(name, error)
  }
  judge(work, job, output, given, unfit, (value) => {
    const result = structuredResult(value, returned)
    // What a schema without an encoding judged was the value; what goes out is its JSON.
    if (value !== given) return work.succeed(job, result)
    judge(work, job, output, result["structuredContent"], unfit, () => work.succeed(job, result))
  })
}

const inWords = (issues: ReadonlyArray<Issue>): string =>
  issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
