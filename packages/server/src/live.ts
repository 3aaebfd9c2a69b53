/** A server whose tools may change while it serves, never silently: one hub for all its sessions. */
import type { Family } from "@parley/core"
import { defineServer } from "./define.js"
import type { Declare, Server } from "./define.js"
import type { AnyTool } from "./tool.js"

/** What `live` asks for: the promise to tell clients. */
export type Announcing = Declare & { readonly tools: { readonly listChanged: true } }

export interface Live<D extends Declare = Declare> {
  readonly _tag: "Live"
  /** The server as it is now. */
  readonly server: Server<D>
  /**
   * Replaces what is registered and tells every client. Calls under way run on. What was announced stays announced, so the
   * last tool may go too. Settles when the change is in force: at once, unless something has to be loaded.
   * @throws TypeError as `defineServer` does, and then nothing has changed
   */
  readonly set: (items: ReadonlyArray<AnyTool>) => Promise<void>
  /** Calls back after each change, until the returned function is called. */
  readonly onChange: (changed: (families: ReadonlyArray<Family>) => void) => () => void
}

/**
 * Makes a server changeable. It must have declared `{ tools: { listChanged: true } }`: without the promise to tell, it does not compile.
 *
 * ```ts
 * import { defineServer, live, tool } from "@parley/server"
 *
 * const first = tool("first", {}, () => "1")
 * const counting = live(defineServer({ name: "counting", version: "1.0.0" }, [first], { declare: { tools: { listChanged: true } } }))
 * await counting.set([first, tool("second", {}, () => "2")])
 * counting.server.definition.tools.map(({ name }) => name) // => ["first", "second"]
 * ```
 */
export function live<D extends Announcing>(initial: Server<D>): Live<D> {
  if (initial.options.declare?.tools?.listChanged !== true)
    throw new TypeError(
      "A live server must declare { tools: { listChanged: true } }, so that clients hear of its changes"
    )
  const listeners = new Set<(families: ReadonlyArray<Family>) => void>()
  let server = initial
  let asked = 0
  let inForce = 0
  return {
    _tag: "Live",
    get server() {
      return server
    },
    set: async (items) => {
      const next = defineServer<D>(initial.info, items, initial.options)
      const turn = ++asked
      await next.ready
      // One that was asked for later may have been ready sooner.
      if (turn < inForce) return
      inForce = turn
      server = next
      for (const listener of listeners) listener(["tools"])
    },
    onChange: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    }
  }
}
