/** Runs handlers: what a request is about goes in, whatever they return comes out by the machine's words. */
import type { JsonObject } from "@parley/core"
import type { Invoke } from "@parley/core/server"
import type { Asks } from "./asks.js"
import type { Registry } from "./define.js"
import type { Begin, Job, Surroundings } from "./job.js"
import { jobs } from "./job.js"
import type { Made } from "./prompt.js"
import type { Tasks } from "./tasks/tasks.js"
import { waiting } from "./waiting.js"

export interface Runner {
  readonly invoke: (invoke: Invoke) => void
  readonly interrupt: (call: number, reason: string | undefined) => void
}

/** `tasks` is asked, and loaded, only when a call is to be a task, or about one. */
export function runner(registry: () => Registry, surroundings: Surroundings, tasks: () => Promise<Tasks>): Runner {
  const work = jobs(surroundings)
  const { begin, attempt, succeed, fail } = work
  const calls = waiting()

  function invoke(invoke: Invoke): void {
    const { target } = invoke
    const before = calls.back(invoke)
    const from = before?.registry ?? registry()
    const how = (): Begin => ({
      once: before?.once,
      waits: (once) => calls.keep(invoke.id, { registry: from, once })
    })
    switch (target._tag) {
      case "Tool": {
        const tool = from.tools.get(target.name)
        const asks = tool?.options.asks
        const lost = gone(invoke, "tool", target.name, tool, asks)
        if (tool === undefined || lost !== undefined) return lose(begin(invoke, target.name, undefined), lost)
        const { task, arguments: args } = target
        if (task !== undefined) return void tasks().then(({ create }) => create(work, invoke, tool, args, task))
        return work.run(begin(invoke, target.name, asks, asks && how()), tool, args)
      }
      case "Prompt": {
        const prompt = from.prompts.get(target.name)
        const asks = prompt?.options.asks
        const lost = gone(invoke, "prompt", target.name, prompt, asks)
        if (prompt === undefined || lost !== undefined) return lose(begin(invoke, target.name, undefined), lost)
        const job = begin(invoke, target.name, asks, asks && how())
        return attempt(
          job,
          () => prompt.make(target.arguments as never, job.call as never),
          (made) => succeed(job, prompt.result(made as Made))
        )
      }
      case "Method":
        return method(invoke, target.method, target.params ?? {}, from, how)
    }
  }

  function method(invoke: Invoke, name: string, params: JsonObject, from: Registry, how: () => Begin): void {
    switch (name) {
      case "resources/read":
        return read(begin(invoke, `${name} of ${shown(params["uri"] as string)}`, {}, how()), params, from)
      case "completion/complete":
        return complete(begin(invoke, name, undefined), params)
      default:
        if (from.extensions.some(({ serve }) => serve(work, invoke, name, params))) return
        if (!name.startsWith("tasks/")) return fail(begin(invoke, name, undefined), { _tag: "Crashed" })
        return void tasks().then(({ serve }) => serve(work, invoke, name, params))
    }
  }

  function lose(job: Job, error: TypeError | undefined): void {
    fail(job, { _tag: "Told", text: error?.message ?? "" }, error)
    surroundings.crashed(job.what, error)
  }

  /** This and what follows is loaded when it is first needed: most servers have tools only. */
  function read(job: Job, params: JsonObject, from: Registry): void {
    const uri = params["uri"] as string
    attempt(
      job,
      async () => {
        const { invoke } = job
        const asks = invoke.answers && (await import("./readers.js")).readersAsk(from, uri)
        const lost = gone(invoke, "resource", uri, from, asks)
        return lost ?? (await import("./read.js")).readResource(from, params, job.call)
      },
      (result) => {
        if (result instanceof TypeError) return lose(job, result)
        return result === undefined ? fail(job, { _tag: "ResourceUnknown", uri }) : succeed(job, result)
      }
    )
  }

  function complete(job: Job, params: JsonObject): void {
    attempt(
      job,
      async () => (await import("./suggest.js")).suggest(registry(), params, job.call),
      (found) => (found === undefined ? fail(job, noReference) : succeed(job, found))
    )
  }

  return { invoke, interrupt: work.interrupt }
}

/** Why what is to run can not: it is not there, or it was answered what it does not ask, or another kind of question. */
function gone(invoke: Invoke, kind: string, name: string, there: unknown, asks: Asks = {}): TypeError | undefined {
  if (there === undefined) return new TypeError(`The ${kind} ${name} is not there any more`)
  const { answers } = invoke
  if (answers === undefined) return undefined
  const [one] = Object.values(asks)
  const asked = Object.keys(answers).filter((key) => !key.startsWith("#"))
  const odd = one === undefined ? asked[0] : one.asking.stray(asks, asked, invoke)
  if (odd === undefined) return undefined
  const why = `does not ask ${odd} any more, so it can not go on with the answer: call it anew`
  return new TypeError(`The ${kind} ${name} ${why}`)
}

/** A URI as its RFC has it: a client's own words may be anything. */
const shown = (uri: string): string => uri.slice(0, 300).replace(/[^!-~]/g, "?")

const noReference = {
  _tag: "Chosen",
  code: -32602,
  message: "Invalid params for completion/complete: ref names nothing that is here"
} as const
