/** One piece of work for a handler: begun, waited for, and told of exactly once. */
import type { JsonObject } from "@parley/core"
import type { CallFailure, Input, Invoke } from "@parley/core/server"
import { isThenable } from "./calmly.js"
import type { Here } from "./asker.js"
import type { Asks } from "./asks.js"
import { RunningCall } from "./running-call.js"
import type { Told } from "./failed.js"
import { Telling } from "./failed.js"
import type { Once } from "./once.js"
import { OtherResult } from "./other-result.js"
import { unsayable } from "./sayable.js"
import type { ReadyTool } from "./tool.js"
import { tooled } from "./tooled.js"
import type { Outcome, Span, Tracing } from "./tracing.js"
import type { Visits } from "./visits.js"
import type { Waiting } from "./waiting.js"

/** Told of what goes wrong inside handlers: the client never is. `what` names the tool, prompt, method or what is read. */
export type Crashed = (what: string, error: unknown) => void

export interface Job {
  readonly invoke: Invoke
  readonly call: RunningCall
  /** The tool, prompt, method or what is read, for people. */
  readonly what: string
  readonly feed: (input: Input) => void
  readonly end: (outcome: Outcome) => void
  readonly span: Span | undefined
}

/** How a call differs from one that begins now and is heard by the machine. */
export interface Begin {
  readonly feed?: (input: Input) => void
  /** What earlier runs in this process did once. */
  readonly once?: Once | undefined
  /** Called when it begins to wait for answers that come to this process, with what it did once. */
  readonly waits?: (once: Once | undefined, waiting: () => Waiting) => void
}

export interface Jobs {
  readonly begin: (invoke: Invoke, what: string, asks: Asks | undefined, how?: Begin) => Job
  /** Runs a tool to its end. */
  readonly run: (job: Job, tool: ReadyTool, args: JsonObject) => void
  /** Goes on with what the work comes to: at once where it can, else when its promise or Effect is done. */
  readonly attempt: (job: Job, work: () => unknown, then: (value: unknown) => void) => void
  readonly succeed: (job: Job, result: unknown) => void
  readonly fail: (job: Job, failure: CallFailure, error?: unknown) => void
  readonly interrupt: (call: number, reason: string | undefined) => void
}

export interface Surroundings {
  readonly feed: (input: Input) => void
  readonly crashed: Crashed
  readonly tracing: Tracing | undefined
  readonly visits: Visits
  readonly session: number
}

export function jobs({ feed, crashed, tracing, visits, session }: Surroundings): Jobs {
  const pending = new Map<number, Job>()

  function begin(invoke: Invoke, what: string, asks: Asks | undefined, how: Begin = {}): Job {
    const span = tracing?.begin({ target: invoke.target, id: invoke.id, peer: invoke.peer, meta: invoke.meta, session })
    const end = span?.end ?? untraced
    const to = how.feed ?? feed
    const behind = asks && {
      once: how.once,
      waits: (here: Here | undefined, pages: ReadonlyArray<string>) => {
        pending.delete(invoke.call)
        end({ _tag: "Suspended" })
        if (here !== undefined) how.waits?.(here.once, here.waiting)
        pages.forEach(visits.asked)
      },
      // The handler did what none may do: its call ends, whatever it makes of that.
      misplaced: (error: TypeError) => {
        crashed(what, error)
        if (call.over || call.finished) return
        pending.delete(invoke.call)
        fail(job, { _tag: "Crashed" }, error)
        call.interrupt("the handler failed")
      }
    }
    const call = new RunningCall(invoke, to, behind)
    const job: Job = { invoke, what, call: asks === undefined ? call : call.may(asks), feed: to, end, span }
    return job
  }

  function attempt(job: Job, work: () => unknown, then: (value: unknown) => void): void {
    // Withdrawn before it came to this: nobody wants it to begin.
    if (job.call.over) return
    let value: unknown
    try {
      const { call, span } = job
      value = span === undefined ? call.value(work()) : span.run(() => call.value(work()))
      // A foreign thenable may throw, or settle twice.
      if (isThenable(value)) return wait(job, Promise.resolve(value), then)
      if (!job.call.finished) go(job, value, then)
    } catch (error) {
      thrown(job, error)
    }
  }

  /** Only what waits can be interrupted. */
  function wait(job: Job, promise: Promise<unknown>, then: (value: unknown) => void): void {
    const { call } = job.invoke
    pending.set(call, job)
    // A run that is about to wait for answers can still be withdrawn.
    const forget = (): void => void (!isSuspended(job) && pending.get(call) === job && pending.delete(call))
    promise
      .then((value) => {
        forget()
        if (!isSuspended(job) && !job.call.finished) go(job, value, then)
      })
      .catch((error: unknown) => {
        forget()
        thrown(job, error)
      })
  }

  function go(job: Job, value: unknown, then: (value: unknown) => void): void {
    if (value instanceof OtherResult) succeed(job, value.to(job.invoke))
    else then(value)
  }

  function thrown(job: Job, error: unknown): void {
    const { call, what, invoke } = job
    if (isSuspended(job) || call.finished) return
    const told = toldBy(error, invoke)
    if (told !== undefined) {
      if ("again" in told) return told.again(job)
      told.visits?.forEach(visits.asked)
      return fail(job, told.failure, error)
    }
    // What a handler throws because it was interrupted surprises nobody.
    const surprise = !call.over
    fail(job, { _tag: "Crashed" }, error)
    if (surprise) crashed(what, error)
  }

  function succeed(job: Job, result: unknown): void {
    const why = unsayable(result)
    if (why !== undefined) {
      const error = new TypeError(`its result can not be written as JSON: ${why}`)
      fail(job, { _tag: "Crashed" }, error)
      return crashed(job.what, error)
    }
    const { invoke, call: running, end, feed } = job
    const { call, id } = invoke
    running.finish()
    end({ _tag: "Succeeded", result })
    feed({ _tag: "Succeeded", call, id, result })
  }

  function fail({ invoke: { call, id }, call: running, end, feed }: Job, failure: CallFailure, error?: unknown) {
    running.finish()
    end({ _tag: "Failed", failure, error })
    feed({ _tag: "Failed", call, id, failure })
  }

  function interrupt(call: number, reason: string | undefined): void {
    const job = pending.get(call)
    // It may never settle: nothing is kept of it.
    pending.delete(call)
    job?.call.interrupt(reason)
    job?.end({ _tag: "Interrupted" })
  }

  const work: Jobs = {
    begin,
    run: (job, tool, args) => tooled(work, crashed, job, tool, args),
    attempt,
    succeed,
    fail,
    interrupt
  }
  return work
}

/** A run that ends to wait for answers has nothing more to say. */
const isSuspended = ({ call }: Job): boolean => call.asker?.suspended === true

const untraced = (): void => undefined

/** What a handler threw says, when it is made to say something: even asking what it is may throw. */
function toldBy(error: unknown, invoke: Invoke): Told | undefined {
  try {
    return error instanceof Telling ? error.tell(invoke) : undefined
  } catch {
    return undefined
  }
}
