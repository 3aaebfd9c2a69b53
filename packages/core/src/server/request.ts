/** A request is admitted or refused, and then answered at once or handed to a handler. */
import { holds } from "../batch.js"
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { Request, RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import { insert, lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { admit, spokenIn } from "./gate.js"
import { open } from "./opening.js"
import type { About } from "./reply.js"
import { refuse, succeed } from "./reply.js"
import type { State } from "./state.js"
import { inPhase, withInFlight } from "./state.js"
import type { Output, Target } from "./vocabulary.js"

export function request(compiled: Compiled, state: State, message: Request, about: About): Step<State, Output> {
  const { id, method, params } = message
  const row = refusal(compiled, state, id) ?? admit(compiled, state.phase, method, params)
  if (!("kind" in row)) return refuse(compiled, state, about, id, row, method)
  // Every revision, basic/utilities/ping: it is answered promptly, whatever else goes on.
  if (state.stopping && row.when !== "always") return refuse(compiled, state, about, id, { _tag: "Stopping" }, method)
  switch (method) {
    case "initialize":
      return initialize(compiled, state, message, about)
    case "ping":
      return succeed(compiled, state, about, id, {}, "{}")
    case "tools/list":
      return listTools(compiled, state, message, about)
    case "tools/call":
      return callTool(compiled, state, message, about)
    default:
      return invoke(compiled, state, message, about, { _tag: "Method", method, params })
  }
}

/** What is wrong with taking on a further request, whatever it asks. */
function refusal(compiled: Compiled, state: State, id: RequestId): Failure | undefined {
  const { salt } = compiled.limits
  if (lookup(state.inFlight, id, salt) !== undefined || holds(state.batches, id, salt)) return { _tag: "IdInUse", id }
  if (state.inFlight.size >= compiled.limits.inFlight)
    return { _tag: "TooManyRequests", limit: compiled.limits.inFlight }
  return undefined
}

function initialize(
  compiled: Compiled,
  state: State,
  { id, method, params }: Request,
  about: About
): Step<State, Output> {
  const opening = open(compiled, params!)
  if (opening._tag !== "Opening") return refuse(compiled, state, about, id, opening, method)
  const { asked, peer, wrong, result } = opening
  const opened = inPhase(state, { _tag: "Opened", peer, changed: [] })
  const [next, outputs] = succeed(compiled, opened, about, id, result)
  return [next, [...outputs, { _tag: "Report", report: { _tag: "Agreed", asked, peer, wrong } }]]
}

function listTools(
  compiled: Compiled,
  state: State,
  { id, method, params }: Request,
  about: About
): Step<State, Output> {
  const cursor = params?.["cursor"] as string | undefined
  const page =
    cursor === ""
      ? undefined
      : spokenIn(compiled, state.phase)
          .toolPages()
          .get(cursor ?? "")
  if (page === undefined)
    return refuse(compiled, state, about, id, { _tag: "CursorInvalid", method, cursor: cursor! }, method)
  return succeed(compiled, state, about, id, page.result, page.text)
}

function callTool(compiled: Compiled, state: State, message: Request, about: About): Step<State, Output> {
  const params = message.params!
  const name = params["name"] as string
  if (!compiled.tools.has(name))
    return refuse(compiled, state, about, message.id, { _tag: "ToolUnknown", name }, message.method)
  const given = params["arguments"] as JsonObject | undefined
  return invoke(compiled, state, message, about, { _tag: "Tool", name, arguments: given ?? {} })
}

function invoke(compiled: Compiled, state: State, message: Request, about: About, target: Target): Step<State, Output> {
  if (!("peer" in state.phase)) return [state, []]
  const { id, method, params } = message
  const { peer } = state.phase
  const meta = params?.["_meta"] as JsonObject | undefined
  const token = member(meta, "progressToken") as RequestId | undefined
  const call = state.next
  const tool = target._tag === "Tool" ? target.name : undefined
  const entry = {
    id,
    call,
    via: about.via,
    batch: about.batch,
    method,
    tool,
    revision: peer.revision,
    token,
    progress: undefined,
    again: mayRunAgain(compiled, tool) ? params : undefined
  }
  return [
    withInFlight(state, insert(state.inFlight, id, entry, compiled.limits.salt), call + 1),
    [{ _tag: "Invoke", call, id, target, peer, meta, progress: token !== undefined }]
  ]
}

function mayRunAgain(compiled: Compiled, tool: string | undefined): boolean {
  if (tool === undefined) return false
  return member(compiled.tools.get(tool)?.["annotations"], "idempotentHint") === true
}
