/** Exchanges on real sockets: what is told of a request, and how it is answered. */
import { afterEach, describe, expect, it } from "vitest"
import type { Taking } from "../../src/node/requests.js"
import { requests } from "../../src/node/requests.js"
import type { Exchange } from "../../src/server/exchange.js"
import type { Raw, Stage } from "./sockets.js"
import { stage, still } from "./sockets.js"

let staged: Stage | undefined
afterEach(() => staged?.stop())

async function open(handle: Taking["handle"], more: Partial<Taking> = {}): Promise<Raw> {
  staged = await stage(requests({ ...still, ...more, handle }))
  return staged.raw()
}

const json = { "content-type": "application/json" }

const seen = (came: string): unknown => JSON.parse(came.slice(came.indexOf("{")))

describe("an answer", () => {
  it("is one write, with its length", async () => {
    const raw = await open((exchange) => exchange.respond(200, json, '{"é":1}'))
    const chunks: Array<string> = []
    raw.socket.on("data", (chunk: string) => chunks.push(chunk))
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await raw.until(/\}$/)
    expect(chunks).toHaveLength(1)
    expect(chunks[0]).toMatch(/^content-length: 8\r$/im)
    expect(chunks[0]).not.toMatch(/transfer-encoding/i)
  })

  it("is empty with a length of 0, or has no length where none is allowed", async () => {
    const raw = await open((exchange) => exchange.respond(exchange.method === "OPTIONS" ? 204 : 202, {}))
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(await raw.until(/\r\n\r\n$/)).toMatch(/ 202 [^]*content-length: 0\r\n/)
    raw.write("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    const [, second] = (await raw.until(/ 204 [^]*\r\n\r\n$/)).split("HTTP/1.1 204")
    expect(second).not.toMatch(/content-length|transfer-encoding/i)
  })

  it("has no body when only the head is asked for", async () => {
    const raw = await open((exchange) => exchange.respond(405, { allow: "POST" }, "{}"))
    raw.write("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(await raw.until(/ 405 [^]* 405 [^]*\r\n\r\n$/)).not.toMatch("{}")
  })

  it("keeps the connection, and pipelined requests are answered in their order", async () => {
    const held: Array<Exchange> = []
    let all: () => void
    const came = new Promise<void>((resolve) => (all = resolve))
    const raw = await open((exchange) => {
      if (held.push(exchange) === 3) all()
    })
    raw.write(["/0", "/1", "/2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""))
    await came
    for (const exchange of held.toReversed()) exchange.respond(200, json, JSON.stringify({ at: exchange.target }))
    const answers = await raw.until(/"\/2"\}$/)
    expect([...answers.matchAll(/"at":"(..)"/g)].map(([, at]) => at)).toEqual(["/0", "/1", "/2"])
  })

  it("is dropped when a framework answered in the meantime", async () => {
    staged = await stage((req, res) => {
      res.end("busy")
      const take = requests({
        ...still,
        handle: (exchange) => {
          exchange.respond(200, json, "{}")
          const { write, end } = exchange.stream(200, {})
          void write("late")
          end()
        }
      })
      take(req, res)
    })
    const raw = staged.raw()
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    expect(await raw.closed).toMatch(/busy/)
    expect(raw.text()).not.toMatch(/late|\{\}/)
  })

  it.each<readonly [string, (exchange: Exchange) => void]>([
    ["answered whole", (exchange) => exchange.respond(200, json, "{}")],
    ["written to as a stream", (exchange) => void exchange.stream(200, json).write("{}")],
    ["ended as a stream", (exchange) => exchange.stream(200, json).end()],
    ["begun", (exchange) => exchange.stream(200, json)]
  ])("fails alone, and is told of, when a framework has broken it: %s", async (_, answer) => {
    const crashed: Array<unknown> = []
    const broken = (): never => {
      throw new Error("broken")
    }
    staged = await stage((req, res) => {
      Object.assign(res, { write: broken, end: broken, flushHeaders: broken })
      requests({ ...still, handle: (exchange) => setImmediate(answer, exchange), crashed: (_, e) => crashed.push(e) })(
        req,
        res
      )
    })
    const raw = staged.raw()
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await raw.closed
    expect(crashed).toMatchObject([{ message: "broken" }])
  })

  it("that somebody else ends is not written to any more", async () => {
    const errors: Array<unknown> = []
    staged = await stage((req, res) => {
      res.on("error", (error) => errors.push(error))
      const handle = (exchange: Exchange): void => {
        const stream = exchange.stream(200, json)
        void stream.write("first")
        res.end()
        void stream.write("late")
        stream.end()
      }
      requests({ ...still, handle })(req, res)
    })
    const raw = staged.raw()
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    expect(await raw.closed).not.toMatch("late")
    expect(errors).toEqual([])
  })

  it("fails alone when whoever is told that the client has gone throws", async () => {
    let tell: (error: unknown) => void
    const told = new Promise((resolve) => (tell = resolve))
    const raw = await open(
      (exchange) => {
        exchange.onGone(() => {
          throw new Error("thrown")
        })
        void exchange.stream(200, json).write("{}")
      },
      { crashed: (_, error) => tell(error) }
    )
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await raw.until(/\{\}/)
    raw.socket.destroy()
    expect(await told).toMatchObject({ message: "thrown" })
  })

  it.each(["{}", ""])("fails alone when whoever waits for the body throws, be it whole or late: %j", async (sent) => {
    const crashed: Array<unknown> = []
    const raw = await open(
      (exchange) =>
        exchange.body(10, 10, () => {
          throw new Error("thrown")
        }),
      { crashed: (_, error) => crashed.push(error) }
    )
    raw.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n${sent}`)
    await raw.closed
    expect(crashed).toMatchObject([{ message: "thrown" }])
  })

  it("says that the connection ends where the server is closing", async () => {
    const raw = await open((exchange) => exchange.respond(200, json, "{}"), { closing: () => true })
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(await raw.closed).toMatch(/^connection: close\r$/im)
  })
})

describe("what is told of a request", () => {
  it("is its method, target, headers, sender and context", async () => {
    const raw = await open(
      (exchange) => {
        const { method, target, from, context } = exchange
        const [one, other] = [exchange.header("x-many"), exchange.header("x-none")]
        exchange.respond(200, json, JSON.stringify({ method, target, from, context, one, other }))
      },
      { context: (req) => req.headers["x-tenant"] }
    )
    raw.write("PATCH /mcp?a=b HTTP/1.1\r\nHost: localhost\r\nX-Many:  1 \r\nX-Many:2\r\nX-Tenant: t\r\n\r\n")
    expect(seen(await raw.until(/\}$/))).toEqual({
      method: "PATCH",
      target: "/mcp?a=b",
      from: "127.0.0.1",
      context: "t",
      one: "1, 2"
    })
  })

  it.each([
    ["http://localhost:80/mcp?x", "/mcp?x"],
    ["http://localhost", "/"],
    ["*", "/*"]
  ])("has a target that begins with a slash: %s", async (asked, target) => {
    const raw = await open((exchange) => exchange.respond(200, json, JSON.stringify({ at: exchange.target })))
    raw.write(`OPTIONS ${asked} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(seen(await raw.until(/\}$/))).toEqual({ at: target })
  })

  it("is 404 elsewhere, where a path is given", async () => {
    const raw = await open((exchange) => exchange.respond(200, json, '{"here":1}'), { path: "/mcp" })
    for (const [n, target] of ["/mcp", "/mcp?a", "/mcp/", "/mcpx", "/"].entries()) {
      raw.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await raw.until(new RegExp(`(HTTP/1.1 \\d+[^]*?\\}){${n + 1}}$`))
    }
    expect([...raw.text().matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      "200",
      "200",
      "404",
      "404",
      "404"
    ])
  })

  it("is 500 when the user's function throws, and only the user learns what", async () => {
    const crashed: Array<unknown> = []
    const context = (): never => {
      throw new Error("secret")
    }
    const raw = await open(() => {}, { context, crashed: (...told) => crashed.push(told) })
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(await raw.until(/\}\}$/)).toMatch(/^HTTP\/1.1 500 /)
    expect(raw.text()).not.toMatch("secret")
    expect(crashed).toEqual([["an HTTP request", new Error("secret")]])
  })
})
