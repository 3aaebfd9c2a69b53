/** Asks for the lists that were not declared. A client must not, which is why the client itself does not and this is asked for by name. */
import type { Client } from "@parley/client"
import type { Message } from "@parley/core"
import { announced } from "@parley/core"
import type { Overheard } from "./overheard.js"

const lists = [
  ["tools", "tools/list", "tools"],
  ["resources", "resources/list", "resources"],
  ["resources", "resources/templates/list", "resourceTemplates"],
  ["prompts", "prompts/list", "prompts"]
] as const

const WAIT = 2_000

/** How many items each answered with; nothing for those that were refused, or not answered in time. */
export async function probed(channel: Overheard, { peer }: Client): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const asked = lists.filter(([needs]) => !announced(peer.capabilities, needs))
  await Promise.all(
    asked.map(async ([, method, member]) => {
      const message: Message = { jsonrpc: "2.0", id: `probe ${method}`, method }
      const reply = await channel.overhear(message, WAIT)
      const items = (reply as { readonly result?: Readonly<Record<string, unknown>> } | undefined)?.result?.[member]
      if (Array.isArray(items)) found.set(method, items.length)
    })
  )
  return found
}
