/** The server's tools as the client knows them: listed once, and anew when they changed or one is missing. */
import type { Tool } from "@parley/core"
import { CallError } from "./error.js"
import type { Known } from "./tools.js"
import { compiling } from "./tools.js"

export interface Catalogue {
  /** The tool, when it is at hand: the usual case should not wait for a promise. */
  readonly known: (name: string) => Known | undefined
  /** The same as the server listed it, whatever its schemas are. */
  readonly listed: (name: string) => Tool | undefined
  /** Lists when it is not listed; calls that come meanwhile share the list. Rejects `ToolUnlisted`, or as the listing does. */
  readonly find: (name: string) => Promise<Known>
  /** Whether a tool is as it was listed until the server says that it is not. */
  readonly lasting: boolean
  /** As it is listed now, where that may have changed. Rejects like `find`. */
  readonly again: (name: string) => Promise<Known>
  /** The tools as `listing` gives them, kept unless the server says meanwhile that they changed. */
  readonly keep: (listing: Promise<ReadonlyArray<Tool>>) => Promise<ReadonlyArray<Tool>>
  /** The server said that they changed. */
  readonly forget: () => void
}

type Tools = ReadonlyMap<string, { readonly tool: Tool; readonly made: () => Known | Promise<Known> }>

export interface CatalogueOptions {
  /** Whether the revision in force has output schemas. */
  readonly structured: boolean
  readonly lasting: boolean
}

/** `list` asks the server, or, unless it is to be fresh, whoever has what the server allowed to be kept. */
export function catalogue(
  list: (fresh: boolean) => Promise<ReadonlyArray<Tool>>,
  { structured, lasting }: CatalogueOptions
): Catalogue {
  let now: Tools = none
  let listing: Promise<Tools> | undefined
  let changes = 0

  async function named(all: Promise<ReadonlyArray<Tool>>): Promise<Tools> {
    const before = changes
    const tools = new Map((await all).map((tool) => [tool.name, { tool, made: compiling(tool, structured) }]))
    if (changes === before) now = tools
    return tools
  }

  function listed(fresh: boolean): Promise<Tools> {
    if (listing !== undefined) return listing
    const one = named(list(fresh)).finally(() => {
      if (listing === one) listing = undefined
    })
    listing = one
    return one
  }

  function found(tools: Tools, name: string): Known | Promise<Known> {
    const one = tools.get(name)
    if (one === undefined) throw new CallError({ _tag: "ToolUnlisted", tool: name, listed: [...tools.keys()] })
    return one.made()
  }

  return {
    known: (name) => {
      const made = now.get(name)?.made()
      return made instanceof Promise ? undefined : made
    },
    listed: (name) => now.get(name)?.tool,
    find: async (name) => {
      if (now.has(name)) return found(now, name)
      const tools = await listed(now !== none)
      // What was kept does not have it; the server may.
      return found(tools.has(name) || lasting ? tools : await listed(true), name)
    },
    lasting,
    again: async (name) => found(await listed(false), name),
    keep: async (all) => {
      await named(all)
      return all
    },
    forget: () => {
      changes++
      now = none
      listing = undefined
    }
  }
}

const none: Tools = new Map()
