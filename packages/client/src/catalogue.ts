/** The server's tools as the client knows them: listed once, and anew when they changed or one is missing. */
import type { Tool } from "@parley/core"
import { CallError } from "./error.js"
import type { Known } from "./tools.js"
import { compiling } from "./tools.js"

export interface Catalogue {
  /** The tool, when it is at hand: the usual case should not wait for a promise. */
  readonly known: (name: string) => Known | undefined
  /** Lists when it is not listed; calls that come meanwhile share the list. Rejects `ToolUnlisted`, or as the listing does. */
  readonly find: (name: string) => Promise<Known>
  /** The tools as `listing` gives them, kept unless the server says meanwhile that they changed. */
  readonly keep: (listing: Promise<ReadonlyArray<Tool>>) => Promise<ReadonlyArray<Tool>>
  /** The server said that they changed. */
  readonly forget: () => void
}

type Tools = ReadonlyMap<string, () => Known | Promise<Known>>

/** `structured`: whether the revision in force has output schemas. */
export function catalogue(list: () => Promise<ReadonlyArray<Tool>>, structured: boolean): Catalogue {
  let now: Tools = none
  let listing: Promise<Tools> | undefined
  let changes = 0

  async function named(all: Promise<ReadonlyArray<Tool>>): Promise<Tools> {
    const before = changes
    const tools = new Map((await all).map((tool) => [tool.name, compiling(tool, structured)]))
    if (changes === before) now = tools
    return tools
  }

  function listed(): Promise<Tools> {
    if (listing !== undefined) return listing
    const fresh = named(list()).finally(() => {
      if (listing === fresh) listing = undefined
    })
    listing = fresh
    return fresh
  }

  return {
    known: (name) => {
      const made = now.get(name)?.()
      return made instanceof Promise ? undefined : made
    },
    find: async (name) => {
      const tools = now.has(name) ? now : await listed()
      const made = tools.get(name)
      if (made === undefined) throw new CallError({ _tag: "ToolUnlisted", tool: name, listed: [...tools.keys()] })
      return made()
    },
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
