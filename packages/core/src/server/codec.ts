/** The state as JSON and back. What does not read as a state is refused whole; what was announced otherwise is stale. */
import { decodeBatches, encodeBatches } from "../batch.js"
import type { Family } from "../definition.js"
import type { Json, JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { isRequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { Trie } from "../trie.js"
import { empty, insert, values } from "../trie.js"
import type { Compiled } from "./compiled.js"
import type { InFlight, Phase, State } from "./state.js"

export function encode(compiled: Compiled, state: State): Json {
  return {
    digest: compiled.digest,
    phase: state.phase as unknown as JsonObject,
    inFlight: values(state.inFlight) as unknown as ReadonlyArray<Json>,
    batches: encodeBatches(state.batches),
    next: state.next,
    stopping: state.stopping
  }
}

export function decode(compiled: Compiled, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || typeof json["digest"] !== "string") return err("malformed")
  if (json["digest"] !== compiled.digest) return err("stale")
  const phase = phaseOf(compiled, json["phase"])
  const inFlight = entriesOf(compiled, json["inFlight"])
  const batches = decodeBatches(json["batches"], compiled.limits.salt)
  const { next, stopping } = json
  if (phase === undefined || inFlight === undefined || batches === undefined) return err("malformed")
  if (!Number.isSafeInteger(next) || typeof stopping !== "boolean") return err("malformed")
  return ok({ phase, inFlight, batches, next: next as number, stopping })
}

function phaseOf(compiled: Compiled, json: unknown): Phase | undefined {
  if (!isObject(json)) return undefined
  switch (json["_tag"]) {
    case "Unopened":
    case "Closed":
      return { _tag: json["_tag"] }
    case "Opened": {
      const peer = peerOf(compiled, json["peer"])
      const { changed } = json
      if (peer === undefined || !Array.isArray(changed) || !changed.every(isFamily)) return undefined
      return { _tag: "Opened", peer, changed }
    }
    case "Ready": {
      const peer = peerOf(compiled, json["peer"])
      return peer && { _tag: "Ready", peer }
    }
    default:
      return undefined
  }
}

function peerOf(compiled: Compiled, json: unknown): Peer | undefined {
  if (!isObject(json) || !isObject(json["capabilities"]) || !isObject(json["info"])) return undefined
  const spoken = [...compiled.spoken.keys()].find((name) => name === json["revision"])
  return (
    spoken && { revision: spoken, capabilities: json["capabilities"] as JsonObject, info: json["info"] as JsonObject }
  )
}

function entriesOf(compiled: Compiled, json: unknown): Trie<InFlight> | undefined {
  if (!Array.isArray(json)) return undefined
  let trie = empty<InFlight>()
  for (const entry of json as ReadonlyArray<unknown>) {
    const read = entryOf(compiled, entry)
    if (read === undefined) return undefined
    trie = insert(trie, read.id, read, compiled.limits.salt)
  }
  return trie
}

function entryOf(compiled: Compiled, json: unknown): InFlight | undefined {
  if (!isObject(json)) return undefined
  const { id, call, via, batch, method, tool, revision, token, progress, again } = json
  const spoken = [...compiled.spoken.keys()].find((name) => name === revision)
  if (
    !isRequestId(id) ||
    !isInteger(call) ||
    typeof via !== "string" ||
    typeof method !== "string" ||
    spoken === undefined
  )
    return undefined
  const row = compiled.spoken.get(spoken)?.entries.get(method)
  if (row?.row.kind !== "request" || !(tool === undefined || typeof tool === "string")) return undefined
  if (!(batch === undefined || isInteger(batch)) || !(token === undefined || isRequestId(token))) return undefined
  if (!(progress === undefined || typeof progress === "number") || !(again === undefined || isObject(again)))
    return undefined
  return {
    id,
    call,
    via,
    batch,
    method,
    tool,
    revision: spoken,
    token,
    progress,
    again: again as JsonObject | undefined
  }
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const isFamily = (value: unknown): value is Family => value === "tools" || value === "resources" || value === "prompts"
