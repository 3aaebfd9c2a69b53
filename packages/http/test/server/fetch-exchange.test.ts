/** Exchanges on web standards, in this process: bodies of every kind, streams that are read, not read and left. */
import { describe, expect, it } from "vitest"
import type { Body, Exchange, Stream } from "../../src/server/exchange.js"
import { FetchExchange } from "../../src/server/fetch-exchange.js"
import { bodyOf } from "./fake-exchange.js"

const url = "http://localhost:3000/mcp?a=b#c"

const asked = (init: RequestInit = {}): { request: Request; exchange: Exchange; response: Promise<Response> } => {
  const request = new Request(url, init)
  const exchange = new FetchExchange(request, "me", "what")
  return { request, exchange, response: exchange.response }
}

/** A body that comes in such pieces, and then ends, fails or goes on for ever. */
function pieces(parts: ReadonlyArray<Uint8Array | string>, end: "ends" | "fails" | "waits" = "ends") {
  const left = [...parts]
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(typeof next === "string" ? new TextEncoder().encode(next) : next)
      else if (end === "ends") controller.close()
      else if (end === "fails") controller.error(new Error("reset"))
      else return new Promise(() => {})
    },
    cancel: () => void (cancelled = true)
  })
  return { body, cancelled: () => cancelled }
}

const post = (body: BodyInit | null, headers?: Record<string, string>) =>
  asked({ method: "POST", body, ...(headers && { headers }), duplex: "half" } as RequestInit)

describe("a request", () => {
  it("is told as it was asked", () => {
    const { exchange } = asked({
      method: "delete",
      headers: [
        ["X-Many", " 1"],
        ["x-many", "2 "]
      ]
    })
    const { method, target, from, context } = exchange
    expect({ method, target, from, context }).toEqual({
      method: "DELETE",
      target: "/mcp?a=b",
      from: "me",
      context: "what"
    })
    expect(exchange.header("x-many")).toBe("1, 2")
    expect(exchange.header("x-none")).toBeUndefined()
  })

  it("has the host of its address where no header says it", () => {
    expect(asked().exchange.header("host")).toBe("localhost:3000")
    expect(asked({ headers: { host: "other" } }).exchange.header("host")).toBe("other")
  })
})

describe("a body", () => {
  const text = '{"text":"hello 👋"}'
  const bytes = new TextEncoder().encode(text)
  const read = (body: BodyInit | null, limit = 1024, headers?: Record<string, string>): Promise<Body> =>
    bodyOf(post(body, headers).exchange, limit)

  it.each<readonly [string, BodyInit | null, Body]>([
    ["whole", text, { _tag: "Text", text }],
    ["in single bytes", pieces([...bytes].map((byte) => Uint8Array.of(byte))).body, { _tag: "Text", text }],
    ["with a byte order mark", "\uFEFF{}", { _tag: "Text", text: "{}" }],
    ["empty", "", { _tag: "Text", text: "" }],
    ["not at all", null, { _tag: "Text", text: "" }],
    ["as other bytes than UTF-8", Uint8Array.of(0xc3, 0x28), { _tag: "Garbled" }],
    ["cut off in the midst of a character", bytes.subarray(0, bytes.length - 4), { _tag: "Garbled" }],
    ["from a client that leaves", pieces(["{"], "fails").body, { _tag: "Gone" }]
  ])("comes %s", async (_, body, expected) => {
    expect(await read(body)).toEqual(expected)
  })

  it("that somebody else has begun to read is a failure, told as such", async () => {
    const { exchange, request } = post(text)
    request.body!.getReader()
    const body = await bodyOf(exchange, 1024)
    expect(body).toEqual({ _tag: "Failed", error: expect.any(TypeError) })
  })

  it("is too large by the length that is told, and is not read", async () => {
    const { body } = pieces([], "waits")
    expect(await read(body, 10, { "content-length": "11" })).toEqual({ _tag: "TooLarge" })
  })

  it("is too large by its bytes, whatever was told, and is cancelled", async () => {
    const { body, cancelled } = pieces(["aaaaaaaa", "aaa"], "waits")
    expect(await read(body, 10, { "content-length": "1" })).toEqual({ _tag: "TooLarge" })
    expect(cancelled()).toBe(true)
  })

  it("may be as large as the limit", async () => {
    expect(await read("a".repeat(10), 10)).toEqual({ _tag: "Text", text: "a".repeat(10) })
  })

  it("is too slow, and is cancelled", async () => {
    const { body, cancelled } = pieces(["{"], "waits")
    expect(await bodyOf(post(body).exchange, 1024, 1)).toEqual({ _tag: "TooSlow" })
    expect(cancelled()).toBe(true)
  })
})

describe("an answer", () => {
  it("is a response", async () => {
    const { exchange, response } = asked()
    exchange.respond(200, { "content-type": "application/json" }, "{}")
    const answer = await response
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "application/json",
      "{}"
    ])
  })

  it.each([202, 204, 405])("may have no body: %d", async (status) => {
    const { exchange, response } = asked()
    exchange.respond(status, { allow: "POST" })
    const answer = await response
    expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([status, "POST", null])
  })
})

describe("a stream", () => {
  async function streamed(
    init: RequestInit = {}
  ): Promise<{ stream: Stream; body: ReadableStream; exchange: Exchange }> {
    const { exchange, response } = asked(init)
    const stream = exchange.stream(200, { "content-type": "text/event-stream" })
    return { stream, exchange, body: (await response).body! }
  }

  it("hands over each text as it comes, and ends", async () => {
    const { stream, body } = await streamed()
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    void stream.write("data: 1\n\n")
    expect(await reader.read()).toEqual({ done: false, value: "data: 1\n\n" })
    void stream.write("data: 👋\n\n")
    stream.end()
    stream.end()
    expect(stream.write("late")).toBeUndefined()
    expect((await reader.read()).value).toBe("data: 👋\n\n")
    expect((await reader.read()).done).toBe(true)
  })

  it("asks to wait while nobody reads, takes what comes all the same, and goes on once somebody does", async () => {
    const { stream, body } = await streamed()
    const piece = "a".repeat(60 * 1024)
    expect(stream.write(piece)).toBeUndefined()
    const room = stream.write(piece)
    expect(room).toBeInstanceOf(Promise)
    expect(stream.write("b")).toBe(room)
    const reader = body.getReader()
    await reader.read()
    await reader.read()
    await room
    expect((await reader.read()).value).toHaveLength(1)
    expect(stream.write(piece)).toBeUndefined()
  })

  it("is left by its reader: told once, nobody waits on, and nothing more is taken", async () => {
    const { stream, body, exchange } = await streamed()
    let told = 0
    exchange.onGone(() => void told++)
    const room = stream.write("a".repeat(100 * 1024))
    await body.cancel()
    await room
    expect(told).toBe(1)
    expect(stream.write("late")).toBeUndefined()
    stream.end()
    expect(told).toBe(1)
  })

  it("is left by the request's signal", async () => {
    const leaving = new AbortController()
    const { stream, body, exchange } = await streamed({ signal: leaving.signal })
    let told = 0
    exchange.onGone(() => void told++)
    const room = stream.write("a".repeat(100 * 1024))
    leaving.abort()
    await room
    expect(told).toBe(1)
    const reader = body.getReader()
    await reader.read()
    expect(stream.write("late")).toBeUndefined()
    expect((await reader.read()).done).toBe(true)
  })

  it("is told nothing of a signal that comes after the end", async () => {
    const leaving = new AbortController()
    const { stream, exchange } = await streamed({ signal: leaving.signal })
    let told = 0
    exchange.onGone(() => void told++)
    stream.end()
    leaving.abort()
    expect(told).toBe(0)
  })
})

it("a client that leaves before the answer is told of, and whoever waits for a response gets one", async () => {
  const leaving = new AbortController()
  const { exchange, response } = asked({ signal: leaving.signal })
  let told = 0
  exchange.onGone(() => void told++)
  leaving.abort()
  expect(told).toBe(1)
  expect((await response).status).toBe(499)
  exchange.respond(200, {}, "late")
  const late = asked({ signal: leaving.signal })
  late.exchange.onGone(() => void told++)
  expect(told).toBe(2)
  expect((await late.response).status).toBe(499)
})
