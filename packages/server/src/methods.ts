/** Serves the methods that few servers have: reading a resource, and suggestions. Loaded when one is first asked for. */
import type { JsonObject } from "@parley/core"
import type { Invoke } from "@parley/core/server"
import type { Registry } from "./define.js"
import { gone } from "./gone.js"
import type { Job, Jobs } from "./job.js"
import { readersAsk, readResource } from "./read.js"
import { suggest } from "./suggest.js"

/** `lose` ends the job where what it was begun for is not there any more. */
export function serve(
  { attempt, succeed, fail }: Jobs,
  job: Job,
  params: JsonObject,
  from: Registry,
  lose: (job: Job, why: TypeError) => void
): void {
  const { call, invoke } = job
  switch ((invoke.target as Extract<Invoke["target"], { readonly _tag: "Method" }>).method) {
    case "resources/read": {
      const uri = params["uri"] as string
      const lost = gone(invoke, "resource", uri, from, invoke.answers && readersAsk(from, uri))
      if (lost !== undefined) return lose(job, lost)
      return attempt(
        job,
        () => readResource(from, uri, call),
        (result) => (result === undefined ? fail(job, { _tag: "ResourceUnknown", uri }) : succeed(job, result))
      )
    }
    case "completion/complete":
      return attempt(
        job,
        () => suggest(from, params, call),
        (found) => (found === undefined ? fail(job, noReference) : succeed(job, found))
      )
    default:
      return fail(job, { _tag: "Crashed" })
  }
}

const noReference = {
  _tag: "Chosen",
  code: -32602,
  message: "Invalid params for completion/complete: ref names nothing that is here"
} as const
