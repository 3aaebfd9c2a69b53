/** Opens a session and gives it names: tools to list and call, requests to send, an end to wait for. */
import type { CallToolResult, JsonObject, Peer, Report, Revision, ServerInfo, Tool } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import type { Channel, Clock, Closed } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { catalogue } from "./catalogue.js"
import { CallError } from "./error.js"
import type { CallOptions } from "./session.js"
import { defaultTotalMs, inBrief, session } from "./session.js"
import type { Known } from "./tools.js"
import { checkArguments, checkResult } from "./tools.js"
import { walk } from "./walk.js"

export interface ConnectOptions {
  /** Who we are: `clientInfo`. */
  readonly clientInfo: ServerInfo
  /** The revisions spoken, newest first; the first is proposed. All of them by default. */
  readonly revisions?: ReadonlyArray<Revision>
  /** How long the opening may take, in ms. Default 60,000. */
  readonly openingMs?: number
  /** How long a reply may take, in ms. Default 60,000. */
  readonly timeoutMs?: number
  /** Pages of one list before the walk is given up with `WalkTooLong`. Default 1,000. */
  readonly maxPages?: number
  /** Told of every notification that the server was allowed to send. */
  readonly onNotification?: (method: string, params: JsonObject | undefined) => void
  /** Told of what the protocol sees: what was agreed, what was ignored or refused, and why. */
  readonly report?: (report: Report) => void
  /** Where time comes from, for tests. */
  readonly clock?: Clock
}

export interface Client {
  /** The server: revision in force, capabilities, `serverInfo`. */
  readonly peer: Peer
  /** The version that was asked for first. */
  readonly asked: string
  readonly instructions: string | undefined
  /** All tools, from all pages. Malformed ones are left out and reported. Rejects `CallError` when tools were not declared. */
  readonly listTools: (options?: CallOptions) => Promise<ReadonlyArray<Tool>>
  /**
   * Calls a tool. The tools are listed first when they changed or do not have this one, which takes as long as the client's own
   * `timeoutMs` allows; the arguments are checked by the tool's `inputSchema` before anything is sent, and `structuredContent`
   * by its `outputSchema`. An `isError` result is returned; everything else that goes wrong rejects `CallError`.
   */
  readonly callTool: (name: string, args?: JsonObject, options?: CallOptions) => Promise<CallToolResult>
  /** Round trip without content. */
  readonly ping: (options?: CallOptions) => Promise<void>
  /** Any request of the revision in force. Refused here, with nothing sent, unless the server declared what it needs. */
  readonly request: (method: string, params?: JsonObject, options?: CallOptions) => Promise<JsonObject>
  /** Settles when the session is over, with what ended it. Never rejects. */
  readonly closed: Promise<Closed>
  /** Closes; pending calls reject. Idempotent. */
  readonly close: () => Promise<void>
}

/**
 * Opens a session over a channel.
 *
 * ```ts
 * import { connect } from "@parley/client"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server"
 *
 * const [near, far] = link()
 * serve(defineServer({ name: "greeter", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")]), far)
 * const client = await connect(near, { clientInfo: { name: "demo", version: "1.0.0" } })
 * const { content } = await client.callTool("hello")
 * content // => [{ type: "text", text: "Hello!" }]
 * await client.close()
 * ```
 *
 * Rejects `CallError` when the two sides do not agree, with the channel closed.
 */
export async function connect(channel: Channel, options: ConnectOptions): Promise<Client> {
  const { clientInfo, revisions = handshakeRevisions, report, onNotification } = options
  const timeoutMs = options.timeoutMs ?? 60_000
  let forget = (): void => {}

  const { opened, closed, request, close } = session(channel, {
    definition: { info: clientInfo, capabilities: {}, revisions },
    openingMs: options.openingMs ?? 60_000,
    timeoutMs,
    report,
    clock: options.clock,
    notice: (method, params) => {
      if (method === "notifications/tools/list_changed") forget()
      onNotification?.(method, params)
    }
  })
  const { peer, asked, instructions } = await opened.catch(async (error: unknown) => {
    await closed
    throw error
  })
  const revision = revisions.find(({ name }) => name === peer.revision)!
  const tools = catalogue(() => list({}), revision.features.structuredContent)
  forget = tools.forget

  function list(wishes: CallOptions): Promise<ReadonlyArray<Tool>> {
    return walk<Tool>({
      method: "tools/list",
      member: "tools",
      item: revision.items["tools/list"]!,
      maxPages: options.maxPages ?? 1_000,
      totalMs: wishes.totalMs ?? defaultTotalMs,
      now: (options.clock ?? systemClock).now,
      request: (params, ms) =>
        request("tools/list", params, {
          ...wishes,
          totalMs: ms,
          timeoutMs: Math.min(wishes.timeoutMs ?? timeoutMs, ms)
        }),
      report
    })
  }

  function callTool(name: string, args: JsonObject = {}, wishes: CallOptions = {}): Promise<CallToolResult> {
    const tool = tools.known(name)
    if (tool === undefined)
      return unless(wishes.signal, () => tools.find(name)).then((tool) => callKnown(tool, args, wishes))
    try {
      return callKnown(tool, args, wishes)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  function callKnown(tool: Known, args: JsonObject, wishes: CallOptions): Promise<CallToolResult> {
    checkArguments(tool, args)
    const { name } = tool.tool
    const result = request("tools/call", { name, arguments: args }, wishes) as unknown as Promise<CallToolResult>
    return tool.output === undefined ? result : result.then((result) => checkResult(tool, result))
  }

  return {
    peer,
    asked,
    instructions,
    listTools: (wishes = {}) => tools.keep(list(wishes)),
    callTool,
    ping: async (wishes = {}) => {
      await request("ping", undefined, wishes)
    },
    request: (method, params, wishes = {}) => request(method, params, wishes),
    closed,
    close
  }
}

/** Waits no longer when the signal is aborted; what is waited for goes on for others. */
function unless<A>(signal: AbortSignal | undefined, begin: () => Promise<A>): Promise<A> {
  if (signal === undefined) return begin()
  return new Promise((resolve, reject) => {
    const aborted = (): void =>
      reject(new CallError({ _tag: "Abandoned", method: "tools/call", reason: inBrief(signal.reason) }))
    if (signal.aborted) return aborted()
    signal.addEventListener("abort", aborted, { once: true })
    void begin()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", aborted))
  })
}
