/** A session with a server that is elsewhere, as a machine: what comes is passed on, and replies find the exchange that asked. */
import type { JsonObject, Message, Peer, Request, RequestId } from "@parley/core"
import { errorOf, isObject, member, read } from "@parley/core"
import type { Input, Output, ServerMachine } from "@parley/core/server"

/** What happens to it beside what happens to any server's machine. */
export type Relayed =
  /** The server said something. `text`: as it was written. `listens`: whether the client hears what it did not ask for. */
  | { readonly _tag: "Said"; readonly json: unknown; readonly text?: string | undefined; readonly listens: boolean }
  /** It is gone, or can not be had. */
  | { readonly _tag: "Lost"; readonly why: string }

/** A request that is not answered yet. */
interface Asked {
  readonly id: RequestId
  readonly method: string
  readonly via: string
  /** By which its progress is told. */
  readonly token: unknown
}

type Phase =
  | { readonly _tag: "Unopened" | "Closed" }
  /** The server answered `initialize`. */
  | { readonly _tag: "Opened" | "Ready"; readonly peer: Peer }

interface State {
  readonly phase: Phase
  /** The oldest first. */
  readonly inFlight: ReadonlyArray<Asked>
  readonly stopping: boolean
}

type Step = readonly [State, ReadonlyArray<Output>]

/** Where what is to be written to the server is put out: as the params of a `Notice`. */
export const passed = (output: Output): unknown => (output._tag === "Notice" ? output.params : undefined)

const pass = (json: unknown): Output => ({ _tag: "Notice", method: "", params: json as JsonObject })

/** Requests of one session that are not answered yet; one more is refused. */
const most = 1_000

const initial: State = { phase: { _tag: "Unopened" }, inFlight: [], stopping: false }

/**
 * Adapters see a server's machine of which they use `step`, `phase`, and of what `encode` tells the requests that are under way.
 * The definition is the server's own affair, so there is one machine for all of them.
 */
export const relay = {
  initial,
  step,
  encode: ({ phase, inFlight }: State) => ({ phase, inFlight, batches: [] }),
  decode: () => ({ ok: false, error: "stale" })
} as unknown as ServerMachine

function step(state: State, input: Input | Relayed): Step {
  if (state.phase._tag === "Closed") return [state, []]
  switch (input._tag) {
    case "Received":
      return Array.isArray(input.json)
        ? receivedBatch(state, input.json as ReadonlyArray<unknown>, input.via)
        : received(state, input.json, input.via)
    case "Said":
      return said(state, input.json, input.text, input.listens)
    case "Lost":
      return over(state, input.why)
    case "Stopping":
      if (state.inFlight.length === 0) return over(state, "")
      return [{ ...state, stopping: true }, [{ _tag: "StartTimer", timer: { of: "drain", call: 0 }, ms: 5_000 }]]
    case "TimerFired":
      return over(state, errorOf({ _tag: "Stopping" }).message)
    case "PeerClosed":
    case "InputEnded":
      // The session is its client's to end. Whoever still waits learns of it from the adapter, as of any session.
      return [closed, [{ _tag: "Close", reason: "the client closed the session" }]]
    default:
      // 2025-11-25 basic/transports: an exchange that ends cancels nothing.
      return [state, []]
  }
}

function received(state: State, json: unknown, via: string): Step {
  const envelope = read(json)
  switch (envelope._tag) {
    case "Request":
      return asked(state, [envelope.message], envelope.message, via)
    case "Notification":
      return notified(state, envelope.message.method, envelope.message.params, json)
    case "Result":
    case "Error":
      return [state, [pass(json)]]
    case "Malformed": {
      const error = errorOf({ _tag: "InvalidRequest", why: envelope.why })
      return [state, [send(envelope.id === undefined ? { jsonrpc: "2.0", error } : refusal(envelope.id, error), via)]]
    }
  }
}

/** 2025-03-26 alone has batches. The server sees to what is in them. */
function receivedBatch(state: State, batch: ReadonlyArray<unknown>, via: string): Step {
  if (!("peer" in state.phase) || state.phase.peer.revision !== "2025-03-26") {
    const why = "this version has no batches; send one message at a time"
    return [state, [send({ jsonrpc: "2.0", error: errorOf({ _tag: "BatchRefused", why }) }, via)]]
  }
  const requests = batch.flatMap((one) => {
    const envelope = read(one)
    return envelope._tag === "Request" ? [envelope.message] : []
  })
  return asked(state, requests, batch, via)
}

function asked(state: State, requests: ReadonlyArray<Request>, json: unknown, via: string): Step {
  const used = requests.find(({ id }, at) => isUsed(state, id) || requests.slice(0, at).some((one) => one.id === id))
  const failure =
    used !== undefined
      ? ({ _tag: "IdInUse", id: used.id } as const)
      : state.inFlight.length + requests.length > most
        ? ({ _tag: "TooManyRequests", limit: most } as const)
        : undefined
  if (failure !== undefined) {
    const replies = requests.map(({ id }) => refusal(id, errorOf(failure)))
    return [state, replies.map((reply, at) => send(reply, via, at === replies.length - 1))]
  }
  const entries = requests.map(({ id, method, params }): Asked => {
    return { id, method, via, token: member(params?.["_meta"], "progressToken") }
  })
  return [{ ...state, inFlight: [...state.inFlight, ...entries] }, [pass(json)]]
}

const isUsed = ({ inFlight }: State, id: RequestId): boolean => inFlight.some((one) => one.id === id)

function notified(state: State, method: string, params: JsonObject | undefined, json: unknown): Step {
  const { phase, inFlight } = state
  if (method === "notifications/initialized" && phase._tag === "Opened")
    return [{ ...state, phase: { _tag: "Ready", peer: phase.peer } }, [pass(json)]]
  if (method !== "notifications/cancelled") return [state, [pass(json)]]
  const entry = inFlight.find(({ id, method }) => id === params?.["requestId"] && method !== "initialize")
  if (entry === undefined) return [state, [pass(json)]]
  const reason = typeof params?.["reason"] === "string" ? params["reason"] : undefined
  const report = { _tag: "Cancelled", id: entry.id, method: entry.method, reason } as const
  return [{ ...state, inFlight: inFlight.filter((one) => one !== entry) }, [pass(json), { _tag: "Report", report }]]
}

function said(state: State, json: unknown, text: string | undefined, listens: boolean): Step {
  if (!Array.isArray(json)) return saidOne(state, json, text, listens)
  let [next, outputs]: Step = [state, []]
  for (const one of json as ReadonlyArray<unknown>) {
    const [after, more] = saidOne(next, one, undefined, listens)
    next = after
    outputs = [...outputs, ...more]
  }
  return [next, outputs]
}

function saidOne(state: State, json: unknown, text: string | undefined, listens: boolean): Step {
  const envelope = read(json)
  switch (envelope._tag) {
    case "Result":
    case "Error":
      return replied(state, envelope.message, text)
    case "Notification":
    case "Request":
      return told(state, envelope.message, text, listens)
    case "Malformed":
      return [state, []]
  }
}

function replied(state: State, reply: Message, text: string | undefined): Step {
  const entry = state.inFlight.find((one) => one.id === (reply as { readonly id?: unknown }).id)
  // It was withdrawn, or was never asked.
  if (entry === undefined) return [state, []]
  const inFlight = state.inFlight.filter((one) => one !== entry)
  const last = inFlight.every(({ via }) => via !== entry.via)
  const answer: Output = { _tag: "Send", message: reply, via: entry.via, last, text }
  const opening = entry.method === "initialize" && state.phase._tag === "Unopened"
  if (opening && !("result" in reply)) return [closed, [answer, { _tag: "Close", reason: "it was not opened" }]]
  const phase = opening ? openedBy((reply as { readonly result: JsonObject }).result) : state.phase
  if (state.stopping && inFlight.length === 0)
    return [closed, [answer, { _tag: "Close", reason: "everything was answered" }]]
  return [{ ...state, phase, inFlight }, [answer]]
}

function openedBy({ protocolVersion, capabilities, serverInfo }: JsonObject): Phase {
  const peer = {
    revision: protocolVersion as Peer["revision"],
    capabilities: isObject(capabilities) ? capabilities : {},
    info: isObject(serverInfo) ? serverInfo : undefined
  }
  return { _tag: "Opened", peer }
}

/** A notification or a question of the server's: it goes where its request came from, as far as that can be told. */
function told(state: State, message: Message, text: string | undefined, listens: boolean): Step {
  const { inFlight } = state
  const { method, params } = message as Request
  const by = (via: string | undefined): Step => [state, [{ _tag: "Send", message, via, last: false, text }]]
  if (method === "notifications/progress") {
    const entry = inFlight.find(({ token }) => token !== undefined && token === params?.["progressToken"])
    return entry === undefined ? [state, []] : by(entry.via)
  }
  // What changed belongs to no request.
  const isNews = /^notifications\/(.+\/)?(list_changed|updated)$/.test(method)
  if (isNews) return listens ? by(undefined) : [state, []]
  const [only, ...others] = inFlight
  if (only !== undefined && (others.length === 0 || !listens)) return by(inFlight.at(-1)!.via)
  if (listens) return by(undefined)
  if (!("id" in message)) return [state, []]
  // It would wait for ever.
  const why = "the client has no stream open by which it could be asked"
  return [state, [pass(refusal((message as Request).id, { code: -32603, message: why }))]]
}

/** Whoever waits is told why, and nothing follows. */
function over({ inFlight }: State, why: string): Step {
  const message = why === "" ? errorOf({ _tag: "Stopping" }).message : why
  const replies = inFlight.map(({ id, via }, at) =>
    send(
      refusal(id, { code: -32603, message }),
      via,
      inFlight.slice(at + 1).every((one) => one.via !== via)
    )
  )
  return [closed, [...replies, { _tag: "Close", reason: message }]]
}

const closed: State = { phase: { _tag: "Closed" }, inFlight: [], stopping: true }

const refusal = (id: RequestId, error: { readonly code: number; readonly message: string }): Message => ({
  jsonrpc: "2.0",
  id,
  error
})

const send = (message: Message, via: string, last = true): Output => ({
  _tag: "Send",
  message,
  via,
  last,
  text: undefined
})
