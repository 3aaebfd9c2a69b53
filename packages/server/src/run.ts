/** Runs handlers: what a request is about goes in, whatever they return comes out by the machine's words. */
import type { JsonObject } from "@parley/core"
import type { Invoke } from "@parley/core/server"
import type { Registry } from "./define.js"
import type { Begin, Job, Surroundings } from "./job.js"
import { jobs } from "./job.js"
import { gone } from "./gone.js"
import type { Made } from "./prompt.js"
import type { Tasks } from "./tasks/tasks.js"
import type { Waiting } from "./waiting.js"

type Methods = typeof import("./methods.js")

type ToolTarget = Extract<Invoke["target"], { readonly _tag: "Tool" }>

export interface Runner {
  readonly invoke: (invoke: Invoke) => void
  readonly interrupt: (call: number, reason: string | undefined) => void
}

/** `tasks` is asked, and loaded, only when a call is to be a task, or about one. */
export function runner(registry: () => Registry, surroundings: Surroundings, tasks: () => Promise<Tasks>): Runner {
  const work = jobs(surroundings)
  const { begin, attempt, succeed, fail } = work
  let calls: Waiting | undefined

  function invoke(invoke: Invoke): void {
    const { target } = invoke
    const before = calls?.back(invoke)
    const from = before?.registry ?? registry()
    const how = (): Begin => ({
      once: before?.once,
      waits: (once, waiting) => (calls ??= waiting()).keep(invoke.id, { registry: from, once })
    })
    if (target._tag === "Method") return method(invoke, target.method, target.params ?? {}, from, how)
    const { name } = target
    const item = target._tag === "Tool" ? from.tools.get(name) : from.prompts.get(name)
    const asks = item?.options.asks
    const lost = gone(invoke, target._tag.toLowerCase(), name, item, asks)
    if (item === undefined || lost !== undefined) return lose(begin(invoke, name, undefined), lost)
    if (item._tag === "Tool") {
      const { task, arguments: args } = target as ToolTarget
      if (task !== undefined) return void tasks().then(({ create }) => create(work, invoke, item, args, task))
      return work.run(begin(invoke, name, asks, asks && how()), item, args)
    }
    const job = begin(invoke, name, asks, asks && how())
    attempt(
      job,
      () => item.make(target.arguments as never, job.call as never),
      (made) => succeed(job, item.result(made as Made))
    )
  }

  /** What follows is loaded when it is first needed: most servers have tools only. */
  function method(invoke: Invoke, name: string, params: JsonObject, from: Registry, how: () => Begin): void {
    if (from.extensions.some(({ serve }) => serve(work, invoke, name, params))) return
    if (name.startsWith("tasks/")) return void tasks().then(({ serve }) => serve(work, invoke, name, params))
    const { uri } = params
    const job = begin(invoke, typeof uri === "string" ? `${name} of ${shown(uri)}` : name, {}, how())
    const load = (): unknown => import("./methods.js")
    attempt(job, load, (loaded) => (loaded as Methods).serve(work, job, params, from, lose))
  }

  function lose(job: Job, error: TypeError | undefined): void {
    fail(job, { _tag: "Told", text: error?.message ?? "" }, error)
    surroundings.crashed(job.what, error)
  }

  return { invoke, interrupt: work.interrupt }
}

/** A URI as its RFC has it: a client's own words may be anything. */
const shown = (uri: string): string => uri.slice(0, 300).replace(/[^!-~]/g, "?")
