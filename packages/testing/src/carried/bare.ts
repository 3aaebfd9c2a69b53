/** The bare core as a carrier: the machine is stepped, its handlers run, and nothing is between. */
import type { Json } from "@parley/core"
import type { Input, Output, Send } from "@parley/core/server"
import { host } from "@parley/server/host"
import type { Carrier, Heard } from "./carrier.js"
import type { Stage } from "./stage.js"

export interface Bare extends Carrier {
  /** Settles when everything that follows from what has happened has happened. */
  readonly settled: () => Promise<void>
}

export async function bare({ live }: Stage, hear: (heard: Heard) => void): Promise<Bare> {
  const hosting = host(live, { crashed: () => undefined, report: () => undefined })
  await hosting.ready
  let machine = hosting.machine("message")
  let state = machine.initial
  let sealing = 0
  let moved = 0
  let waiting: Array<Input> | undefined
  const performer = hosting.performer({
    feed,
    peer: () => ("peer" in state.phase ? state.phase.peer : undefined),
    congested: () => false
  })

  function feed(input: Input): void {
    moved++
    if (input._tag === "Sealed" || input._tag === "Unsealed") sealing--
    if (waiting !== undefined) return void waiting.push(input)
    waiting = [input]
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [after, outputs] = machine.step(state, next)
      state = after
      for (const output of outputs) put(output, next)
    }
    waiting = undefined
  }

  function fed(input: Input): undefined {
    feed(input)
    return undefined
  }

  function put(output: Output, because: Input): void {
    switch (output._tag) {
      case "Send":
        return heard(output)
      case "StartTimer":
      case "StopTimer":
      case "Close":
        return
      case "Seal":
      case "Unseal":
        sealing++
        return performer.perform(output, because)
      default:
        return performer.perform(output, because)
    }
  }

  function heard({ via, message, text }: Send): void {
    hear({
      by: via === undefined ? undefined : Number(via),
      message: JSON.parse(text ?? JSON.stringify(message)) as Json
    })
  }

  const forget = live.onChange((change) => {
    if (change._tag === "Completed") return performer.visits.completed(change.elicitationId)
    if (change._tag === "Changed") machine = hosting.machine("message")
    feed(change)
  })

  return {
    say: (json, deed) => fed({ _tag: "Received", json, via: String(deed) }),
    garble: (_, deed) => fed({ _tag: "Garbled", why: "json", via: String(deed) }),
    cancel: ({ id }, deed) => fed({ _tag: "Received", json: cancelled(id), via: String(deed) }),
    settled: async () => {
      for (let still = 0, before = -1; still < 4; before = moved) {
        await turn()
        still = sealing > 0 || moved !== before ? 0 : still + 1
      }
    },
    close: async () => {
      forget()
      feed({ _tag: "PeerClosed" })
      await performer.end()
    }
  }
}

/** Lets everything that waits for nothing but its turn have it. */
export const turn = (): Promise<void> => new Promise((resolve) => later(resolve))

const later: (call: () => void) => void =
  (globalThis as { readonly setImmediate?: (call: () => void) => void }).setImmediate ??
  ((call) => void setTimeout(call, 0))

export const cancelled = (requestId: string | number): Json => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId }
})
