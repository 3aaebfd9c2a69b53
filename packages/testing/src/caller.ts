/** A client of a few lines that calls the tools of a server and answers what they ask, but not for ever. */
import type { Json, JsonObject } from "@parley/core"
import type { Channel } from "@parley/driver"
import { drawnFrom } from "./arguments.js"
import { clientCapabilities, clientInfo, protocolVersion } from "./asker.js"
import type { Choose } from "./chance.js"
import { fields, own } from "./envelope.js"
import { saysWhoAsks } from "./specification.js"

export interface Caller {
  /** The revision in force. */
  readonly revision: unknown
  readonly call: (call: ToolCall) => Promise<Came>
  readonly close: () => Promise<void>
}

export interface ToolCall {
  readonly name: string
  readonly args: Json
  /** Whether it is made as a task, whose result is fetched. */
  readonly asTask: boolean
  /** Decides what is answered. */
  readonly choose: Choose
  /** How long it may take, in ms. */
  readonly ms: number
}

/** What a call comes to. */
export type Came =
  | { readonly _tag: "Replied"; readonly reply: JsonObject }
  | { readonly _tag: "Late" }
  /** It went on asking when all its questions were declined. */
  | { readonly _tag: "Insisted"; readonly method: string; readonly params: unknown; readonly times: number }
  | { readonly _tag: "Stopped" }

export interface CallerOptions {
  readonly version: string
  /** So many questions of a call are answered, and as many more declined. */
  readonly questions: number
  /** Ends the call that is under way, and those to come. */
  readonly signal: AbortSignal | undefined
}

/** Opens a session of that version, or says it with each call where there are none. Everything may be asked. */
export async function caller(channel: Channel, { version, questions, signal }: CallerOptions): Promise<Caller> {
  const modern = saysWhoAsks(version)
  const envelope = { [protocolVersion]: version, [clientCapabilities]: capabilities, [clientInfo]: info }
  const waiting = new Map<unknown, (reply: JsonObject) => void>()
  let under: { readonly choose: Choose; readonly end: (came: Came) => void; asked: number } | undefined
  let next = 0
  let rested = Date.now()
  const send = (message: object): void =>
    void channel.send({ message: { jsonrpc: "2.0", ...message } as never, via: undefined, last: false })
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    new Promise((resolve) => {
      const id = ++next
      waiting.set(id, resolve)
      send({ id, method, params: modern ? { ...params, _meta: envelope } : params })
    })
  /** What is answered, as the call that asks goes on; nothing when it has asked too often, and is over. */
  const answered = (method: string, params: unknown): object | undefined => {
    if (under === undefined) return undefined
    if (++under.asked > 2 * questions) {
      under.end({ _tag: "Insisted", method, params, times: under.asked })
      return undefined
    }
    return under.asked <= questions ? { result: answer(method, params, under.choose) } : declined(method)
  }
  const asked = (id: unknown, method: string, params: unknown): void => {
    const said = answered(method, params)
    if (said !== undefined) send({ id, ...said })
  }
  channel.open({
    frame(frame) {
      if (frame._tag !== "Text") return
      const { id, method, params, ...rest } = JSON.parse(frame.text) as JsonObject
      if (method !== undefined) return id === undefined ? undefined : asked(id, method as string, params)
      waiting.get(id)?.(rest)
      waiting.delete(id)
    },
    closed() {
      for (const settle of waiting.values()) settle({})
    }
  })

  /** What a call as a task was answered with at once, and what `tasks/result` says later. */
  async function replied({ name, args, asTask }: ToolCall, began: (taskId: Json) => void): Promise<JsonObject> {
    const params = { name, arguments: args, ...(asTask ? { task: {} } : {}) }
    const reply = await asOften(params, await ask("tools/call", params))
    const taskId = own(own(reply["result"], "task"), "taskId")
    if (!asTask || taskId === undefined) return reply
    began(taskId as Json)
    return ask("tasks/result", { taskId: taskId as Json })
  }

  /** Made once more with the answers as long as the result asks for some (2026-07-28). What can not be declined is answered. */
  async function asOften(params: JsonObject, first: JsonObject): Promise<JsonObject> {
    let reply = first
    while (own(reply["result"], "resultType") === "input_required") {
      const inputResponses: Record<string, Json> = {}
      for (const [key, question] of Object.entries(fields(own(reply["result"], "inputRequests")))) {
        const [method, wanted] = [String(own(question, "method")), own(question, "params")]
        const said = answered(method, wanted)
        // It is over: nobody waits for what it comes to.
        if (under === undefined || said === undefined) return reply
        inputResponses[key] = (own(said, "result") ?? answer(method, wanted, under.choose)) as Json
      }
      const requestState = own(reply["result"], "requestState")
      const state = requestState === undefined ? {} : { requestState: requestState as Json }
      reply = await ask("tools/call", { ...params, ...state, inputResponses })
    }
    return reply
  }

  async function call(one: ToolCall): Promise<Came> {
    await rest()
    if (signal?.aborted === true) return { _tag: "Stopped" }
    let taskId: Json | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop: (() => void) | undefined
    const came = await new Promise<Came>((resolve, reject) => {
      timer = setTimeout(() => resolve({ _tag: "Late" }), one.ms)
      stop = () => resolve({ _tag: "Stopped" })
      signal?.addEventListener("abort", stop)
      under = { choose: one.choose, end: resolve, asked: 0 }
      replied(one, (id) => (taskId = id)).then((reply) => resolve({ _tag: "Replied", reply }), reject)
    })
    clearTimeout(timer)
    if (stop !== undefined) signal?.removeEventListener("abort", stop)
    under = undefined
    if (came._tag === "Replied") return came
    for (const id of waiting.keys()) send({ method: "notifications/cancelled", params: { requestId: id } })
    waiting.clear()
    if (taskId !== undefined) void ask("tasks/cancel", { taskId })
    return came
  }

  /** Calls that never wait for anything would keep every timer from firing. */
  async function rest(): Promise<void> {
    if (Date.now() - rested < 20) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    rested = Date.now()
  }

  if (modern) return { revision: version, call, close: () => channel.close() }
  const opened = await ask("initialize", { protocolVersion: version, capabilities, clientInfo: info })
  const revision = own(opened["result"], "protocolVersion")
  if (revision === undefined) throw new Error(`The server opens no session: ${JSON.stringify(opened)}`)
  send({ method: "notifications/initialized" })
  return { revision, call, close: () => channel.close() }
}

const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} }
const info = { name: "@parley/testing", version: "0" }

function answer(method: string, params: unknown, choose: Choose): JsonObject {
  switch (method) {
    case "elicitation/create": {
      const action = ["accept", "accept", "decline", "cancel"][choose(4)]!
      const schema = own(params, "requestedSchema")
      return action === "accept" && schema !== undefined ? { action, content: drawnFrom(schema, choose) } : { action }
    }
    case "sampling/createMessage":
      return { role: "assistant", model: "none", content: { type: "text", text: "a" } }
    case "roots/list":
      return { roots: choose(2) === 0 ? [] : [{ uri: "file:///a" }] }
    default:
      return {}
  }
}

const declined = (method: string): object =>
  method === "elicitation/create"
    ? { result: { action: "decline" } }
    : { error: { code: -1, message: "User rejected the request" } }
