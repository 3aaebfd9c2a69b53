/** A server on a Unix socket: each connection is a session of its own, framed as on standard streams. */
import { rmSync } from "node:fs"
import { createServer } from "node:net"
import { defineServer, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"

const [path = "/tmp/uptime.sock"] = process.argv.slice(2)

const began = Date.now()
const uptime = tool("uptime", { description: "How long this server has run" }, () => `${Date.now() - began} ms`)
const clock = defineServer({ name: "clock", version: "1.0.0" }, [uptime])

const sessions = new Set()
const listener = createServer({ allowHalfOpen: true }, (socket) => {
  const session = serve(clock, stdio({ input: socket, output: socket }))
  sessions.add(session)
  void session.closed.finally(() => sessions.delete(session))
})
rmSync(path, { force: true }) // what a server that was killed has left
process.umask(0o077) // who may open the file may call the tools: its owner
listener.listen(path, () => console.log(path))

process.once("SIGTERM", () => {
  listener.close() // takes the file away
  for (const session of sessions) void session.close()
})
