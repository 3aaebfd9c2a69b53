/** Passes messages on between a client on a plain channel and a server behind one with headers, which it fills in. */
import type { Message, Request, RequestId } from "@parley/core"
import { isObject, member, read, valueAt } from "@parley/core"
import { revisionNamed } from "@parley/core/revisions"
import type { Channel, Closed, Frame, Outgoing } from "@parley/driver"
import { farewell, isListen, stopping } from "./farewell.js"
import { gathering } from "./gathering.js"
import { sayables, seenTools } from "./headers.js"
import { isMisheaded, relisting, sameHeaders } from "./relisting.js"
import { parsed, unsayable } from "./unsayable.js"

export interface Between {
  /** Settles when both sides are closed. */
  readonly closed: Promise<void>
  readonly close: () => Promise<void>
}

/** Requests that may be under way before no more of them are read. */
const most = 256
/** How long what is under way may go on when its client sends nothing more, in ms. */
const drainMs = 5_000
/** An id that no client has: the session is opened again by it. */
const again = "parley-bridge-initialize-again"

export function between(near: Channel, far: Channel, say: (text: string) => void): Between {
  const tools = seenTools()
  const lists = relisting(
    (request) => void far.send(headed(request, undefined)),
    (id) => far.abort(id),
    tools.look
  )
  /** Calls that went out once more, with other headers. */
  const mended = new WeakSet<Outgoing>()
  const sayable = sayables(say)
  const replies = gathering()
  /** Requests of the client's that are not answered yet, as they went out. */
  const asked = new Map<RequestId, Outgoing>()
  /** How the session was opened, in case that has to be done again. */
  let initialize: Request | undefined
  /** What the handshake agreed on. */
  let agreed: string | undefined
  /** What waits for the session to be open again. */
  let lost: Array<Outgoing> | undefined
  let room: { readonly there: Promise<void>; readonly make: () => void } | undefined
  let ending = false
  let patience: NodeJS.Timeout | undefined
  let settle!: () => void
  const closed = new Promise<void>((resolve) => (settle = resolve))
  let closing: Promise<void> | undefined

  const close = (why = stopping): Promise<void> => (closing ??= shut(why))

  async function shut(why: string): Promise<void> {
    clearTimeout(patience)
    for (const [id, { message }] of asked) for (const one of farewell(id, message, why)) void answer(one)
    asked.clear()
    await far.close()
    await near.close()
    settle()
  }

  // The client's side.

  function came(frame: Frame): void | Promise<void> {
    if (frame._tag === "Garbled") return answer({ jsonrpc: "2.0", id: null, error: unreadable(frame.why) })
    const json = frame._tag === "Parsed" ? frame.json : frame._tag === "Text" ? parsed(frame.text) : undefined
    if (json === undefined) return answer({ jsonrpc: "2.0", id: null, error: unreadable("json") })
    const text = frame._tag === "Text" ? frame.text : undefined
    const envelope = Array.isArray(json) ? undefined : read(json)
    if (envelope?._tag === "Request") return request(envelope.message, text)
    if (envelope?._tag === "Notification" && envelope.message.method === "notifications/cancelled") {
      const id = envelope.message.params?.["requestId"] as RequestId
      const out = asked.get(id)
      if (out !== undefined) answered(id)
      const rest = replies.without(id)
      if (rest !== undefined) void answer(rest)
      // 2026-07-28: where there are exchanges, closing one is how its request is cancelled.
      if (out?.mirror !== undefined && far.cancels === "exchange") return far.abort(id)
    }
    const refused = far.headers === true || Array.isArray(json) ? unsayable(json, agreed) : undefined
    if (refused !== undefined) return answer(refused)
    return Array.isArray(json) ? batch(json) : send(headed(json as Message, text))
  }

  function batch(messages: ReadonlyArray<unknown>): void | Promise<void> {
    replies.begin(messages)
    return all(messages.map((json) => came({ _tag: "Parsed", json, via: "" })))
  }

  function request(message: Request, text: string | undefined): void | Promise<void> {
    if (asked.has(message.id))
      return answer(failed(message.id, -32600, "the bridge has a request under way that has this id", undefined))
    if (message.method === "initialize") {
      initialize = message
      agreed = undefined
    }
    const outgoing = headed(message, text)
    asked.set(message.id, outgoing)
    const slow = send(outgoing)
    if (slow !== undefined || asked.size < most) return slow
    return (room ??= making()).there
  }

  /** What goes out while the session is opened again waits for that. */
  function send(out: Outgoing): void | Promise<void> {
    if (lost === undefined || out.mirror !== undefined) return far.send(out)
    lost.push(out)
  }

  /** 2026-07-28 basic/transports/streamable-http, Request Metadata; before that, what the handshake agreed on. */
  function headed(message: Message, text: string | undefined): Outgoing {
    const plain = { message, text, via: undefined, last: false }
    if (Array.isArray(message) || !("method" in message)) return { ...plain, revision: agreed }
    const { method, params } = message as Request
    if (method === "initialize") return plain
    const named = member(params?.["_meta"], "io.modelcontextprotocol/protocolVersion")
    const version = typeof named === "string" ? named : undefined
    if (version === undefined || (agreed !== undefined && version === agreed)) return { ...plain, revision: agreed }
    const mirror: Array<readonly [string, string]> = [["Mcp-Method", method]]
    const row = (revisionNamed(version) ?? revisionNamed("2026-07-28")!).client[method]
    const about = row?.kind === "request" && row.header !== undefined ? member(params, row.header) : undefined
    if (typeof about === "string") mirror.push(["Mcp-Name", about])
    if (method === "tools/call")
      for (const one of tools.of(params?.["name"])) {
        const value = valueAt(params?.["arguments"], one)
        if (value !== undefined) mirror.push([one.header, value])
      }
    return { ...plain, revision: version, mirror }
  }

  // The server's side.

  function said(frame: Frame): void | Promise<void> {
    switch (frame._tag) {
      case "Text":
      case "Parsed": {
        const json = frame._tag === "Parsed" ? frame.json : parsed(frame.text)
        return json === undefined ? say("The server sent what is no JSON; it was left out.") : passed(json)
      }
      case "Garbled":
        return say(`The server sent what can not be read (${frame.why}): ${frame.detail ?? ""}`)
      case "SessionLost":
        return reopen(frame.id)
      case "Refused": {
        if (frame.id === again) return giveUp(frame.body)
        if (lists.replied(frame.id, undefined)) return
        if (frame.id === undefined || !asked.has(frame.id)) return say(frame.body)
        answered(frame.id)
        return answer(failed(frame.id, -32603, frame.body, frame.status === 0 ? undefined : { status: frame.status }))
      }
      case "ExchangeClosed":
    }
  }

  function passed(json: unknown): void | Promise<void> {
    if (Array.isArray(json)) return all(json.filter(isObject).map(passed))
    const envelope = read(json)
    if (envelope._tag !== "Result" && envelope._tag !== "Error") return answer(json as Message)
    const { message } = envelope
    if (message.id === again) return opened(message)
    if (lists.replied(message.id, message)) return
    const out = asked.get(message.id!)
    const request = out?.message as Request | undefined
    const modern = out?.mirror !== undefined
    if (modern && isMisheaded(request!, message) && !mended.has(out)) return mend(out, message)
    answered(message.id)
    if (request === undefined) return answer(message)
    if (request.method === "initialize" && "result" in message) agreed = String(message.result["protocolVersion"])
    if (!modern || far.headers !== true) return answer(message)
    tools.look(request, message)
    return answer(request.method === "tools/list" ? sayable(message) : message)
  }

  /** 2026-07-28 basic/transports/streamable-http, Client Behavior: the tools are listed, and the call made once more. */
  function mend(out: Outgoing, reply: Message): void {
    const request = out.message as Request
    void lists.list(request).then(() => {
      if (asked.get(request.id) !== out) return
      const mending = headed(request, out.text)
      if (sameHeaders(out, mending)) {
        answered(request.id)
        return answer(reply)
      }
      mended.add(mending)
      asked.set(request.id, mending)
      return far.send(mending)
    })
  }

  /** The server has ended the session without looking at what came: it is opened as it was before, and that sent again. */
  function reopen(id: RequestId | undefined): void | Promise<void> {
    if (id === again) return giveUp("the server ended the session while it was opened again")
    const out = id === undefined ? undefined : asked.get(id)
    if (lost !== undefined) {
      if (out !== undefined) lost.push(out)
      return
    }
    // Without a session, it is another connection: the host has its calls answered, and listens again by itself.
    if (initialize === undefined || agreed === undefined) {
      if (id !== undefined) answered(id)
      return id === undefined ? undefined : answer(failed(id, -32603, "the session is over", undefined))
    }
    say("The server has ended the session: another one is opened.")
    lost = out === undefined ? [] : [out]
    return far.send({ message: { ...initialize, id: again }, via: undefined, last: false })
  }

  function opened(reply: Message): void | Promise<void> {
    const version = "result" in reply ? reply.result["protocolVersion"] : undefined
    if (version !== agreed) return giveUp("the session could not be opened again as it was")
    const waiting = lost ?? []
    lost = undefined
    void far.send({
      message: { jsonrpc: "2.0", method: "notifications/initialized" },
      via: undefined,
      last: false,
      revision: agreed
    })
    for (const out of waiting) void far.send(out)
  }

  /** Whoever waits is told, and the client finds the end of the stream rather than a session that is none. */
  function giveUp(why: string): Promise<void> {
    say(`The session is over, and could not be opened again: ${why}`)
    for (const id of asked.keys()) {
      answered(id)
      void answer(failed(id, -32603, `the session is over, and could not be opened again: ${why}`, undefined))
    }
    return close()
  }

  function answer(one: Message): void | Promise<void> {
    const message = replies.gather(one)
    if (message === undefined) return
    try {
      return near.send({ message, via: undefined, last: false })
    } catch {
      // Nested too deep. Whoever waits for a reply is told; the rest is left out.
      say("The server sent what is nested too deep to be passed on.")
      const { id, method } = message as Partial<Request>
      if (id !== undefined && method === undefined) return answer(failed(id, -32603, tooDeep, undefined))
    }
  }

  function answered(id: RequestId | null | undefined): void {
    if (!asked.delete(id!)) return
    room?.make()
    room = undefined
    if (ending && isQuiet()) queueMicrotask(() => void close())
  }

  /** What is under way will not be answered before somebody ends it. */
  const isQuiet = (): boolean => [...asked.values()].every(({ message }) => isListen(message))

  function making(): NonNullable<typeof room> {
    let make!: () => void
    const there = new Promise<void>((resolve) => (make = resolve))
    return { there, make }
  }

  far.open({
    frame: said,
    closed: (why) => {
      if (why._tag === "Gone") say(why.detail)
      if (closing === undefined) void close(why._tag === "Gone" ? why.detail : undefined)
    }
  })
  near.open({
    frame: came,
    closed: (why: Closed) => {
      if (closing !== undefined) return
      // What was asked is answered also to a client that has said all it has to say.
      if (why._tag !== "Ended" || isQuiet()) return void close()
      ending = true
      patience = setTimeout(() => void close(late), drainMs)
    }
  })
  return { closed, close }
}

const late = `the input of the bridge ended, and the answer did not come within ${drainMs} ms after that`

function all(work: ReadonlyArray<void | Promise<void>>): void | Promise<void> {
  const slow = work.filter((one) => one !== undefined)
  if (slow.length > 0) return Promise.all(slow).then(() => undefined)
}

const tooDeep = "the answer is nested too deep to be passed on"

const failed = (id: RequestId, code: number, message: string, data: object | undefined): Message => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data !== undefined && { data }) }
})

const unreadable = (why: string) => ({ code: -32700, message: `Parse error: the bridge could not read it (${why})` })
