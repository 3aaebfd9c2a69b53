/** One message, one exchange: what comes of it is handed up once, whatever it is. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { http } from "../../src/client/index.js"
import type { Opened } from "./opened.js"
import { opened, url } from "./opened.js"
import type { Answer } from "./scripted.js"
import { empty, event, json, result, said, stream } from "./scripted.js"

let one: Opened | undefined
afterEach(async () => {
  vi.useRealTimers()
  await one?.channel.close()
})
const open: typeof opened = (...given) => (one = opened(...given))
const reply = (id: number) => ({ jsonrpc: "2.0", id, result: {} })
const parsed = (message: unknown) => ({ _tag: "Parsed", json: message, via: "http" })
const refusedBy = (id: number | undefined, status: number, why: string) => ({
  _tag: "Refused",
  id,
  status,
  body: expect.stringContaining(why) as string
})

describe("the answer to a request", () => {
  it.each([
    ["is its body", () => json(reply(1)), [parsed(reply(1))]],
    ["is its body, of whatever kind it says it is", () => new Response(JSON.stringify(reply(1))), [parsed(reply(1))]],
    [
      "is an event, after others",
      () => said(": hi\n\n", event("", "0"), event({ jsonrpc: "2.0", method: "x" }), event(reply(1))),
      [parsed({ jsonrpc: "2.0", method: "x" }), parsed(reply(1))]
    ],
    [
      "is an error that names nobody",
      () => json({ jsonrpc: "2.0", error: { code: -32_600, message: "m" } }, 400),
      [parsed({ jsonrpc: "2.0", id: 1, error: { code: -32_600, message: "m" } })]
    ],
    ["is none: it was taken", () => empty(202), [refusedBy(1, 202, "the server took it and gave no answer")]],
    [
      "is none: it is somebody else's",
      () => json(reply(2)),
      [parsed(reply(2)), refusedBy(1, 200, "holds no reply to it")]
    ],
    [
      "is none: it is an error about another",
      () => json({ jsonrpc: "2.0", id: 7, error: { code: 1, message: "m" } }, 400),
      [refusedBy(1, 400, "m")]
    ],
    ["is none: it is no UTF-8", () => new Response(Uint8Array.of(0x22, 0xff, 0x22)), [refusedBy(1, 200, "not UTF-8")]],
    [
      "is none: it is no JSON",
      () => new Response("<html><title>Login</title></html>"),
      [refusedBy(1, 200, "no JSON: HTTP 200: Login")]
    ],
    [
      "is none: its stream ends",
      () => said(event({ jsonrpc: "2.0", method: "x" })),
      [parsed({ jsonrpc: "2.0", method: "x" }), refusedBy(1, 0, "the stream ended before the reply came")]
    ],
    [
      "is what can be read of a stream",
      () => said(event("{"), event(reply(1))),
      [{ _tag: "Garbled", why: "json", via: "http", detail: "{" }, parsed(reply(1))]
    ]
  ] as ReadonlyArray<readonly [string, Answer, ReadonlyArray<unknown>]>)("%s", async (_, answer, frames) => {
    const { stand, came } = open(answer)
    stand(1)
    expect(await came(frames.length)).toEqual(frames)
  })

  const notice = { jsonrpc: "2.0", method: "x" }
  const bare = { jsonrpc: "2.0", id: 1 }
  const inArray = "the reply came in an array, which this version does not have"
  const isNone = "the reply is none: it has neither a result nor an error"
  const nameless = { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "m" } }
  /** What comes, in which revision, what is handed up of it, and why the call fails, where it does. */
  const spoilt: ReadonlyArray<readonly [string, unknown, unknown, string?]> = [
    ["2025-03-26", [notice, reply(1)], [notice, reply(1)]],
    ["2025-03-26", [notice, bare], [notice, bare], isNone],
    ["2025-06-18", [notice, reply(1)], [notice, reply(1)], inArray],
    ["2025-11-25", [bare], [bare], inArray],
    ["2026-07-28", [reply(1)], [reply(1)], inArray],
    ["2025-03-26", bare, undefined, isNone],
    ["2025-11-25", bare, undefined, isNone],
    ["2026-07-28", bare, undefined, isNone],
    ["2026-07-28", { ...reply(1), method: "x" }, undefined, isNone],
    ["2026-07-28", { ...bare, result: null }, { ...bare, result: null }],
    ["2025-11-25", nameless, { ...nameless, id: 1 }],
    ["2026-07-28", nameless, { ...nameless, id: 1 }]
  ]
  it.each(
    spoilt.flatMap(([revision, message, handed, why]) =>
      ["alone", "on a stream that stays open"].map((how) => ({ revision, message, how, handed, why }))
    )
  )(
    "on $revision that is $message, $how, settles the call at once",
    async ({ revision, message, how, handed, why }) => {
      const { response, push } = stream()
      if (how !== "alone") push(event(message))
      const { call, stand, came, frames } = open(() => (how === "alone" ? json(message) : response))
      if (revision === "2026-07-28") stand(1)
      else call(1, "tools/list", revision)
      const expected = [
        ...(handed === undefined ? [] : [parsed(handed)]),
        ...(why === undefined ? [] : [refusedBy(1, how === "alone" ? 200 : 0, why)])
      ]
      await came(expected.length)
      await new Promise(setImmediate)
      expect(frames).toEqual(expected)
    }
  )

  it("is not a request of the server's that has the same id", async () => {
    const { response, push } = stream()
    push(event({ ...bare, method: "ping" }))
    push(event(reply(1)))
    const { call, came } = open(() => response)
    call(1)
    expect(await came(2)).toEqual([parsed({ ...bare, method: "ping" }), parsed(reply(1))])
  })

  it.each(["\n", "\r", "\r\n"])(
    "is an event that is whole, whichever ends its lines have (%j), and however it is cut",
    async (end) => {
      const text = `: hi${end}id: 1${end}data: {"jsonrpc":"2.0",${end}data: "id":1,"result":{}}${end}${end}`
      for (const size of [1, 2, 3, text.length]) {
        const { response, push } = stream()
        for (let at = 0; at < text.length; at += size) push(text.slice(at, at + size))
        const one = opened(() => response)
        one.call(1)
        expect(await one.came(1)).toEqual([parsed(reply(1))])
        await one.channel.close()
      }
    }
  )

  it.each([
    [undefined, "gave nothing"],
    [null, "gave nothing"],
    ["text", "gave what is none (string)"],
    [{ body: "text" }, "gave what is none (object)"]
  ])("is none where the user's fetch gives %j", async (given, why) => {
    const { stand, came } = open(() => given as never)
    stand(1)
    expect(await came(1)).toEqual([refusedBy(1, 0, `the option fetch has to give a Response, and ${why}`)])
  })

  it("is an error of a server's that works when it spoke well before, and that of a broken one before", async () => {
    const failure = { jsonrpc: "2.0", id: 2, error: { code: -32_603, message: "m" } }
    const { call, came } = open((asked) =>
      asked.body.id === 1 ? result(asked) : json({ ...failure, id: asked.body.id }, 500)
    )
    call(2)
    expect(await came(1)).toEqual([refusedBy(2, 500, "m")])
    call(1)
    await came(2)
    call(2)
    expect((await came(3))[2]).toEqual(parsed(failure))
  })

  it("that comes in pieces may take its time, but not between them", async () => {
    vi.useFakeTimers()
    const { response, push, isCancelled } = stream({ "content-type": "application/json" })
    const { call, frames } = open(() => response, { bodyMs: 100 })
    call(1)
    for (const piece of ['{"jsonrpc":', '"2.0",', '"id":1']) {
      await vi.advanceTimersByTimeAsync(99)
      push(piece)
    }
    await vi.advanceTimersByTimeAsync(99)
    expect(frames).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(frames).toEqual([refusedBy(1, 200, "nothing more of the answer came within 100 ms")])
    expect(isCancelled()).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ["whole", () => json({ ...reply(1), pad: "x".repeat(1_000) })],
    ["as an event", () => said(event({ ...reply(1), pad: "x".repeat(1_000) }))],
    ["as an event without an end", () => said(`data: ${"x".repeat(1_000)}`)]
  ])("that is too large is not read: %s", async (_, answer) => {
    const { call, came } = open(answer, { maxMessageBytes: 1_000 })
    call(1)
    expect((await came(1)).at(-1)).toEqual(
      refusedBy(1, expect.any(Number) as number, "larger than 1000 bytes (maxMessageBytes)")
    )
  })

  it("of no known size is not kept whole before that is found out", async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (to) => {
        pulled++
        to.enqueue(new Uint8Array(65_536).fill(0x20))
      }
    })
    const { call, came } = open(() => new Response(body), { maxMessageBytes: 1_000_000 })
    call(1)
    await came(1)
    expect(pulled).toBeLessThan(20)
  })

  it("waits for whoever reads: nothing more is read meanwhile", async () => {
    const { response, push } = stream()
    const opened: Array<() => void> = []
    const { call, frames, came } = open(
      () => response,
      {},
      () => new Promise((resolve) => opened.push(resolve))
    )
    call(1)
    push(event({ jsonrpc: "2.0", method: "a" }))
    push(event({ jsonrpc: "2.0", method: "b" }))
    await came(1)
    await new Promise(setImmediate)
    expect(frames).toHaveLength(1)
    opened[0]!()
    await came(2)
    opened[1]!()
  })
})

describe("an answer that redirects", () => {
  it.each([307, 308])("by %i is followed with what was sent, within the origin", async (status) => {
    const { call, came, asked } = open((asked, count) =>
      count === 1 ? empty(status, { location: "/there" }) : result(asked)
    )
    call(1)
    expect(await came(1)).toEqual([parsed(reply(1))])
    expect(asked.map(({ url, method, body }) => [url, method, body.id])).toEqual([
      [url, "POST", 1],
      ["http://mcp.test/there", "POST", 1]
    ])
  })

  it.each([
    [302, "/there", "it redirects to http://mcp.test/there without what was sent: give that address"],
    [308, "http://mcp.test:81/mcp", "it redirects to http://mcp.test:81, which is another origin"],
    [308, "https://mcp.test/mcp", "it redirects to https://mcp.test, which is another origin"],
    [308, "//evil.test/mcp", "it redirects to http://evil.test, which is another origin"],
    [307, "http://[", "it redirects to what is no address"],
    [307, "/mcp", "it redirects more than 5 times"]
  ])("by %i to %s is not", async (status, location, why) => {
    const { call, came, asked } = open(() => empty(status, { location }), { headers: { authorization: "secret" } })
    call(1)
    expect(await came(1)).toEqual([refusedBy(1, status, why)])
    expect(asked.every(({ url }) => url.startsWith("http://mcp.test/"))).toBe(true)
  })

  it("and does not say where to, as in a browser, says so", async () => {
    const opaque = Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" })
    const { call, came } = open(() => opaque)
    call(1)
    expect(await came(1)).toEqual([refusedBy(1, 0, "a browser does not say where to")])
  })
})

describe("what has no answer", () => {
  it.each([202, 204, 200])("is taken by %i", async (status) => {
    const { tell, channel, frames, asked } = open(() => new Response(null, { status }))
    await tell("notifications/roots/list_changed")
    await channel.close()
    expect(asked).toHaveLength(1)
    expect(frames).toEqual([])
  })

  it.each([
    ["refused", () => json({ jsonrpc: "2.0", error: { code: -32_600, message: "no" } }, 400), 400, "HTTP 400: no"],
    ["not taken at all", () => Promise.reject(new TypeError("fetch failed")), 0, "fetch failed"]
  ] as ReadonlyArray<readonly [string, Answer, number, string]>)("is told to be %s", async (_, answer, status, why) => {
    const { tell, came } = open(answer)
    void tell("notifications/roots/list_changed")
    expect(await came(1)).toEqual([refusedBy(undefined, status, why)])
  })

  it("is given up when nobody takes it", async () => {
    vi.useFakeTimers()
    const { tell, frames } = open(() => new Promise(() => {}), { answerMs: 100 })
    void tell("notifications/roots/list_changed")
    await vi.advanceTimersByTimeAsync(100)
    expect(frames).toEqual([refusedBy(undefined, 0, "the server did not answer within 100 ms")])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("makes the sender wait when there is very much of it", async () => {
    const waiting: Array<() => void> = []
    const { tell } = open(() => new Promise((resolve) => waiting.push(() => resolve(empty(202)))))
    const rooms = Array.from({ length: 66 }, () => tell("notifications/x"))
    expect(rooms.slice(0, 64).every((room) => room === undefined)).toBe(true)
    expect(rooms[64]).toBeInstanceOf(Promise)
    await vi.waitFor(() => expect(waiting).toHaveLength(66))
    waiting.splice(0, 2).forEach((take) => take())
    await rooms[65]
    waiting.forEach((take) => take())
  })

  it("goes before what comes after, when it says that the session is open", async () => {
    let take!: (response: Response) => void
    const { tell, call, asked, came } = open((asked) =>
      asked.body?.method === "notifications/initialized"
        ? new Promise((resolve) => (take = resolve))
        : asked.method === "GET"
          ? empty(405)
          : result(asked)
    )
    void tell("notifications/initialized")
    call(1)
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    take(empty(202))
    await came(1)
    expect(asked.map(({ body, method }) => body?.method ?? method)).toEqual([
      "notifications/initialized",
      "GET",
      "tools/list"
    ])
  })
})

describe("the option headers", () => {
  it("that fails, or gives what can be none, fails the request and not the channel", async () => {
    let given: () => Record<string, string> = () => {
      throw new Error("no token")
    }
    const { call, came } = open((asked) => result(asked), { headers: () => given() })
    call(1)
    expect(await came(1)).toEqual([refusedBy(1, 0, "the option headers gave none: no token")])
    given = () => ({ "x-a": "line\r\nx-b: injected" })
    call(2)
    const [, refused] = await came(2)
    expect(refused).toEqual(refusedBy(2, 0, 'the header "x-a" of the option headers'))
    expect(JSON.stringify(refused)).not.toContain("injected")
    given = () => ({})
    call(3)
    expect((await came(3))[2]).toEqual(parsed(reply(3)))
  })
})

describe("closing", () => {
  it("ends what is asked, sends out what was said, and hands up nothing more", async () => {
    const { response, isCancelled } = stream()
    let taken = false
    const { call, stand, tell, channel, frames, closed, asked } = open(async (asked) => {
      if (asked.body.method !== "notifications/x") return asked.body.id === 1 ? response : new Promise(() => {})
      await new Promise(setImmediate)
      taken = true
      return empty(202)
    })
    call(1)
    stand(2)
    void tell("notifications/x")
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    await Promise.all([channel.close(), channel.close()])
    expect(taken).toBe(true)
    expect(isCancelled()).toBe(true)
    expect(asked[1]!.signal.aborted).toBe(true)
    expect(frames).toEqual([])
    expect(closed).toEqual([{ _tag: "Closed" }])
    call(3)
    expect(asked).toHaveLength(3)
  })

  it("does not wait longer than closeMs, for what was said and for the end of the session", async () => {
    vi.useFakeTimers()
    const { call, tell, channel, closed, frames } = open(
      (asked) =>
        asked.body?.method === "initialize" ? json(reply(1), 200, { "mcp-session-id": "s" }) : new Promise(() => {}),
      { closeMs: 100 }
    )
    call(1, "initialize")
    await vi.advanceTimersByTimeAsync(0)
    expect(frames).toHaveLength(1)
    void tell("notifications/x")
    const over = channel.close()
    await vi.advanceTimersByTimeAsync(199)
    expect(closed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await over
    expect(closed).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("settles also for one that was never opened", async () => {
    await http(url).close()
  })

  it("is not needed to abandon one request", async () => {
    const { stand, channel, asked, came } = open((asked) =>
      asked.body.id === 1 ? new Promise(() => {}) : result(asked)
    )
    stand(1)
    stand(2)
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    channel.abort(1)
    channel.abort(77)
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(await came(1)).toEqual([parsed(reply(2))])
  })
})

describe("what can not be used is refused", () => {
  it.each([
    ["localhost:3000", {}, "begins with http: or https:"],
    ["/mcp", {}, "needs the server's whole address"],
    ["http://me:secret@mcp.test/", {}, "takes no user and password in the address"],
    [url, { timeout: 1 }, "http has no option timeout; there are fetch, headers,"],
    [url, { reconnect: { retries: 1 } }, "http has no option reconnect.retries"],
    [url, { bodyMs: -1 }, "needs a number of milliseconds from 0 on for bodyMs, not -1"],
    [url, { reconnect: { tries: 1.5 } }, "needs a whole number from 0 on for reconnect.tries"],
    [url, { headers: { "x y": "1" } }, 'the header "x y" of the option headers'],
    [url, { headers: { a: "b\nc" } }, 'the header "a" of the option headers'],
    [url, { fetch: "fetch" }, 'needs a function for fetch, not "fetch"']
  ])("%s with %j", (address, options, why) => {
    expect(() => http(address, options as never)).toThrow(why)
  })
})
