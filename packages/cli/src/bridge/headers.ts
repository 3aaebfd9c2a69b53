/** The tools whose arguments are said in headers too, as they go by in lists. */
import type { JsonObject, Message, Mirrored, Request, ToolDefinition } from "@parley/core"
import { annotations, isObject, member } from "@parley/core"

export interface Seen {
  /** Looks at the reply to a request. Says whether there is anything new. */
  readonly look: (request: Request, reply: Message) => boolean
  readonly tools: () => ReadonlyArray<ToolDefinition>
  readonly of: (tool: unknown) => ReadonlyArray<Mirrored>
}

/** Tools that are remembered. */
const most = 10_000

export function seenTools(): Seen {
  const known = new Map<unknown, { readonly tool: ToolDefinition; readonly mirrored: ReadonlyArray<Mirrored> }>()

  function learn(tool: unknown): boolean {
    const name = member(tool, "name")
    const found = annotations(member(tool, "inputSchema"))
    const mirrored = found.ok ? found.value : []
    const before = known.get(name)
    if (mirrored.length === 0) return known.delete(name)
    if (typeof name !== "string" || (before === undefined && known.size >= most)) return false
    known.set(name, { tool: tool as ToolDefinition, mirrored })
    return JSON.stringify(before?.mirrored) !== JSON.stringify(mirrored)
  }

  return {
    look: ({ method }, reply) => {
      const tools = method === "tools/list" && "result" in reply ? reply.result["tools"] : undefined
      return Array.isArray(tools) ? (tools as ReadonlyArray<unknown>).filter(isObject).map(learn).includes(true) : false
    },
    tools: () => [...known.values()].map(({ tool }) => tool),
    of: (tool) => known.get(tool)?.mirrored ?? []
  }
}

/** Schema Extension: a tool whose headers can not be said is no tool for who speaks HTTP. Each that is left out is told of once. */
export function sayables(say: (text: string) => void): (reply: Message) => Message {
  const dropped = new Set<string>()
  return (reply) => {
    const listed = "result" in reply ? reply.result["tools"] : undefined
    if (!Array.isArray(listed)) return reply
    const kept = (listed as ReadonlyArray<unknown>).filter((tool) => {
      const found = annotations(member(tool, "inputSchema"))
      const name = String(member(tool, "name"))
      if (!found.ok && !dropped.has(name)) {
        dropped.add(name)
        say(`The tool ${name} is left out of the list: ${found.error}`)
      }
      return found.ok
    })
    return kept.length === listed.length
      ? reply
      : ({ ...reply, result: { ...(reply as { readonly result: JsonObject }).result, tools: kept } } as Message)
  }
}
