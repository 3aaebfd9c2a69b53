/** Both stores over a socket: one process offers them, others use them. One JSON text a line. */
import type { AddressInfo, Socket } from "node:net"
import { connect, createServer } from "node:net"
import { createInterface } from "node:readline"
import type { EventStore, StoredEvent } from "../../src/server/event-store.js"
import type { SessionStore } from "../../src/server/store.js"
import type { Json } from "./fake-exchange.js"
import type { SharedStores } from "./shared-stores.js"

interface Asked {
  readonly id: number
  readonly op: string
  readonly args: ReadonlyArray<Json>
}

/** Offers them on a free port. `notes`: what processes have told with `note`. */
export async function offer(stores: SharedStores) {
  const notes: Array<string> = []
  const words = stores.sessions as unknown as Record<string, (...args: ReadonlyArray<unknown>) => Promise<unknown>>
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    const say = (what: object): void => void socket.write(`${JSON.stringify(what)}\n`)
    const tails = new Map<number, AbortController>()
    socket.on("close", () => {
      sockets.delete(socket)
      for (const tail of tails.values()) tail.abort()
    })
    const lines = createInterface({ input: socket })
    // It tells of its socket's errors once more.
    lines.on("error", () => undefined)
    lines.on("line", (line) => void serve(JSON.parse(line) as Asked))
    async function serve({ id, op, args }: Asked): Promise<void> {
      try {
        if (op === "note") return say({ id, value: notes.push(args[0]) })
        if (op === "off") return tails.get(args[0])?.abort()
        if (op === "append") return say({ id, value: await stores.events.append(args[0], args[1], args[2]) })
        if (op !== "tail") return say({ id, value: await words[op]!(...args) })
        const off = new AbortController()
        tails.set(id, off)
        const [session, via, after] = args
        for await (const event of stores.events.tail(session, via, after ?? undefined, off.signal)) say({ id, event })
        tails.delete(id)
        say({ id, value: null })
      } catch (error) {
        say({ id, error: String(error) })
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: (server.address() as AddressInfo).port, notes, close }
}

/** The same stores, from elsewhere. */
export function remote(port: number): {
  readonly sessions: SessionStore
  readonly events: EventStore
  readonly note: (text: string) => Promise<unknown>
} {
  const socket = connect(port, "127.0.0.1")
  const waiting = new Map<number, (said: { value?: Json; error?: string; event?: StoredEvent }) => void>()
  let ids = 0
  createInterface({ input: socket }).on("line", (line) => {
    const said = JSON.parse(line)
    waiting.get(said.id)?.(said)
  })
  const ask = (op: string, args: ReadonlyArray<unknown>, id = ++ids): number => {
    socket.write(`${JSON.stringify({ id, op, args })}\n`)
    return id
  }
  const call =
    (op: string) =>
    (...args: ReadonlyArray<unknown>): Promise<Json> =>
      new Promise((resolve, reject) => {
        const id = ask(op, args)
        waiting.set(id, ({ value, error }) => {
          waiting.delete(id)
          if (error === undefined) resolve(value ?? undefined)
          else reject(new Error(error))
        })
      })
  async function* tail(session: string, via: string, after: string | undefined, signal: AbortSignal) {
    const came: Array<{ value?: null; error?: string; event?: StoredEvent }> = []
    let told = (): void => undefined
    const id = ++ids
    waiting.set(id, (said) => {
      came.push(said)
      told()
    })
    ask("tail", [session, via, after], id)
    signal.addEventListener("abort", () => {
      ask("off", [id])
      told()
    })
    try {
      while (!signal.aborted) {
        const next = came.shift()
        if (next === undefined) await new Promise<void>((resolve) => (told = resolve))
        else if (next.event !== undefined) yield next.event
        else if (next.error !== undefined) throw new Error(next.error)
        else return
      }
    } finally {
      waiting.delete(id)
    }
  }
  const sessions = {
    create: call("create"),
    load: call("load"),
    swap: call("swap"),
    touch: call("touch"),
    delete: call("delete")
  }
  return { sessions, events: { append: call("append"), tail }, note: call("note") }
}
