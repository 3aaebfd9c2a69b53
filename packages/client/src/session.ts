/** One open session: calls out, replies in, each settled exactly once. */
import type { JsonObject, Peer, Report } from "@parley/core"
import { isObject } from "@parley/core"
import type { ClientDefinition, ClientState, ClientTimer, Input, Output, Prior } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { Channel, Clock, Closed, Driver } from "@parley/driver"
import { drive } from "@parley/driver"
import { calmly, inBrief, said } from "./calmly.js"
import { CallError } from "./error.js"
import { headed } from "./headed.js"
import { onAbort } from "./on-abort.js"

export interface CallOptions {
  /** How long to wait for the reply, in ms. `Infinity`: without limit, as for `totalMs`. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number
  /** Progress restarts the wait, up to `totalMs`. Asks the server for progress even without `onProgress`. Default false. */
  readonly resetOnProgress?: boolean
  /**
   * How long to wait in all, in ms: for all the requests that one call takes, for the user who answers in between, and for all the
   * pages of a list. Default 600,000 for lists and where progress restarts the wait; else none but `timeoutMs` for each request.
   */
  readonly totalMs?: number
  /** Told of the server's progress. */
  readonly onProgress?: (progress: Progress) => void
  /** Withdraws the request when it is aborted: the server is told, and the call rejects. */
  readonly signal?: AbortSignal
}

export interface Progress {
  readonly progress: number
  readonly total: number | undefined
  readonly message: string | undefined
}

export interface Opened {
  readonly asked: string
  readonly peer: Peer
  readonly instructions: string | undefined
  readonly prior: Prior
}

export interface SessionOptions {
  readonly definition: ClientDefinition
  readonly openingMs: number
  readonly probeMs: number
  readonly prior: Prior | undefined
  readonly timeoutMs: number
  readonly report: ((report: Report) => void) | undefined
  readonly notice: (method: string, params: JsonObject | undefined) => void
  /** The server asks; the answer is fed back. */
  readonly ask: (ask: Extract<Output, { readonly _tag: "Ask" }>, server: Peer) => void
  readonly withdraw: (ask: number, reason: string | undefined) => void
  /** How long a question may stay open, in ms. */
  readonly askMs: number
  /** Told of each call that failed, before its caller is. */
  readonly failed: (error: CallError) => void
  readonly clock: Clock | undefined
  /** What goes into the `_meta` of each request. */
  readonly meta: (() => JsonObject | undefined) | undefined
  /** The level of the log messages wanted while a request is served, where requests say so. */
  readonly logLevel: () => string | undefined
  /** What of a tool's arguments is said in headers, on a channel that has them. */
  readonly mirrored: (params: JsonObject) => ReadonlyArray<readonly [header: string, value: string]>
  /** The session was lost, and another one is open; where there are none, another connection is. */
  readonly reopened: () => void
}

/** What is left to do when the driver has done its part. */
type Performed = Exclude<Output, { readonly _tag: "Send" | "StartTimer" | "StopTimer" | "Close" }>

export type Request = (
  method: string,
  params: JsonObject | undefined,
  options: CallOptions,
  hooks?: Hooks
) => Promise<JsonObject>

/** Told in the moment, when nothing else of the conversation has been heard since. */
export interface Hooks {
  /** The call's number, which is also its progress token, before anything can come of it. */
  readonly called?: (call: number) => void
  /** `rounds`: how many requests it took, when the server asked before it answered. */
  readonly answered?: (result: JsonObject, rounds: number | undefined) => void
  /** What is answered when it ends has begun, with what it will tell of. */
  readonly acknowledged?: (honoured: JsonObject) => void
}

export interface Session {
  /** Whether its channel says in headers what messages are about. */
  readonly headers: boolean
  /** Whether its channel goes on over further connections. */
  readonly returns: boolean
  readonly opened: Promise<Opened>
  readonly closed: Promise<Closed>
  readonly request: Request
  readonly feed: (input: Input) => void
  readonly close: () => Promise<void>
}

interface Pending {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: CallError) => void
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly hooks: Hooks | undefined
  /** Stops listening to the caller's signal. */
  readonly forget: (() => void) | undefined
}

export function session(channel: Channel, options: SessionOptions): Session {
  const { definition, openingMs, report, notice, clock } = options
  const machine = clientMachine(definition, {
    openingMs,
    probeMs: options.probeMs,
    ...(options.prior && { prior: options.prior }),
    askMs: options.askMs,
    cancels: channel.cancels,
    salt: crypto.getRandomValues(new Int32Array(1))[0]!
  })
  const pending = new Map<number, Pending>()
  let server: Peer | undefined
  let fulfil: (opened: Opened) => void
  let refuse: (error: CallError) => void
  const opened = new Promise<Opened>((resolve, reject) => {
    fulfil = resolve
    refuse = reject
  })

  const driver: Driver<ClientState, Input, Output> = drive<ClientState, Input, Output, ClientTimer["of"]>({
    machine,
    channel,
    perform,
    patience,
    unsent: (message, error) => {
      if (!("method" in message) || !("id" in message)) return
      driver.feed({ _tag: "Unsent", call: message.id as number, why: inBrief(error) })
    },
    ended: (why) => ({ _tag: "PeerClosed", detail: inWords(why) }),
    unserved: (frame) => frame,
    headed: (message) => headed(options, driver.state().phase, message),
    ...(clock === undefined ? {} : { clock })
  })
  driver.feed({ _tag: "Open" })

  function perform(output: Performed): void {
    switch (output._tag) {
      case "Settle":
        return settle(output)
      case "Progress":
        return calmly(pending.get(output.call)?.onProgress, {
          progress: output.progress,
          total: output.total,
          message: output.message
        })
      case "Opened":
        server = output.peer
        return fulfil(output)
      case "Reopened":
        server = output.peer
        return options.reopened()
      case "OpenFailed":
        return refuse(new CallError(output.failure))
      case "Notice":
        return notice(output.method, output.params)
      case "Acknowledged":
        return pending.get(output.call)?.hooks?.acknowledged?.(output.honoured)
      case "Report":
        return report?.(output.report)
      case "Abort":
        return channel.abort(output.id)
      case "WithdrawAsk":
        return options.withdraw(output.ask, output.reason)
      case "Ask":
        // The machine refuses what is asked before it is open.
        return options.ask(output, server!)
    }
  }

  function settle({ call, outcome }: Extract<Output, { _tag: "Settle" }>): void {
    const waiting = pending.get(call)
    if (waiting === undefined) return
    pending.delete(call)
    waiting.forget?.()
    if (outcome._tag === "Succeeded") {
      waiting.hooks?.answered?.(outcome.result, outcome.rounds)
      return waiting.resolve(outcome.result)
    }
    const error = new CallError(outcome.error)
    if (outcome.error._tag === "ResultInvalid")
      report?.({ _tag: "Ignored", method: outcome.error.method, id: call, why: error.message })
    options.failed(error)
    waiting.reject(error)
  }

  let last = 0

  const request: Request = (method, params, wishes, hooks) => {
    const { onProgress, signal, resetOnProgress = false } = wishes
    const meta = options.meta === undefined ? undefined : said(options.meta)
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true)
        return reject(new CallError({ _tag: "Abandoned", method, reason: inBrief(signal.reason) }))
      const call = (last = Math.max(last, driver.state().last) + 1)
      hooks?.called?.(call)
      const forget = signal === undefined ? undefined : listen(signal, call)
      pending.set(call, { resolve, reject, onProgress, forget, hooks })
      try {
        driver.feed({
          _tag: "Called",
          call,
          method,
          params: !isObject(meta) ? params : { ...params, _meta: { ...meta, ...(params?.["_meta"] as object) } },
          logLevel: options.logLevel(),
          timeoutMs: wishes.timeoutMs ?? options.timeoutMs,
          totalMs: wishes.totalMs ?? (resetOnProgress ? defaultTotalMs : undefined),
          resetOnProgress,
          progress: onProgress !== undefined
        })
      } catch (error) {
        // What is no JSON may throw when it is read.
        const problem = { at: "", expected: `JSON: ${inBrief(error)}` }
        settle({ _tag: "Settle", call, outcome: { _tag: "Failed", error: { _tag: "ParamsInvalid", method, problem } } })
      }
    })
  }

  function listen(signal: AbortSignal, call: number): () => void {
    return onAbort(signal, () => driver.feed({ _tag: "Abandoned", call, reason: inBrief(signal.reason) }))
  }

  return {
    headers: channel.headers === true,
    returns: channel.returns === true,
    opened,
    closed: driver.closed,
    request,
    feed: driver.feed,
    close: async () => {
      driver.feed({ _tag: "Stopping" })
      await driver.closed
    }
  }
}

/** Answers to the server's own questions that may wait while it does not read, before we stop reading too. */
const patience = 1_024

export const defaultTotalMs = 600_000

const inWords = (why: Closed): string => {
  switch (why._tag) {
    case "Ended":
      return "the server ended the conversation"
    case "Gone":
      return why.detail
    case "Closed":
      return "the client closed it"
  }
}
