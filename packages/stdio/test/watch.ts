/** Sees processes live and die, also those that are not our children: each holds a connection while it lives. */
import { mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Watch {
  /** What `fixtures/alive.mjs` is told to connect to. */
  readonly path: string
  /** The process of that name has started; resolves to the promise of its end. */
  started(name: string): Promise<{ readonly ended: Promise<void> }>
  stop(): Promise<void>
}

export async function watch(): Promise<Watch> {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  const path = join(folder, "alive")
  const seen = new Map<string, Promise<{ ended: Promise<void> }>>()
  const tell = new Map<string, (lives: { ended: Promise<void> }) => void>()
  const entry = (name: string): Promise<{ ended: Promise<void> }> => {
    const known = seen.get(name)
    if (known !== undefined) return known
    const promise = new Promise<{ ended: Promise<void> }>((resolve) => tell.set(name, resolve))
    seen.set(name, promise)
    return promise
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    socket.on("error", () => {})
    socket.once("data", (name) => {
      void entry(String(name))
      tell.get(String(name))?.({ ended })
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    path,
    started: entry,
    /** Whoever still lives sees its connection cut, and leaves. */
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
