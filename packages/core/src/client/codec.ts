/** The client's state as JSON and back. What does not read as a state is refused whole. */
import { decodeBatches, encodeBatches } from "../batch.js"
import { digestOf } from "../digest.js"
import type { Json, JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { isRequestId } from "../jsonrpc.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { Trie } from "../trie.js"
import { empty, insert, values } from "../trie.js"
import type { Asked, Asks } from "./asks.js"
import { asksWith } from "./asks.js"
import type { Setup } from "./definition.js"
import { revisionIn } from "./gate.js"
import type { Phase, Sent, State } from "./state.js"

export const encode = (setup: Setup, state: State): Json =>
  ({
    digest: digest(setup),
    phase: state.phase,
    sent: values(state.sent),
    last: state.last,
    asks: { open: values(state.asks.open), batches: encodeBatches(state.asks.batches), next: state.asks.next }
  }) as unknown as JsonObject

export function decode(setup: Setup, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || typeof json["digest"] !== "string") return err("malformed")
  if (json["digest"] !== digest(setup)) return err("stale")
  const phase = phaseOf(setup, json["phase"])
  const sent = collected(setup, json["sent"], sentOf, ({ call }) => call)
  const asks = asksOf(setup, json["asks"])
  const last = json["last"]
  if (phase === undefined || sent === undefined || asks === undefined || !isInteger(last)) return err("malformed")
  return tabled(setup, phase, sent, asks) ? ok({ phase, sent, last, asks }) : err("malformed")
}

/** Whether everything under way is a request of the revision in force: settling it looks its row up. */
function tabled(setup: Setup, phase: Phase, sent: Trie<Sent>, { open }: Asks): boolean {
  if (phase._tag !== "Open") return sent.size === 0 && open.size === 0
  const { client, server } = revisionIn(setup, phase)
  return (
    values(sent).every(({ method }) => client[method]?.kind === "request") &&
    values(open).every(({ method }) => server[method]?.kind === "request")
  )
}

/** The state keeps what was announced: another announcement is another session. */
const digest = ({ definition }: Setup): string =>
  digestOf([definition.revisions.map(({ name }) => name), definition.info, definition.capabilities])

function phaseOf(setup: Setup, json: unknown): Phase | undefined {
  if (!isObject(json)) return undefined
  const spoken = (name: unknown) => setup.definition.revisions.find((revision) => revision.name === name)?.name
  switch (json["_tag"]) {
    case "Unopened":
      return { _tag: "Unopened" }
    case "Opening": {
      const { id, retried } = json
      const asked = spoken(json["asked"])
      if (!isRequestId(id) || asked === undefined || typeof retried !== "boolean") return undefined
      return { _tag: "Opening", id, asked, retried }
    }
    case "Open": {
      const { peer } = json
      if (!isObject(peer) || !isObject(peer["capabilities"]) || !isObject(peer["info"])) return undefined
      const revision = spoken(peer["revision"])
      if (revision === undefined) return undefined
      return {
        _tag: "Open",
        peer: { revision, capabilities: peer["capabilities"] as JsonObject, info: peer["info"] as JsonObject }
      }
    }
    case "Closed":
      return typeof json["why"] === "string" ? { _tag: "Closed", why: json["why"] } : undefined
    default:
      return undefined
  }
}

function sentOf(json: unknown): Sent | undefined {
  if (!isObject(json)) return undefined
  const { call, method, timeoutMs, totalMs, progress, heard } = json
  if (!isInteger(call) || typeof method !== "string" || typeof timeoutMs !== "number" || typeof progress !== "boolean")
    return undefined
  if (!isNumberOrNothing(totalMs) || !isNumberOrNothing(heard)) return undefined
  return { call, method, timeoutMs, totalMs, progress, heard }
}

function asksOf(setup: Setup, json: unknown): Asks | undefined {
  if (!isObject(json) || !isInteger(json["next"])) return undefined
  const open = collected(setup, json["open"], askedOf, ({ id }) => id)
  const batches = decodeBatches(json["batches"], setup.limits.salt)
  return open && batches && asksWith(open, batches, json["next"])
}

function askedOf(json: unknown): Asked | undefined {
  if (!isObject(json)) return undefined
  const { id, ask, method, via, batch } = json
  if (!isRequestId(id) || !isInteger(ask) || typeof method !== "string" || typeof via !== "string") return undefined
  return batch === undefined || isInteger(batch) ? { id, ask, method, via, batch } : undefined
}

function collected<V>(
  setup: Setup,
  json: unknown,
  read: (json: unknown) => V | undefined,
  key: (value: V) => string | number
): Trie<V> | undefined {
  if (!Array.isArray(json)) return undefined
  let trie = empty<V>()
  for (const item of json as ReadonlyArray<unknown>) {
    const value = read(item)
    if (value === undefined) return undefined
    trie = insert(trie, key(value), value, setup.limits.salt)
  }
  return trie
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const isNumberOrNothing = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === "number"
