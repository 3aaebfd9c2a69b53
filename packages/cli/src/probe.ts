/** Asks for the lists that were not declared. A client must not, which is why the client itself does not and this is asked for by name. */
import type { Client } from "@parley/client"
import type { JsonObject, Message } from "@parley/core"
import { announced } from "@parley/core"
import type { Overheard } from "./overheard.js"
import { isRecord } from "./schema.js"
import type { Entry } from "./transcript.js"

const lists = [
  ["tools", "tools/list", "tools"],
  ["resources", "resources/list", "resources"],
  ["resources", "resources/templates/list", "resourceTemplates"],
  ["prompts", "prompts/list", "prompts"]
] as const

const WAIT = 2_000

/** How many items each answered with; nothing for those that were refused, or not answered in time. */
export async function probed(
  overhear: Overheard["overhear"],
  { peer, prior }: Client,
  entries: ReadonlyArray<Entry>
): Promise<Map<string, number>> {
  const params = prior._tag === "Handshake" ? undefined : { _meta: envelopeIn(entries) }
  const found = new Map<string, number>()
  const asked = lists.filter(([needs]) => !announced(peer.capabilities, needs))
  await Promise.all(
    asked.map(async ([, method, member]) => {
      const message: Message = {
        jsonrpc: "2.0",
        id: `probe ${method}`,
        method,
        ...(params !== undefined && { params })
      }
      const reply = await overhear(message, WAIT)
      const items = (reply as { readonly result?: Readonly<Record<string, unknown>> } | undefined)?.result?.[member]
      if (Array.isArray(items)) found.set(method, items.length)
    })
  )
  return found
}

/** What every request says of us, where it must: as the client itself has said it. */
function envelopeIn(entries: ReadonlyArray<Entry>): JsonObject {
  const asked = entries.findLast(({ from, what }) => from === "us" && what === "server/discover")
  const params = isRecord(asked?.message) ? asked.message["params"] : undefined
  return isRecord(params) && isRecord(params["_meta"]) ? params["_meta"] : {}
}
