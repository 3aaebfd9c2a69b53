/** One open session: calls out, replies in, each settled exactly once. */
import type { JsonObject, Peer, Report } from "@parley/core"
import type { ClientDefinition, ClientState, ClientTimer, Input, Output } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { Channel, Clock, Closed } from "@parley/driver"
import { drive } from "@parley/driver"
import { CallError } from "./error.js"

export interface CallOptions {
  /** How long to wait for the reply, in ms. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number
  /** Progress restarts the wait, up to `totalMs`. Asks the server for progress even without `onProgress`. Default false. */
  readonly resetOnProgress?: boolean
  /** How long to wait in all, in ms, when progress restarts the wait, and for all the pages of a list. Default 600,000. */
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
}

export interface SessionOptions {
  readonly definition: ClientDefinition
  readonly openingMs: number
  readonly timeoutMs: number
  readonly report: ((report: Report) => void) | undefined
  readonly notice: (method: string, params: JsonObject | undefined) => void
  readonly clock: Clock | undefined
}

/** What is left to do when the driver has done its part. */
type Performed = Exclude<Output, { readonly _tag: "Send" | "StartTimer" | "StopTimer" | "Close" }>

export interface Session {
  readonly opened: Promise<Opened>
  readonly closed: Promise<Closed>
  readonly request: (method: string, params: JsonObject | undefined, options: CallOptions) => Promise<JsonObject>
  readonly close: () => Promise<void>
}

interface Pending {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: CallError) => void
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** Stops listening to the caller's signal. */
  readonly forget: (() => void) | undefined
}

export function session(channel: Channel, options: SessionOptions): Session {
  const { definition, openingMs, report, notice, clock } = options
  const machine = clientMachine(definition, {
    openingMs,
    cancels: channel.cancels,
    salt: crypto.getRandomValues(new Int32Array(1))[0]!
  })
  const pending = new Map<number, Pending>()
  let fulfil: (opened: Opened) => void
  let refuse: (error: CallError) => void
  const opened = new Promise<Opened>((resolve, reject) => {
    fulfil = resolve
    refuse = reject
  })

  const driver = drive<ClientState, Input, Output, ClientTimer["of"]>({
    machine,
    channel,
    perform,
    patience,
    unsent: (message, error) => {
      if (!("method" in message) || !("id" in message)) return
      driver.feed({ _tag: "Unsent", call: message.id as number, why: inBrief(error) })
    },
    ended: (why) => ({ _tag: "PeerClosed", detail: inWords(why) }),
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
        return fulfil({ asked: output.asked, peer: output.peer, instructions: output.instructions })
      case "OpenFailed":
        return refuse(new CallError(output.failure))
      case "Notice":
        return calmly(() => notice(output.method, output.params), undefined)
      case "Report":
        return calmly(report, output.report)
      case "Abort":
        return channel.abort(output.id)
      case "WithdrawAsk":
        return
      case "Ask":
        // Nothing that could be asked is declared, so the machine refuses every question itself.
        return driver.feed({
          _tag: "Declined",
          ask: output.ask,
          id: output.id,
          error: { code: -32603, message: "Not answered" }
        })
    }
  }

  function settle({ call, outcome }: Extract<Output, { _tag: "Settle" }>): void {
    const waiting = pending.get(call)
    if (waiting === undefined) return
    pending.delete(call)
    waiting.forget?.()
    if (outcome._tag === "Succeeded") waiting.resolve(outcome.result)
    else waiting.reject(new CallError(outcome.error))
  }

  let last = 0

  function request(method: string, params: JsonObject | undefined, wishes: CallOptions): Promise<JsonObject> {
    const { onProgress, signal } = wishes
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true)
        return reject(new CallError({ _tag: "Abandoned", method, reason: inBrief(signal.reason) }))
      const call = (last = Math.max(last, driver.state().last) + 1)
      const forget = signal === undefined ? undefined : listen(signal, call)
      pending.set(call, { resolve, reject, onProgress, forget })
      try {
        driver.feed({
          _tag: "Called",
          call,
          method,
          params,
          timeoutMs: wishes.timeoutMs ?? options.timeoutMs,
          totalMs: wishes.resetOnProgress === true ? (wishes.totalMs ?? defaultTotalMs) : undefined,
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
    const aborted = (): void => driver.feed({ _tag: "Abandoned", call, reason: inBrief(signal.reason) })
    signal.addEventListener("abort", aborted, { once: true })
    return () => signal.removeEventListener("abort", aborted)
  }

  return {
    opened,
    closed: driver.closed,
    request,
    close: async () => {
      driver.feed({ _tag: "Stopping" })
      await driver.closed
    }
  }
}

/** Whatever it is; even asking may throw. */
export function inBrief(reason: unknown): string {
  try {
    return String(reason instanceof Error ? reason.message : reason)
  } catch {
    return "it can not be shown"
  }
}

/** Answers to the server's own questions that may wait while it does not read, before we stop reading too. */
const patience = 1_024

/** What a user's listener throws ends nothing but its own turn. */
function calmly<A>(tell: ((arg: A) => void) | undefined, arg: A): void {
  try {
    tell?.(arg)
  } catch (error) {
    try {
      console.error("A listener failed:", error)
    } catch {
      console.error("A listener failed, and what it threw can not be shown")
    }
  }
}

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
