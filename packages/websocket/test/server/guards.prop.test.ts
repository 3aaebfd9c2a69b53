/** Who may connect is who may ask over HTTP: the two are written twice, and are to be the same. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Exchange } from "../../../http/src/server/exchange.js"
import { guard as overHttp } from "../../../http/src/server/guards.js"
import { guard } from "../../src/server/guards.js"

const names = ["localhost", "127.0.0.1", "[::1]", "mcp.example.com", "MCP.example.com", "evil.example.com", "*", ""]
const host = fc.tuple(
  fc.constantFrom(...names, "localhost, evil.example.com", "a@localhost"),
  fc.constantFrom("", ":80", ":3000", ":x")
)
const hosts = host.map(([name, port]) => name + port)
const origins = fc
  .tuple(
    fc.constantFrom("http://", "https://", "app://", "", "x"),
    fc.oneof(hosts, fc.constant("localhost.evil.example.com"))
  )
  .map((parts) => parts.join(""))
const origin = fc.oneof(origins, fc.constantFrom("null", "*", "file://"))
const list = (one: fc.Arbitrary<string>) => fc.option(fc.array(one, { maxLength: 3 }), { nil: undefined })

describe("the guard", () => {
  it("refuses whom HTTP refuses, and nobody else", () => {
    let lets = 0
    fc.assert(
      fc.property(
        list(hosts),
        list(origin),
        fc.option(hosts, { nil: undefined }),
        fc.option(origin, { nil: undefined }),
        (allowedHosts, allowedOrigins, host, origin) => {
          const said: { readonly [name: string]: string | undefined } = { host, origin }
          const header = (name: string): string | undefined => said[name]
          const options = { ...(allowedHosts && { allowedHosts }), ...(allowedOrigins && { allowedOrigins }) }
          const ours = guard(options)(header)
          if (ours === undefined) lets++
          expect(ours === undefined).toBe(overHttp(options).refuses({ header } as Exchange) === undefined)
        }
      ),
      { numRuns: 5_000 }
    )
    expect(lets).toBeGreaterThan(100)
  })
})
