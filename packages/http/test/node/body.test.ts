/** Bodies on real sockets, with every kind of bytes that a client may send or not send. */
import type { IncomingMessage } from "node:http"
import { createServer } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import type { Taking } from "../../src/node/requests.js"
import { requests } from "../../src/node/requests.js"
import type { Body, Exchange } from "../../src/server/exchange.js"
import type { Raw, Stage } from "./sockets.js"
import { post, stage, still } from "./sockets.js"

let staged: Stage | undefined
afterEach(() => staged?.stop())

async function open(handle: Taking["handle"], more: Partial<Taking> = {}): Promise<Raw> {
  staged = await stage(requests({ ...still, ...more, handle }))
  return staged.raw()
}

const json = { "content-type": "application/json" }

/** Answers with what came. */
const mirror =
  (limit = 1024, ms = 10_000) =>
  (exchange: Exchange): void =>
    exchange.body(limit, ms, (body) => exchange.respond(200, json, JSON.stringify(body)))

const seen = (came: string): Body => JSON.parse(came.slice(came.indexOf("{"))) as Body

describe("the body of a request", () => {
  const text = '{"text":"hello 👋"}'
  const bytes = Buffer.from(text)

  it("comes whole", async () => {
    const raw = await open(mirror())
    raw.write(post(text))
    expect(seen(await raw.until(/\}"\}$/))).toEqual({ _tag: "Text", text: Buffer.from(text).toString("latin1") })
  })

  it("comes in single bytes, head and all", async () => {
    const raw = await open(mirror())
    raw.socket.setNoDelay(true)
    for (const byte of Buffer.from(post(text)))
      await new Promise<void>((resolve) => raw.socket.write(Buffer.of(byte), () => resolve()))
    expect(await raw.until(/"Text"/)).toMatch("HTTP/1.1 200 OK")
  })

  it("comes in chunks that cut a character", async () => {
    let body: Body | undefined
    const raw = await open((exchange) => {
      exchange.body(1024, 10_000, (came) => {
        body = came
        exchange.respond(200, json, "{}")
      })
    })
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    const cut = bytes.length - 4
    raw.write(`${cut.toString(16)}\r\n`)
    raw.write(bytes.subarray(0, cut))
    raw.write("\r\n4\r\n")
    raw.write(bytes.subarray(cut))
    raw.write("\r\n0\r\n\r\n")
    await raw.until(/200 OK/)
    expect(body).toEqual({ _tag: "Text", text })
  })

  it("is text without its byte order mark, nothing when there is nothing, and garbled when it is no UTF-8", async () => {
    const bodies: Array<Body> = []
    const raw = await open((exchange) => {
      exchange.body(1024, 10_000, (came) => {
        bodies.push(came)
        exchange.respond(200, json, `{"n":${bodies.length}}`)
      })
    })
    raw.write(post("\uFEFF[]"))
    await raw.until(/"n":1/)
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    await raw.until(/"n":2/)
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n")
    raw.write(Buffer.of(0xc3, 0x28))
    await raw.until(/"n":3/)
    expect(bodies).toEqual([{ _tag: "Text", text: "[]" }, { _tag: "Text", text: "" }, { _tag: "Garbled" }])
  })

  it("is too large by its length before any of it came, and the answer is read", async () => {
    const raw = await open(mirror(10))
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n")
    expect(seen(await raw.until(/\}$/))).toEqual({ _tag: "TooLarge" })
    // What still comes is thrown away, and the connection goes on.
    raw.write("a".repeat(11) + post("{}"))
    expect(await raw.until(/"Text"/)).toMatch(/TooLarge[^]*"text":"\{\}"/)
  })

  it("is too large by its bytes where no length is told", async () => {
    const raw = await open(mirror(10))
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n8\r\naaaaaaaa\r\n")
    raw.write("8\r\naaaaaaaa\r\n")
    expect(seen(await raw.until(/\}$/))).toEqual({ _tag: "TooLarge" })
    raw.write("0\r\n\r\n" + post("{}"))
    expect(await raw.until(/"Text"/)).toMatch(/TooLarge[^]*"text":"\{\}"/)
  })

  it("is thrown away after a refusal, and its connection cut when it does not end", async () => {
    const raw = await open((exchange) => exchange.respond(403, json, "{}"))
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n8\r\naaaaaaaa\r\n")
    await raw.until(/ 403 [^]*\{\}$/)
    raw.write("8\r\naaaaaaaa\r\n")
    expect(await raw.closed).not.toMatch(/ 400 /)
  })

  it("is too slow, and the connection ends with the answer", async () => {
    const raw = await open(mirror(1024, 1))
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n{")
    const answer = await raw.closed
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(seen(answer)).toEqual({ _tag: "TooSlow" })
  })

  it.each(["Content-Encoding: gzip\r\nContent-Length: 2", "Transfer-Encoding: gzip, chunked"])(
    "is not taken for what it is not: %s",
    async (coding) => {
      const raw = await open(mirror())
      raw.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${coding}\r\n\r\n`)
      expect(seen(await raw.until(/\}$/))).toEqual({ _tag: "Coded" })
    }
  )

  it.each([
    ["hung up on", (raw: Raw) => raw.socket.destroy()],
    ["ended early", (raw: Raw) => raw.socket.end()],
    ["reset", (raw: Raw) => raw.socket.resetAndDestroy()]
  ])("is gone when it is %s", async (_, leave) => {
    let tell: (body: Body) => void
    const told = new Promise<Body>((resolve) => (tell = resolve))
    let started: () => void
    const begun = new Promise<void>((resolve) => (started = resolve))
    const raw = await open((exchange) => {
      exchange.body(1024, 10_000, tell)
      started()
    })
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n{")
    await begun
    leave(raw)
    expect(await told).toEqual({ _tag: "Gone" })
  })

  it("ends where its length says: what follows must be a request", async () => {
    const raw = await open(mirror())
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
    expect(seen(await raw.until(/\}$/))).toEqual({ _tag: "Text", text: "{}" })
    raw.write("{}\r\n\r\n")
    expect(await raw.closed).toMatch("HTTP/1.1 400 Bad Request")
  })

  it.each([
    "Content-Length: 1\r\nContent-Length: 2",
    "Content-Length: 2\r\nTransfer-Encoding: chunked",
    "Content-Length: -1"
  ])("is not guessed at: %s", async (lengths) => {
    const raw = await open(mirror())
    raw.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${lengths}\r\n\r\n{}`)
    expect(await raw.closed).toMatch(/^HTTP\/1.1 400 Bad Request/)
  })
})

describe("a client that waits to be told to go on", () => {
  const waiting = (length: number): string =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`

  async function awaited(handle: Taking["handle"]): Promise<Raw> {
    const take = requests({ ...still, handle })
    const server = createServer()
    server.on("checkContinue", (req, res) => take(req, res, true))
    staged = await stage(take, server)
    return staged.raw()
  }

  it("is told so when its body is wanted", async () => {
    const raw = await awaited(mirror())
    raw.write(waiting(2))
    await raw.until(/^HTTP\/1.1 100 Continue/)
    raw.write("{}")
    expect(await raw.until(/"Text"/)).toMatch("HTTP/1.1 200 OK")
  })

  it.each<readonly [string, Taking["handle"]]>([
    ["the request is refused", (exchange) => exchange.respond(403, json, "{}")],
    ["the body is too large", mirror(1)]
  ])("is not when %s, and the connection ends", async (_, handle) => {
    const raw = await awaited(handle)
    raw.write(waiting(2))
    const answer = await raw.closed
    expect(answer).not.toMatch("100 Continue")
    expect(answer).toMatch(/^connection: close\r$/im)
  })
})

describe("a body that somebody has had his hands on", () => {
  const whole = '{"text":"hello 👋"}'
  const crashed: Array<unknown> = []

  async function touched(touch: (req: IncomingMessage, next: () => void) => void, text = whole): Promise<string> {
    crashed.length = 0
    const take = requests({
      ...still,
      crashed: (...told) => crashed.push(told),
      handle: (exchange) =>
        exchange.body(1024, 10_000, (body) =>
          body._tag === "Failed"
            ? exchange.respond(500, {}, String(body.error))
            : exchange.respond(200, {}, JSON.stringify(body))
        )
    })
    staged = await stage((req, res) => touch(req, () => take(req, res)))
    const raw = staged.raw()
    raw.write(post(text).replace("Host:", "Connection: close\r\nHost:"))
    return Buffer.from(await raw.closed, "latin1").toString()
  }

  it.each<BufferEncoding>(["utf8", "hex", "base64", "base64url", "latin1"])(
    "is what was sent, though its chunks are texts of %s",
    async (encoding) => {
      const answer = await touched((req, next) => {
        req.setEncoding(encoding)
        next()
      })
      expect(seen(answer)).toEqual({ _tag: "Text", text: whole })
    }
  )

  it("is what was sent, when all that was read was put back", async () => {
    const answer = await touched((req, next) =>
      req.once("data", (chunk: Buffer) => {
        req.pause()
        req.unshift(chunk)
        setImmediate(next)
      })
    )
    expect(seen(answer)).toEqual({ _tag: "Text", text: whole })
  })

  it("is a failure of its request alone, when some of it is missing", async () => {
    const answer = await touched((req, next) =>
      req.once("data", (chunk: Buffer) => {
        req.pause()
        req.unshift(chunk.subarray(1))
        setImmediate(next)
      })
    )
    expect(answer).toMatch(/^HTTP\/1.1 500 [^]*The body was read before this handler/)
  })

  it("is a failure of its request alone, when what comes is neither bytes nor text", async () => {
    const answer = await touched((req, next) => {
      next()
      req.emit("data", { no: "bytes" })
    })
    expect(answer).toMatch(/^HTTP\/1.1 500 [^]*neither as bytes nor as text/)
  })
})

describe("a body that a framework has read", () => {
  interface Kept {
    body?: unknown
    rawBody?: unknown
  }

  async function framed(put: (req: Kept, text: string) => void): Promise<Raw> {
    const crashed: Array<unknown> = []
    const take = requests({ ...still, handle: mirror(30), crashed: (_, error) => crashed.push(error) })
    staged = await stage((req, res) => {
      let text = ""
      req.on("data", (chunk) => (text += String(chunk)))
      req.on("end", () => {
        put(req as Kept & typeof req, text)
        take(req, res)
      })
    })
    return staged.raw()
  }

  it.each<readonly [string, (req: Kept, text: string) => void]>([
    ["as a value", (req, text) => (req.body = JSON.parse(text))],
    ["as text", (req, text) => (req.body = text)],
    ["as bytes", (req, text) => (req.body = Buffer.from(text))],
    [
      "as a value, with the bytes beside it",
      (req, text) => {
        req.body = "not this"
        req.rawBody = Buffer.from(text)
      }
    ]
  ])("is taken %s, within the limit", async (_, put) => {
    const raw = await framed(put)
    raw.write(post('{"a":[1]}'))
    expect(seen(await raw.until(/"Text[^]*\}$/))).toEqual({ _tag: "Text", text: '{"a":[1]}' })
    raw.write(post(`{"a":"${"a".repeat(30)}"}`))
    expect(await raw.until(/TooLarge/)).toMatch("200")
  })

  it("is nothing where there was none, whoever looked", async () => {
    const raw = await framed((req) => (req.body = {}))
    raw.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    expect(seen(await raw.until(/\}$/))).toEqual({ _tag: "Text", text: "" })
  })

  it("is an error of the program when nobody left it", async () => {
    const raw = await framed(() => {})
    raw.write(post("{}"))
    expect(await raw.until(/\}\}$/)).toMatch(/^HTTP\/1.1 500 /)
  })
})
