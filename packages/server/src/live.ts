/** A server whose items may change while it serves, never silently: one hub for all its sessions. */
import type { Family } from "@parley/core"
import { calmly } from "./calmly.js"
import { defineServer } from "./define.js"
import type { Declare, Item, Server } from "./define.js"

/** What `live` asks for: the promise to tell clients of at least one kind of change. */
export type Announcing = Declare &
  (
    | { readonly tools: { readonly listChanged: true } }
    | { readonly resources: { readonly listChanged: true } | { readonly subscribe: true } }
    | { readonly prompts: { readonly listChanged: true } }
  )

/** What happened to a live server. */
export type Change =
  | { readonly _tag: "Changed"; readonly families: ReadonlyArray<Family> }
  | { readonly _tag: "Updated"; readonly uri: string }
  | { readonly _tag: "Completed"; readonly elicitationId: string }

export interface Live<D extends Declare = Declare> {
  readonly _tag: "Live"
  /** The server as it is now. */
  readonly server: Server<D>
  /**
   * Replaces what is registered and tells every client which lists changed. Calls under way run on, with the handlers
   * that they began with, also those that wait for the client's answers. What was announced stays
   * announced, so the last tool may go too. Settles when the change is in force: at once, unless something has to be loaded.
   * @throws TypeError as `defineServer` does, or when a list would change that clients were not promised to hear of; then nothing has changed
   */
  readonly set: (items: ReadonlyArray<Item>) => Promise<void>
  /**
   * Tells the clients that subscribed to it, or listen for it, that a resource has other contents now.
   * @throws TypeError where `{ resources: { subscribe: true } }` was not declared: nobody could have subscribed
   */
  readonly updated: (uri: D extends { readonly resources: { readonly subscribe: true } } ? string : never) => void
  /** Tells the client that was asked to send its user to a page that the visit is complete; it hears of it once, and since 2026-07-28 not at all. */
  readonly completed: (elicitationId: string) => void
  /** Calls back after each change, until the returned function is called. What it throws ends nothing, and is told on the console. */
  readonly onChange: (changed: (change: Change) => void) => () => void
}

/**
 * Makes a server changeable. It must have declared that it tells clients, such as `{ tools: { listChanged: true } }`: without
 * that promise it does not compile.
 *
 * ```ts
 * import { defineServer, live, tool } from "@parley/server"
 *
 * const first = tool("first", {}, () => "1")
 * const counting = live(defineServer({ name: "counting", version: "1.0.0" }, [first], { declare: { tools: { listChanged: true } } }))
 * await counting.set([first, tool("second", {}, () => "2")])
 * counting.server.definition.tools.map(({ name }) => name) // => ["first", "second"]
 * ```
 *
 * @throws TypeError for what is no server, or one that promised nothing
 */
export function live<D extends Announcing>(initial: Server<D>): Live<D> {
  if (initial?._tag !== "Server") throw new TypeError("live needs a server: live(defineServer(info, items, options))")
  const declare: Declare = initial.options.declare ?? {}
  const promised = families.filter((family) => declare[family]?.listChanged === true)
  if (promised.length === 0 && declare.resources?.subscribe !== true)
    throw new TypeError(
      "A live server must declare { tools: { listChanged: true } } or the like, so that clients hear of its changes"
    )
  const listeners = new Set<(change: Change) => void>()
  const tell = (change: Change): void => {
    for (const listener of listeners) calmly(listener)(change)
  }
  let server = initial
  let asked = 0
  let inForce = 0
  return {
    _tag: "Live",
    get server() {
      return server
    },
    set: async (items) => {
      const turn = ++asked
      await initial.ready
      const next = defineServer<D>(initial.info, items, { ...initial.options, declare: kept(initial) })
      await next.ready
      const changed = families.filter((family) => differs(server, next, family))
      const silent = changed.find((family) => !promised.includes(family))
      if (silent !== undefined)
        throw new TypeError(
          `The ${silent} may not change: declare { ${silent}: { listChanged: true } }, so that clients hear of it`
        )
      const { capabilities } = next.definition
      const late = Object.keys(capabilities).find((name) => !Object.hasOwn(initial.definition.capabilities, name))
      if (late !== undefined) throw new TypeError(`Clients were not told of ${late}: declare it from the beginning`)
      // One that was asked for later may have been ready sooner.
      if (turn < inForce) return
      inForce = turn
      server = next
      tell({ _tag: "Changed", families: changed })
    },
    updated: (uri) => {
      if (declare.resources?.subscribe !== true)
        throw new TypeError("Nobody can subscribe: declare { resources: { subscribe: true } } to tell of updates")
      tell({ _tag: "Updated", uri })
    },
    completed: (elicitationId) => tell({ _tag: "Completed", elicitationId }),
    onChange: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    }
  }
}

const families: ReadonlyArray<Family> = ["tools", "resources", "prompts"]

/** What was announced stays announced, also when the last item goes that it followed from. */
function kept<D extends Declare>({ definition: { capabilities }, options }: Server<D>): D {
  const { completions, tasks, ...rest } = capabilities
  const lists = Object.fromEntries(
    families.filter((family) => rest[family] !== undefined).map((one) => [one, rest[one]])
  )
  const others = { ...(completions && { completions: true }), ...(tasks && { tasks: options.declare?.tasks ?? {} }) }
  return { ...options.declare, ...lists, ...others } as D
}

/** Whether clients would see another list. */
function differs({ definition: before }: Server, { definition: after }: Server, family: Family): boolean {
  const seen = ({ tools, resources, templates, prompts }: Server["definition"]): string =>
    JSON.stringify({ tools, resources: [resources, templates], prompts }[family])
  return seen(before) !== seen(after)
}
