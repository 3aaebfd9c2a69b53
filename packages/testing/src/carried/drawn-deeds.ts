/** What is done next in a conversation, drawn from what was heard so far. Ids and progress tokens are used once. */
import type { Json, JsonObject, RequestId, RevisionName } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import { protocolVersion } from "../asker.js"
import type { Choose } from "../chance.js"
import { one, rarely } from "../chance.js"
import { everyClientCapability } from "../declaring.js"
import { fields, own } from "../envelope.js"
import { envelope } from "../enveloped.js"
import type { Scene } from "../message.js"
import { named, paramsOf } from "../message.js"
import { byHandshake, hasBatches, methodsOf, saysWhoAsks } from "../specification.js"
import { valueOf } from "../value.js"
import type { Deed, Heard } from "./carrier.js"
import { script } from "./script.js"
import { torn } from "./torn.js"

interface Live {
  readonly id: RequestId
  readonly deed: number
  readonly message: JsonObject
  readonly enveloped: boolean
}

/** What was asked inside a result, to be asked for once more. */
interface Round {
  readonly message: JsonObject
  readonly result: unknown
}

/** Which revisions a conversation is in: that of its session, if it has one, and that of requests without one. */
export interface Kind {
  readonly session: RevisionName | undefined
  readonly enveloped: boolean
}

export const kinds: ReadonlyArray<Kind> = [
  ...byHandshake.map((session) => ({ session, enveloped: false })),
  { session: undefined, enveloped: true },
  { session: "2025-11-25", enveloped: true }
]

const newest: RevisionName = "2026-07-28"

export class Drawer {
  readonly #choose: Choose
  readonly #kind: Kind
  #ids = 0
  #deeds = 0
  #live: Array<Live> = []
  #asked: Array<JsonObject> = []
  #rounds: Array<Round> = []
  #gates: Array<string> = []
  #tasks: Array<string> = []
  #cursors: Array<string> = []
  #pages: Array<string> = []
  /** Resources that the client wants to hear of. */
  readonly #followed: Array<string> = []
  #opening: Array<Deed> = []

  constructor(kind: Kind, choose: Choose) {
    this.#kind = kind
    this.#choose = choose
    const { session } = kind
    if (session === undefined) return
    const capabilities = rarely(choose, 4) ? {} : everyClientCapability
    const info = { name: "carried", version: "1.0.0" }
    const params = { protocolVersion: session, capabilities, clientInfo: info }
    this.#opening = [
      { _tag: "Say", message: { jsonrpc: "2.0", id: this.#fresh(), method: "initialize", params } },
      { _tag: "Say", message: { jsonrpc: "2.0", method: "notifications/initialized" } }
    ]
  }

  next(): Deed {
    const deed = this.#opening.shift() ?? this.#drawn()
    if (deed._tag === "Say") this.#said(deed.message, this.#deeds)
    if (deed._tag === "Cancel") this.#live = this.#live.filter(({ id }) => id !== deed.id)
    this.#deeds++
    return deed
  }

  /** What came of it, with names in place of what is each run's own. */
  heard({ message }: Heard): void {
    for (const one of Array.isArray(message) ? message : [message]) this.#learn(one as JsonObject)
  }

  #learn(message: JsonObject): void {
    const { id, method, result, withdraws } = message
    if (withdraws !== undefined) this.#asked = this.#asked.filter((asked) => asked["id"] !== withdraws)
    if (typeof method === "string" && id !== undefined) this.#asked.push(message)
    const page = own(message["params"], "elicitationId")
    if (typeof page === "string") this.#pages.push(page)
    if (method !== undefined) return
    const made = this.#live.find((live) => live.id === id)
    this.#live = this.#live.filter((live) => live !== made)
    const cursor = own(result, "nextCursor")
    if (typeof cursor === "string") this.#cursors.push(cursor)
    const task = own(own(result, "task"), "taskId")
    if (typeof task === "string") this.#tasks.push(task)
    if (own(result, "requestState") !== undefined && made !== undefined)
      this.#rounds.push({ message: made.message, result })
  }

  #said(message: Json, deed: number): void {
    for (const one of Array.isArray(message) ? message : [message]) {
      const { id, method, params } = fields(one)
      if (typeof method !== "string") this.#asked = this.#asked.filter((asked) => asked["id"] !== id)
      else if (typeof id === "string" || typeof id === "number") {
        const enveloped = own(own(params, "_meta"), protocolVersion) !== undefined
        this.#live.push({ id, deed, message: one as JsonObject, enveloped })
        if (method === "resources/subscribe") this.#followed.push(String(own(params, "uri")))
      }
    }
  }

  #fresh(): RequestId {
    return ++this.#ids % 3 === 0 ? `r${this.#ids}` : this.#ids
  }

  #drawn(): Deed {
    const [choose, { session }] = [this.#choose, this.#kind]
    const say = (message: Json): Deed => ({ _tag: "Say", message })
    const what = choose(100)
    if (what < 14) return this.#gates.length > 0 ? { _tag: "Open", gate: this.#taken(this.#gates) } : this.#sound()
    if (what < 24) return this.#asked.length > 0 ? say(this.#answer(one(choose, this.#asked))) : this.#sound()
    if (what < 32) return this.#rounds.length > 0 ? say(this.#again(this.#taken(this.#rounds))) : this.#sound()
    if (what < 40) return this.#withdrawal() ?? this.#sound()
    if (what < 45) return { _tag: "Change" }
    if (what < 52)
      return { _tag: "Update", uri: one(choose, this.#followed.length > 0 && choose(4) > 0 ? this.#followed : uris) }
    if (what < 60 && this.#pages.length > 0) return { _tag: "Complete", elicitationId: this.#taken(this.#pages) }
    if (what < 62) return this.#wrong()
    if (what < 68 && session !== undefined) return say(this.#notification(session))
    if (what < 74 && hasBatches(session)) return say(this.#batch(session!))
    return this.#sound()
  }

  #sound(): Deed {
    return { _tag: "Say", message: this.#request(this.#speaks()) }
  }

  #withdrawal(): Deed | undefined {
    // An opening is never withdrawn.
    const withdrawable = this.#live.filter(({ message }) => message["method"] !== "initialize")
    if (withdrawable.length === 0) return undefined
    const { id, deed, enveloped } = one(this.#choose, withdrawable)
    return { _tag: "Cancel", id, deed, enveloped }
  }

  #speaks(): RevisionName {
    const { session, enveloped } = this.#kind
    return session === undefined || (enveloped && this.#choose(2) === 0) ? newest : session
  }

  #taken<A>(from: Array<A>): A {
    return from.splice(this.#choose(from.length), 1)[0]!
  }

  #scene(revision: RevisionName): Scene {
    return {
      from: "client",
      definition: { revisions },
      revision,
      fresh: () => this.#fresh(),
      used: [],
      live: this.#live.map(({ id }) => id),
      tools: ["run", "sum", "nope"],
      prompts: [
        ["greet", ["who"]],
        ["nope", []]
      ],
      uris,
      cursors: this.#cursors,
      tokens: []
    }
  }

  #request(revision: RevisionName): JsonObject {
    const methods = named(this.#scene(revision), "request").filter((method) => method !== "initialize")
    // Many are calls of the tool that does as it is told, and where there are tasks many are about them.
    const about = methods.filter((method) => method.startsWith("tasks/"))
    const among = this.#tasks.length > 0 && about.length > 0 && this.#choose(3) === 0 ? about : methods
    return this.#about(revision, this.#choose(3) === 0 ? "tools/call" : one(this.#choose, among))
  }

  #about(revision: RevisionName, method: string): JsonObject {
    const choose = this.#choose
    const id = this.#fresh()
    const drawn = paramsOf(this.#scene(revision), choose, method)
    const special = this.#special(revision, method, id)
    const meta = saysWhoAsks(revision) ? envelope(this.#scene(revision), choose) : {}
    const { progressToken: _, ...rest } = meta
    const asked = choose(4) > 0 ? { progressToken: `p${id}` } : {}
    const { _meta, ...params } = { ...drawn, ...special }
    void _meta
    return { jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...rest, ...asked } } }
  }

  /** Params about what there is. */
  #special(revision: RevisionName, method: string, id: RequestId): JsonObject {
    const choose = this.#choose
    if (method.startsWith("tasks/") && method !== "tasks/list")
      return { taskId: this.#tasks.length > 0 && !rarely(choose, 8) ? one(choose, this.#tasks) : "none" }
    if (method === "completion/complete")
      return one<JsonObject>(choose, [
        { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "a" } },
        { ref: { type: "ref/resource", uri: "file:///of/{name}" }, argument: { name: "name", value: "" } },
        { ref: { type: "ref/prompt", name: "nope" }, argument: { name: "who", value: "a" } }
      ])
    if (method !== "tools/call") return {}
    if (rarely(choose, 6)) return { name: "sum", arguments: { a: 1, b: one<Json>(choose, [2, 2 ** 40, -1, "x"]) } }
    const tag = `t${id}`
    const { acts, gates } = script(choose, tag)
    this.#gates.push(...gates)
    const task = revision === "2025-11-25" && choose(2) === 0 ? { task: {} } : { task: undefined as never }
    return { name: "run", arguments: { tag, acts: acts as never }, ...task }
  }

  /** Well, or by an error. */
  #answer({ id, method }: JsonObject): JsonObject {
    if (rarely(this.#choose, 6)) return { jsonrpc: "2.0", id: id!, error: { code: -1, message: "No" } }
    const { result } = methodsOf(this.#kind.session!, "server").get(method as string)!
    const usual = this.#choose(2) === 0 ? answers[method as string] : undefined
    return { jsonrpc: "2.0", id: id!, result: usual ?? (valueOf(result, this.#choose) as JsonObject) }
  }

  /** The request once more, with answers to what was asked inside its result. */
  #again({ message, result }: Round): JsonObject {
    const id = this.#fresh()
    const { params } = message
    const inputResponses = Object.fromEntries(
      Object.entries(fields(own(result, "inputRequests"))).map(([key, question]) => [
        key,
        answers[String(own(question, "method"))] ?? {}
      ])
    )
    const requestState = own(result, "requestState") as Json
    const { progressToken: _, ..._meta } = own(params, "_meta") as JsonObject
    const more = { inputResponses, requestState, _meta: { ..._meta, progressToken: `p${id}` } }
    return { ...message, id, params: { ...(params as JsonObject), ...more } }
  }

  #notification(revision: RevisionName): JsonObject {
    const methods = named(this.#scene(revision), "notification").filter(
      (method) => method !== "notifications/cancelled"
    )
    const method = rarely(this.#choose, 8) ? "notifications/nope" : one(this.#choose, methods)
    return { jsonrpc: "2.0", method, params: paramsOf(this.#scene(revision), this.#choose, method) }
  }

  #batch(revision: RevisionName): Json {
    return Array.from({ length: 1 + this.#choose(4) }, (): Json => {
      const asked = this.#asked[0]
      if (asked !== undefined && rarely(this.#choose, 3)) {
        this.#asked = this.#asked.slice(1)
        return this.#answer(asked)
      }
      return this.#choose(3) === 0 ? this.#notification(revision) : this.#request(revision)
    })
  }

  #wrong(): Deed {
    const choose = this.#choose
    const revision = this.#speaks()
    const sound = this.#request(revision)
    const params = sound["params"] as JsonObject
    const meta = params["_meta"] as JsonObject
    const say = (message: Json): Deed => ({ _tag: "Say", message })
    switch (choose(9)) {
      case 0:
        return { _tag: "Garble", text: one(choose, ["{", "[1,", "nope", '{"jsonrpc":"2.0"'] as const) }
      case 1:
        return say({ ...sound, method: one(choose, ["nope", "constructor", "tools/lists"]) })
      case 2:
        return say({ ...sound, params: { ...params, cursor: "nowhere", name: 7, uri: 7, level: 7, ref: 7 } })
      case 3:
        return say({ ...sound, jsonrpc: "1.0" })
      case 4:
        // How a batch is refused without a session is each transport's own.
        return say(hasBatches(revision) ? [] : saysWhoAsks(revision) ? { ...sound, id: null } : [sound])
      case 5:
        return say({ ...sound, method: "notifications/initialized" })
      default:
        if (!saysWhoAsks(revision)) return say({ ...sound, params: { _meta: 7 as never } })
        return {
          _tag: "Say",
          wrong: "envelope",
          message: { ...sound, params: { ...params, _meta: torn(meta, choose) } }
        }
    }
  }
}

const uris = ["file:///a", "file:///b", "file:///of/x", "file:///of/none", "file:///d é", "file:///nowhere"]
const answers: { readonly [method: string]: Json } = {
  "elicitation/create": { action: "accept", content: { n: 1 } },
  "sampling/createMessage": { role: "assistant", model: "m", content: { type: "text", text: "a" } },
  "roots/list": { roots: [{ uri: "file:///a" }] }
}
