/** 2026-07-28: every POST stands for itself, and is served by a machine of its own that begins and ends with it. */
import type { Definition, JsonObject, Mirrored, Request, RequestRow, Rows, ToolDefinition } from "@parley/core"
import { annotations, member, read } from "@parley/core"
import type { Input, ServerMachine } from "@parley/core/server"
import type { Clock } from "@parley/driver"
import type { Host } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import { Desk } from "./desk.js"
import type { Exchange } from "./exchange.js"
import { mismatched } from "../mirror.js"
import type { Mismatch } from "../mirror.js"
import { Post, via } from "./post.js"
import type { Pulse } from "./pulse.js"
import { refuse, turnAway } from "./status.js"
import type { Settings } from "./options.js"

export interface Stateless {
  /** What came by a POST that claims to be of such a revision. `header`: the version that its header names. Answers, now or later. */
  readonly post: (
    exchange: Exchange,
    json: unknown,
    header: string | undefined,
    principal: string | undefined,
    accepts: Accepted
  ) => void
  /** Answers what was accepted (within `drainMs`), and ends all streams. */
  readonly close: () => Promise<void>
  /** Answers that are open. */
  readonly count: () => number
}

/** What is looked up with every message. */
interface Known {
  readonly rows: ReadonlyMap<string, Rows>
  readonly newest: Rows
  readonly name: string
  readonly tools: ReadonlyMap<string, ToolDefinition>
  readonly annotated: Map<string, ReadonlyArray<Mirrored>>
  readonly machine: ServerMachine
}

/** What one client has open. */
interface Count {
  requests: number
  streams: number
}

/** `pulseOf` is asked for each answer that is not there at once. */
export function stateless(
  host: Host,
  settings: Settings & { readonly maxInFlight: number },
  clock: Clock,
  pulseOf: () => Pulse
): Stateless {
  const open = new Set<Post>()
  const desk = new Desk(host, clock)
  const clients = new Map<string, Count>()
  let seen: Definition | undefined
  let page: Known

  /** Another definition is another page; there is one for as long as the server does not change. */
  function known(): Known {
    const { definition } = host.server()
    if (definition !== seen) {
      seen = definition
      page = knownOf(definition, desk.machine())
    }
    return page
  }

  function post(
    exchange: Exchange,
    json: unknown,
    header: string | undefined,
    principal: string | undefined,
    accepts: Accepted
  ): void {
    if (Array.isArray(json))
      return refuse(exchange, {
        _tag: "BatchRefused",
        why: `${known().name} has no batches; send one message at a time`
      })
    const envelope = read(json)
    switch (envelope._tag) {
      case "Request":
        return request(exchange, envelope.message, header, principal, accepts)
      case "Notification":
        return notified(exchange, envelope.message.method, envelope.message.params)
      case "Result":
      case "Error":
        return refuse(exchange, {
          _tag: "InvalidRequest",
          why: "a server of 2026-07-28 asks nothing, and takes no replies"
        })
      case "Malformed":
        return refuse(exchange, { _tag: "InvalidRequest", why: envelope.why }, envelope.reply ? undefined : envelope.id)
    }
  }

  function request(
    exchange: Exchange,
    message: Request,
    header: string | undefined,
    principal: string | undefined,
    accepts: Accepted
  ): void {
    const { id, method, params } = message
    const { rows, newest, tools, annotated, machine } = known()
    const version = member(params?.["_meta"], "io.modelcontextprotocol/protocolVersion") as string | undefined
    const spoken = rows.get(version as string)
    const row = member(spoken ?? newest, method) as RequestRow | undefined
    // Other versions may have other headers; what else is wrong with the version is the machine's to say.
    if (spoken !== undefined && (header === undefined || header === version)) {
      const wrong =
        header === undefined
          ? { header: "MCP-Protocol-Version", why: `is missing, and the body says ${version}` }
          : mismatched(
              (name) => exchange.header(name),
              message,
              row?.header,
              method === "tools/call" ? annotationsOf(params?.["name"], tools, annotated) : none
            )
      if (wrong !== undefined) return refused(exchange, message, wrong)
    }
    const client = principal ?? exchange.from
    const count = client === undefined ? undefined : clients.get(client)
    const streams = row?.kind === "request" && row.stream
    if (streams && !accepts.events)
      return turnAway(exchange, 406, `${method} is answered by a stream: accept text/event-stream`)
    if (
      streams ? (count?.streams ?? 0) >= settings.maxStreamsPerClient : (count?.requests ?? 0) >= settings.maxInFlight
    )
      return refuse(
        exchange,
        streams
          ? { _tag: "TooManySubscriptions", limit: settings.maxStreamsPerClient }
          : { _tag: "TooManyRequests", limit: settings.maxInFlight },
        id
      )
    const post = new Post(exchange, accepts, settings, desk, machine)
    const received: Input & { readonly context: unknown } = {
      _tag: "Received",
      json: message,
      via,
      principal,
      header,
      context: exchange.context
    }
    desk.begin(post, received, streams)
    if (!post.done) wait(post, client, streams)
    else if (streams) post.feed({ _tag: "PeerClosed" })
  }

  /** It is not answered yet: it is counted, watched, and ended with its client. */
  function wait(post: Post, client: string | undefined, streams: boolean): void {
    open.add(post)
    desk.keep(post)
    const pulse = pulseOf()
    if (client !== undefined) counted(client, streams, 1)
    post.onDone = () => {
      open.delete(post)
      desk.forget(post)
      pulse.remove(post)
      if (client !== undefined) counted(client, streams, -1)
      // Nobody else lets go of a stream that follows the server's changes.
      if (streams) post.feed({ _tag: "PeerClosed" })
    }
    pulse.add(post)
    post.waits(clock.now())
    post.exchange.onGone(() => post.gone())
  }

  function counted(client: string, streams: boolean, by: number): void {
    const count = clients.get(client) ?? { requests: 0, streams: 0 }
    clients.set(client, count)
    if (streams) count.streams += by
    else count.requests += by
    if (count.requests + count.streams === 0) clients.delete(client)
  }

  function refused(exchange: Exchange, { id, method }: Request, { header, why }: Mismatch): void {
    const failure = { _tag: "Chosen", code: -32020, message: `Header mismatch: ${header} ${why}` } as const
    desk.voice.say({ _tag: "Refused", id, method, failure })
    refuse(exchange, failure, id, 400)
  }

  /** The specification has none that come over HTTP; what is none of its own is ignored, as elsewhere. */
  function notified(exchange: Exchange, method: string, params: JsonObject | undefined): void {
    const row = member(known().newest, method) as Rows[string] | undefined
    const problem = row?.kind === "notification" ? row.params(params ?? {}) : undefined
    if (problem !== undefined) return refuse(exchange, { _tag: "ParamsInvalid", method, problem }, undefined, 400)
    if (row?.kind === "request")
      return refuse(exchange, { _tag: "InvalidRequest", why: `${method} is a request, and was sent without an id` })
    exchange.respond(202, {})
  }

  return {
    post,
    count: () => open.size,
    close: async () => {
      await Promise.all([...open].map((post) => post.stop()))
    }
  }
}

function knownOf({ revisions, tools }: Definition, machine: ServerMachine): Known {
  const spoken = revisions.filter(({ opening }) => opening === "request")
  const [newest] = spoken
  return {
    rows: new Map(spoken.map(({ name, client }) => [name, client])),
    newest: newest!.client,
    name: newest!.name,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    annotated: new Map(),
    machine
  }
}

/** Those of a tool that is there. A schema that may not have them has none: its tool could not be declared. */
function annotationsOf(
  name: unknown,
  tools: ReadonlyMap<string, ToolDefinition>,
  annotated: Map<string, ReadonlyArray<Mirrored>>
): ReadonlyArray<Mirrored> {
  const known = annotated.get(name as string)
  if (known !== undefined) return known
  const tool = tools.get(name as string)
  if (tool === undefined) return none
  const found = annotations(tool["inputSchema"])
  const made = found.ok ? found.value : none
  annotated.set(tool.name, made)
  return made
}

const none: ReadonlyArray<Mirrored> = []
