/** One port on both loopback addresses, or on the one there is. */
import type { Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { bind, portOf } from "../../src/node/bind.js"

const made: Array<Server> = []
const make = (): Server => {
  const server = createServer()
  made.push(server)
  return server
}
afterEach(async () => {
  for (const server of made.splice(0)) if (server.listening) await new Promise((resolve) => server.close(resolve))
})

/** Fails as the operating system does, where `says` says so of an address. */
function where(says: (address: string, port: number) => string | undefined): () => Server {
  return () => {
    const server = make()
    const listen = server.listen.bind(server) as (options: object, listening: () => void) => Server
    const tried = (options: { host: string; port: number }, listening: () => void): Server => {
      const code = says(options.host, options.port)
      if (code === undefined) return listen(options, listening)
      queueMicrotask(() => server.emit("error", Object.assign(new Error(`listen ${code}`), { code })))
      return server
    }
    return Object.assign(server, { listen: tried })
  }
}

const addresses = (servers: ReadonlyArray<Server>): ReadonlyArray<string> =>
  servers.map((server) => (server.address() as AddressInfo).address)

/** Most machines have it; where there is none, the tests that pretend do what can be done. */
const six = await bind(createServer, "::1", 0).then(
  ([server]) => new Promise<boolean>((resolve) => server!.close(() => resolve(true))),
  () => false
)

describe("localhost", () => {
  it.runIf(six)("is both of its addresses, at one port", async () => {
    const servers = await bind(make, "localhost", 0)
    expect(addresses(servers)).toEqual(["127.0.0.1", "::1"])
    expect(new Set(servers.map(portOf)).size).toBe(1)
  })

  it.each(["EADDRNOTAVAIL", "EAFNOSUPPORT"])("is 127.0.0.1 alone on a machine without IPv6 (%s)", async (code) => {
    const servers = await bind(
      where((address) => (address === "::1" ? code : undefined)),
      "localhost",
      0
    )
    expect(addresses(servers)).toEqual(["127.0.0.1"])
  })

  it.runIf(six)("is ::1 alone on a machine without IPv4", async () => {
    const servers = await bind(
      where((address) => (address === "::1" ? undefined : "EADDRNOTAVAIL")),
      "localhost",
      0
    )
    expect(addresses(servers)).toEqual(["::1"])
  })

  it("is an error on a machine with neither", async () => {
    await expect(
      bind(
        where(() => "EADDRNOTAVAIL"),
        "localhost",
        0
      )
    ).rejects.toThrow("no loopback address")
  })

  it.runIf(six)("takes another free port when the second address has that one taken", async () => {
    let taken: number | undefined
    const refusing = where((address, port) => {
      if (address !== "::1") return undefined
      taken ??= port
      return port === taken ? "EADDRINUSE" : undefined
    })
    const servers = await bind(refusing, "localhost", 0)
    expect(new Set(servers.map(portOf)).size).toBe(1)
    expect(portOf(servers[0]!)).not.toBe(taken)
    expect(made.filter(({ listening }) => listening)).toHaveLength(2)
  })

  it("gives up on a port that was asked for and is taken on one address, and then listens on neither", async () => {
    const [other] = await bind(make, "127.0.0.1", 0)
    const port = portOf(other!)
    await expect(bind(make, "localhost", port)).rejects.toMatchObject({ code: "EADDRINUSE" })
    await new Promise((resolve) => other!.close(resolve))
    const refusing = where((address) => (address === "::1" ? "EADDRINUSE" : undefined))
    await expect(bind(refusing, "localhost", port)).rejects.toMatchObject({ code: "EADDRINUSE" })
    expect(made.filter(({ listening }) => listening)).toEqual([])
  })

  it("does not try free ports for ever", async () => {
    const refusing = where((address) => (address === "::1" ? "EADDRINUSE" : undefined))
    await expect(bind(refusing, "localhost", 0)).rejects.toMatchObject({ code: "EADDRINUSE" })
    expect(made.filter(({ listening }) => listening)).toEqual([])
  })
})

it("another address is that one alone", async () => {
  expect(addresses(await bind(make, "127.0.0.1", 0))).toEqual(["127.0.0.1"])
})
