/** Pairs of channels with real pipes and processes between them, for the contract. */
import type { Pair } from "../../testing/src/channel-contract.js"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { command } from "../src/command.js"
import { stdio } from "../src/stdio.js"

export const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name)

/** Two server sides joined by two processes that copy. */
export async function joinedByCat(): Promise<Pair> {
  const there = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] })
  const back = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] })
  const left = [there, back].map((cat) => new Promise((resolve) => cat.once("exit", resolve)))
  const garbled = (cat: typeof there) => (bytes: Uint8Array) =>
    void cat.stdin.write(Buffer.concat([bytes, Buffer.from("\n")]))
  return {
    near: stdio({ input: back.stdout, output: there.stdin }),
    far: stdio({ input: there.stdout, output: back.stdin }),
    garble: { near: garbled(back), far: garbled(there) },
    async release() {
      there.kill("SIGKILL")
      back.kill("SIGKILL")
      await Promise.all(left)
    }
  }
}

/** A client side, a process it started, and a server side at the end of that process's socket. */
export async function joinedByCommand(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  const path = join(folder, "socket")
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const near = command(process.execPath, [fixture("bridge.mjs"), path], { stderr: "inherit" })
  // The client side starts its process when it is opened, so the other side's socket comes later.
  const input = new PassThrough()
  const output = new PassThrough()
  let socket: Socket | undefined
  server.once("connection", (connected) => {
    socket = connected.on("error", () => {})
    connected.pipe(input)
    output.pipe(connected)
  })
  return {
    near,
    far: stdio({ input, output }),
    garble: { near: (bytes) => void output.write(Buffer.concat([bytes, Buffer.from("\n")])) },
    async release() {
      socket?.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
