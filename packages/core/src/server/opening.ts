/** The opening: what a version that was asked for comes to, and what we say of ourselves in return. */
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import { narrowImplementation, narrowServerCapabilities } from "../narrow.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { Compiled, Spoken } from "./compiled.js"

export interface Opening {
  readonly _tag: "Opening"
  readonly asked: string
  readonly peer: Peer
  readonly wrong: ReadonlyArray<string>
  readonly result: JsonObject
}

/** Params are known to be well-formed. The version in force is the one asked for whenever we speak it. */
export function open(compiled: Compiled, params: JsonObject): Opening | Failure {
  const asked = params["protocolVersion"] as string
  const spoken = negotiated(compiled, asked)
  if (spoken === undefined) return { _tag: "VersionUnsupported", requested: asked, supported: compiled.supported }
  const { features, name } = spoken.revision
  const { capabilities, wrong } = sanitised(params["capabilities"] as JsonObject, features.clientCapabilities)
  return {
    _tag: "Opening",
    asked,
    peer: { revision: name, capabilities, info: params["clientInfo"] as JsonObject },
    wrong,
    result: announcement(compiled, spoken)
  }
}

function negotiated(compiled: Compiled, asked: string): Spoken | undefined {
  for (const spoken of compiled.spoken.values()) if (spoken.revision.name === asked) return spoken
  return compiled.definition.unsupported === "offer" ? compiled.newest : undefined
}

function announcement(compiled: Compiled, { revision }: Spoken): JsonObject {
  const { info, capabilities, instructions } = compiled.definition
  const result: Record<string, JsonObject[string]> = {
    protocolVersion: revision.name,
    capabilities: narrowServerCapabilities(capabilities, revision.features),
    serverInfo: narrowImplementation(info, revision.features)
  }
  if (instructions !== undefined) result["instructions"] = instructions
  return result
}
