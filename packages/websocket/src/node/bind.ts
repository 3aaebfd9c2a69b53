/** Binds servers to a port: what is called `localhost` has two addresses, and clients try either. */
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** @throws what Node says when a port is taken or an address is none of this machine's; then nothing listens */
export async function bind(make: () => Server, host: string, port: number): Promise<ReadonlyArray<Server>> {
  if (host !== "localhost") return [await listening(make(), host, port)]
  for (let left = attempts; ; left--) {
    const first = await listening(make(), "127.0.0.1", port).catch(unlessMissing)
    try {
      const second = await listening(make(), "::1", first === undefined ? port : portOf(first)).catch(unlessMissing)
      const both = [first, second].filter((one) => one !== undefined)
      if (both.length === 0) throw new Error("This machine has no loopback address: neither 127.0.0.1 nor ::1")
      return both
    } catch (error) {
      first?.close()
      // A port that was free on one address may be taken on the other: any other one will do.
      if (port !== 0 || left === 0 || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    }
  }
}

const attempts = 20

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

function listening(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host, port }, () => {
      server.off("error", reject)
      resolve(server)
    })
  })
}

/** Not every machine has both. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EADDRNOTAVAIL" && error.code !== "EAFNOSUPPORT") throw error
}
