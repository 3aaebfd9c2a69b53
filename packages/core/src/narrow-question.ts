/** Questions for older clients: a form they can show, or a request to their model that they can serve. */
import { announced } from "./definition.js"
import type { Json, JsonObject } from "./json.js"
import { isObject } from "./json.js"
import { keeping, merged, narrowed } from "./narrow.js"
import type { Peer } from "./peer.js"
import type { Revision } from "./revision.js"

/** The params as the client's revision and capabilities have them. What can not be said there is left for the row's check to refuse. */
export function narrowedQuestion(
  revision: Revision,
  peer: Peer,
  method: string,
  params: JsonObject | undefined
): JsonObject | undefined {
  if (params === undefined) return undefined
  switch (method) {
    case "elicitation/create": {
      const form = narrowed(revision, revision.questions[method]?.params, params)
      return revision.features.forms === "flat" ? flatForm(form) : form
    }
    case "sampling/createMessage": {
      const declared = undeclaredLeftOut(revision, peer, params)
      return oneBlockEach(revision, narrowed(revision, revision.questions[method]?.params, declared))
    }
    default:
      return params
  }
}

/** 2025-11-25 client/sampling, Capabilities: tools and context from servers only where the client declared them. */
function undeclaredLeftOut(revision: Revision, peer: Peer, params: JsonObject): JsonObject {
  const tools = announced(peer.capabilities, "sampling.tools")
  const context = revision.features.forms === "flat" || announced(peer.capabilities, "sampling.context")
  return keeping(params, (key, value) => {
    if (key === "tools" || key === "toolChoice") return tools
    return key !== "includeContext" || context || value === "none"
  })
}

/** Before 2025-11-25 a message holds one block of content: one of several becomes several messages. */
function oneBlockEach(revision: Revision, params: JsonObject): JsonObject {
  const { messages } = params
  if (revision.features.forms === "full" || !Array.isArray(messages)) return params
  const split = (messages as ReadonlyArray<JsonObject>).flatMap((message) =>
    isObject(message) && Array.isArray(message["content"])
      ? (message["content"] as ReadonlyArray<Json>).map((content) => merged(message, { content }))
      : [message]
  )
  return merged(params, { messages: split })
}

/** 2025-06-18 client/elicitation: one choice without titles, and defaults for booleans only. */
function flatForm(params: JsonObject): JsonObject {
  const schema = params["requestedSchema"]
  if (!isObject(schema) || !isObject(schema["properties"])) return params
  const properties = Object.fromEntries(
    Object.entries(schema["properties"]).map(([name, field]) => [name, flatField(field)])
  )
  return merged(params, { requestedSchema: merged(schema, { properties }) })
}

function flatField(field: unknown): unknown {
  if (!isObject(field)) return field
  const kept = keeping(field, (key) => key !== "oneOf" && (key !== "default" || field["type"] === "boolean"))
  if (!Array.isArray(field["oneOf"])) return kept
  const choices = (field["oneOf"] as ReadonlyArray<unknown>).filter(isObject)
  return merged(kept, {
    enum: choices.map((choice) => choice["const"]),
    enumNames: choices.map((choice) => choice["title"])
  })
}
