/** Loads what servers load when it is first needed: the bare core is never to wait for a file. */
import type { JsonObject } from "@parley/core"
import { clientCapabilities, protocolVersion } from "../asker.js"
import { everyCapability } from "../declaring.js"
import { bare } from "./bare.js"
import { Ear } from "./ear.js"
import type { Act } from "./stage.js"
import { stage } from "./stage.js"

export async function warm(): Promise<void> {
  const ear = new Ear()
  const served = stage(() => undefined)
  const core = await bare(served, (heard) => ear.hear(heard))
  for (const [at, message] of all.entries()) {
    ear.begin()
    void core.say({ jsonrpc: "2.0", ...message }, at, undefined)
    await ear.until("id" in message ? 1 : 0, 0, 10_000)
  }
  await core.close()
}

const run = (acts: ReadonlyArray<Act>, more: JsonObject = {}): JsonObject => ({
  name: "run",
  arguments: { tag: "warm", acts: acts as never },
  ...more
})
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "warm", version: "1" } }
const _meta = { [protocolVersion]: "2026-07-28", [clientCapabilities]: everyCapability }
const all: ReadonlyArray<JsonObject> = [
  { id: 1, method: "initialize", params },
  { method: "notifications/initialized" },
  { id: 2, method: "resources/read", params: { uri: "file:///of/x" } },
  {
    id: 3,
    method: "completion/complete",
    params: { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "" } }
  },
  { id: 4, method: "tools/call", params: run([["once", "a"]]) },
  { id: 5, method: "tools/call", params: run([], { task: {} }) },
  { id: 6, method: "tasks/list", params: {} },
  { id: 7, method: "tools/call", params: run([["ask", "form"]], { _meta }) }
]
