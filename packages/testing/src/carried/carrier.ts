/** A carrier takes a conversation to a server and brings back what is said: what carriers have in common. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import { fields, own } from "../envelope.js"
import type { Stage } from "./stage.js"

/** One thing that the client does, or that happens on the server's side. */
export type Deed =
  /** A message, or several as a batch. `wrong`: what is wrong with it on purpose, where that has a status of its own. */
  | { readonly _tag: "Say"; readonly message: Json; readonly wrong?: "envelope" | undefined }
  /** What is no JSON. */
  | { readonly _tag: "Garble"; readonly text: string }
  /** Withdraws a request; `deed`: the number of the deed that made it. */
  | { readonly _tag: "Cancel"; readonly id: RequestId; readonly deed: number; readonly enveloped: boolean }
  | { readonly _tag: "Open"; readonly gate: string }
  | { readonly _tag: "Change" }
  | { readonly _tag: "Update"; readonly uri: string }
  | { readonly _tag: "Complete"; readonly elicitationId: string }

/** What came back. `by`: the number of the deed by whose exchange it came; none for what nobody asked for. */
export interface Heard {
  readonly by: number | undefined
  readonly message: Json
}

export interface Carrier {
  /** Settles when the transport has taken it: what it leads to may come later. A text says what is wrong with how it was taken. */
  readonly say: (message: Json, deed: number, wrong: "envelope" | undefined) => Promise<string | undefined> | undefined
  readonly garble: ((text: string, deed: number) => Promise<string | undefined> | undefined) | undefined
  readonly cancel: (cancel: Extract<Deed, { _tag: "Cancel" }>, deed: number) => Promise<unknown> | undefined
  readonly close: () => Promise<void>
}

/** How to serve a stage, and what one hears there. */
export interface Way {
  readonly name: string
  /** Whether all messages come one after the other, rather than each by the exchange it belongs to. */
  readonly inOrder: boolean
  readonly begin: (stage: Stage, hear: (heard: Heard) => void) => Promise<Carrier>
}

/**
 * What is another in each run, by names that are the same: ids of questions, sealed states, tasks, and when they were made. The
 * conversation is written with the names.
 */
export class Names {
  readonly #of = new Map<string, Json>()
  readonly #named = new Map<Json, string>()
  readonly #counts = new Map<string, number>()

  /** As it was said, with names in place of what is the run's own. */
  plain(message: Json): Json {
    if (Array.isArray(message)) return message.map((one) => this.plain(one as Json))
    const { id, method, result, error } = fields(message)
    // Where no id can be echoed some carriers say so, and others say nothing.
    if (error !== undefined && id === null) return this.#spelled({ ...(message as JsonObject), id: undefined as never })
    if (typeof method === "string" && id !== undefined)
      return this.#spelled({ ...(message as JsonObject), id: this.#name(`ask ${method}`, id as Json) })
    if (method === "notifications/cancelled") {
      const requestId = own(own(message, "params"), "requestId") as Json
      return this.#spelled({ method, withdraws: this.#named.get(requestId) ?? requestId })
    }
    const state = own(result, "requestState")
    if (typeof state === "string") this.#name("state", state)
    return this.#spelled(message)
  }

  /** As it is said in this run. */
  own(message: Json): Json {
    return walked(message, (value) => (typeof value === "string" ? (this.#of.get(value) ?? value) : value))
  }

  #name(kind: string, value: Json): string {
    const known = this.#named.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `§${kind} ${count}`
    this.#named.set(value, name)
    this.#of.set(name, value)
    return name
  }

  #spelled(message: Json): Json {
    return walked(message, (value, key) => {
      if (typeof value !== "string") return value
      if (times.has(key)) return "§time"
      if (key === "taskId" && value !== "none") return this.#name("task", value)
      return this.#named.get(value) ?? value
    })
  }
}

const times = new Set(["createdAt", "lastUpdatedAt"])

/** Members that are not there are left out. */
function walked(value: Json, change: (value: Json, key: string) => Json, key = ""): Json {
  if (Array.isArray(value)) return value.map((one) => walked(one as Json, change))
  if (typeof value !== "object" || value === null) return change(value, key)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, walked(one, change, name)]]))
  )
}
