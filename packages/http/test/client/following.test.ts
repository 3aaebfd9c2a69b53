/** Streams that are cut: taken up where that can be, told of where it can not, and never for ever. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { HttpClientOptions } from "../../src/client/index.js"
import type { Opened } from "./opened.js"
import { opened } from "./opened.js"
import type { Answer, Asked, Stream } from "./scripted.js"
import { empty, event, json, said, stream } from "./scripted.js"

let one: Opened | undefined
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(async () => {
  const closing = one?.channel.close()
  await vi.runAllTimersAsync()
  await closing
  if (vi.getTimerCount() > 0) throw new Error("A timer was left running")
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const reply = { jsonrpc: "2.0", id: 1, result: {} }
const parsed = (message: unknown) => ({ _tag: "Parsed", json: message, via: "http" })
const refused = (id: number | undefined, why: string) => ({
  _tag: "Refused",
  id,
  status: 0,
  body: expect.stringContaining(why) as string
})
const gets = (asked: ReadonlyArray<Asked>) =>
  asked.filter(({ method }) => method === "GET").map(({ headers }) => headers.get("last-event-id"))
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function open(answer: Answer, reconnect: HttpClientOptions["reconnect"] = {}): Opened {
  vi.spyOn(Math, "random").mockReturnValue(0)
  return (one = opened(answer, { reconnect }))
}

describe("the stream of a call", () => {
  const call = (streams: ReadonlyArray<() => Response>, reconnect?: HttpClientOptions["reconnect"]): Opened => {
    const made = open((_, count) => streams[Math.min(count, streams.length) - 1]!(), reconnect)
    made.call(1)
    return made
  }

  it("that ends before the reply is taken up where it was left, after as long as the server says", async () => {
    const { asked, frames } = call([() => said("id: a\nretry: 450\ndata:\n\n"), () => said(event(reply, "b"))])
    await pass(449)
    expect(asked).toHaveLength(1)
    await pass(1)
    expect(gets(asked)).toEqual(["a"])
    expect(asked[1]!.headers.get("accept")).toBe("text/event-stream")
    expect(frames).toEqual([parsed(reply)])
  })

  it("that breaks is taken up too, after a second where nothing else is said", async () => {
    const { response, push, tear } = stream()
    const { asked, frames } = call([() => response, () => said(event(reply))])
    push(event({ jsonrpc: "2.0", method: "x" }, "é"))
    await pass(0)
    tear()
    await pass(999)
    expect(asked).toHaveLength(1)
    await pass(1)
    expect(gets(asked)).toEqual(["Ã©"])
    expect(frames).toEqual([parsed({ jsonrpc: "2.0", method: "x" }), parsed(reply)])
  })

  it("that is cut again before its first id is taken up where it was left before", async () => {
    const { asked, frames } = call([
      () => said(event("", "a")),
      () => said(),
      () => said(": still here\n\n"),
      () => said(event("", "b")),
      () => said(event(reply))
    ])
    await pass(10_000)
    expect(gets(asked)).toEqual(["a", "a", "a", "b"])
    expect(frames).toEqual([parsed(reply)])
  })

  it("may be closed by the server as often as it wants to be asked", async () => {
    const { asked, frames, channel } = call([() => said("id: a\nretry: 10\ndata:\n\n")], { initialMs: 10, tries: 2 })
    await pass(1_000)
    expect(asked.length).toBeGreaterThan(50)
    expect(frames).toEqual([])
    channel.abort(1)
    const before = asked.length
    await pass(1_000)
    expect(asked).toHaveLength(before)
  })

  it.each([0, 1])(
    "that ends at once each time is not asked for again and again, whatever the server says (%i ms)",
    async (retry) => {
      const first = said(`id: a\nretry: ${retry}\ndata:\n\n`)
      const { asked, frames } = call([() => first, () => said()], { initialMs: 100, maxMs: 500, tries: 5 })
      await pass(retry + 100 + 200 + 400)
      expect(gets(asked)).toHaveLength(4)
      await pass(60_000)
      expect(gets(asked)).toHaveLength(6)
      expect(frames).toEqual([
        refused(1, "the stream ended before the reply came; it was tried 5 times to open it again")
      ])
    }
  )

  it("is asked for as soon as the server says while messages come of it, and no sooner than we would when none do", async () => {
    const primed = "id: a\nretry: 10\ndata:\n\n"
    const told = `retry: 10\n${event({ jsonrpc: "2.0", method: "x" }, "b")}`
    const streams = [...Array(5).fill(told), ...Array(6).fill(primed), told, primed] as ReadonlyArray<string>
    const at: Array<number> = []
    call([...streams.map((text) => () => (at.push(performance.now()), said(text))), () => empty(404)], {
      initialMs: 100,
      tries: 2
    })
    await pass(60_000)
    expect(at.slice(1).map((time, nth) => Math.round(time - at[nth]!))).toEqual([
      10, 10, 10, 10, 10, 10, 100, 100, 100, 100, 100, 10
    ])
  })

  it("that lasts each time is asked for as long as the call does", async () => {
    const streams: Array<Stream> = []
    const { asked, frames } = call(
      [
        () => said("id: a\nretry: 0\ndata:\n\n"),
        () => {
          streams.push(stream())
          return streams.at(-1)!.response
        }
      ],
      { initialMs: 100, tries: 2 }
    )
    for (let nth = 0; nth < 20; nth++) {
      await pass(100)
      streams.at(-1)!.end()
    }
    await pass(0)
    expect(gets(asked)).toHaveLength(21)
    expect(frames).toEqual([])
  })

  it("that had no ids is over", async () => {
    const { frames } = call([() => said(event({ jsonrpc: "2.0", method: "x" }))])
    await pass(0)
    expect(frames[1]).toEqual(
      refused(1, "the stream ended before the reply came, and it can not be resumed: it had no event ids")
    )
  })

  it.each([
    [400, "HTTP 400"],
    [404, "HTTP 404"],
    [405, "HTTP 405"]
  ])("that the server does not take up by %i is over", async (status, why) => {
    const { frames, asked } = call([() => said(event("", "a")), () => empty(status)])
    await pass(60_000)
    expect(frames).toEqual([refused(1, `it can not be resumed: ${why}`)])
    expect(asked).toHaveLength(2)
  })

  it("is tried to be taken up later and later, and not for ever", async () => {
    const at: Array<number> = []
    const { frames } = call(
      [
        () => said(event("", "a")),
        () => {
          at.push(performance.now())
          return empty(502)
        }
      ],
      { initialMs: 100, maxMs: 500, tries: 5 }
    )
    const begun = performance.now()
    await pass(60_000)
    const waits = at.map((time, nth) => Math.round(time - (at[nth - 1] ?? begun)))
    expect(waits).toEqual([100, 100, 200, 400, 500, 500])
    expect(frames).toEqual([refused(1, "it was tried 5 times to open it again")])
  })

  it("on 2026-07-28 is never taken up", async () => {
    const { stand, frames, asked } = open(() => said("id: a\nretry: 1\ndata:\n\n"))
    stand(1)
    await pass(60_000)
    expect(frames).toEqual([refused(1, "the stream ended before the reply came")])
    expect(asked).toHaveLength(1)
  })

  it("that is open for long after the reply is closed", async () => {
    const { response, push, isCancelled } = stream()
    const { frames } = call([() => response])
    push(event(reply, "a"))
    await pass(999)
    expect(isCancelled()).toBe(false)
    await pass(1)
    expect(isCancelled()).toBe(true)
    await pass(60_000)
    expect(frames).toEqual([parsed(reply)])
  })

  it("with a message that is too large is over, though it has ids", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0)
    one = opened(() => said(event("", "a"), event({ pad: "x".repeat(100) })), { maxMessageBytes: 50 })
    one.call(1)
    await pass(60_000)
    expect(one.frames).toEqual([refused(1, "larger than 50 bytes")])
    expect(one.asked).toHaveLength(1)
  })
})

describe("the server's own stream", () => {
  /** A session that is open, whose streams are answered by `get`. */
  function session(get: (asked: Asked, nth: number) => Response, reconnect?: HttpClientOptions["reconnect"]): Opened {
    let nth = 0
    const made = open((asked) => {
      if (asked.method === "GET") return get(asked, ++nth)
      if (asked.body?.method === "initialize") return json({ ...reply, id: 1 }, 200, { "mcp-session-id": "s" })
      return empty(202)
    }, reconnect)
    made.call(1, "initialize")
    return made
  }
  const begin = async (made: Opened): Promise<Opened> => {
    await pass(0)
    void made.tell("notifications/initialized")
    await pass(0)
    return made
  }
  const notice = { jsonrpc: "2.0", method: "x" }

  it("is opened once the session is, and opened again when it is cut", async () => {
    const streams: Array<Stream> = []
    const { asked, frames } = await begin(
      session(() => {
        streams.push(stream())
        return streams.at(-1)!.response
      })
    )
    expect(gets(asked)).toEqual([null])
    streams[0]!.push(event(notice, "7"))
    await pass(0)
    streams[0]!.tear()
    await pass(1_000)
    expect(gets(asked)).toEqual([null, "7"])
    streams[1]!.end()
    await pass(1_000)
    expect(gets(asked)).toEqual([null, "7", "7"])
    expect(frames.slice(1)).toEqual([parsed(notice)])
  })

  it.each([405, 404, 400, 401, 406])("that the server does not have (%i) is not missed", async (status) => {
    const { asked, frames } = await begin(session(() => empty(status)))
    await pass(600_000)
    expect(gets(asked)).toHaveLength(1)
    expect(frames).toHaveLength(1)
  })

  it("that is closed each time is asked for later and later, and not for ever", async () => {
    const { asked, frames } = await begin(session(() => said(), { initialMs: 100, maxMs: 1_000, tries: 6 }))
    await pass(100 + 200 + 400 + 800)
    expect(gets(asked)).toHaveLength(5)
    await pass(600_000)
    expect(gets(asked)).toHaveLength(7)
    expect(frames.slice(1)).toEqual([refused(undefined, "the stream of the server's own messages is over")])
  })

  it.each([0, 1])("that only says when to come again (%i ms) is not asked for again and again", async (retry) => {
    const { asked } = await begin(session(() => said(`id: a\nretry: ${retry}\ndata:\n\n`), { initialMs: 100 }))
    await pass(1_000)
    expect(gets(asked).length).toBeLessThan(13)
    await pass(1_000)
    expect(gets(asked).length).toBeLessThan(23)
  })

  it("that is cut every few minutes is asked for as long as the session lasts", async () => {
    const streams: Array<Stream> = []
    const { asked } = await begin(
      session(
        () => {
          streams.push(stream())
          return streams.at(-1)!.response
        },
        { tries: 3 }
      )
    )
    for (let nth = 0; nth < 20; nth++) {
      await pass(300_000)
      streams.at(-1)!.end()
      await pass(1_000)
    }
    expect(gets(asked)).toHaveLength(21)
  })

  it("says that the session is gone, when it was there before", async () => {
    const { asked, frames, call } = await begin(
      session((_, nth) => (nth === 1 ? said(event(notice, "1")) : empty(404)))
    )
    await pass(1_000)
    expect(frames.slice(1)).toEqual([parsed(notice), { _tag: "SessionLost", id: undefined }])
    const before = asked.length
    call(2)
    await pass(0)
    // Without a session it would be refused for that alone: it is not sent.
    expect(asked).toHaveLength(before)
    expect(frames.at(-1)).toEqual({ _tag: "SessionLost", id: 2 })
  })
})

describe("a session that the server has ended", () => {
  const session: Answer = ({ body, headers }) => {
    const { id, method } = body ?? {}
    if (method === "initialize") return json({ jsonrpc: "2.0", id, result: {} }, 200, { "mcp-session-id": "s" })
    if (!headers.has("mcp-session-id")) return json({ jsonrpc: "2.0", id, result: {} })
    return json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message: "Session not found" } }, 404)
  }

  it("before it served anything is no reason to open another one for what has no answer", async () => {
    const made = open(session)
    made.call(1, "initialize")
    await pass(0)
    void made.tell("notifications/initialized")
    await pass(0)
    made.call(2)
    await pass(0)
    expect(made.frames.slice(1)).toEqual([
      { ...refused(undefined, "the server does not know the session that it opened"), status: 404 },
      { _tag: "SessionLost", id: 2 }
    ])
    expect(made.asked).toHaveLength(2)
  })

  it("after it served something is one for that too", async () => {
    let served = false
    const made = open((asked, count) =>
      asked.body?.id !== 1 && !served ? ((served = true), empty(202)) : session(asked, count)
    )
    made.call(1, "initialize")
    await pass(0)
    void made.tell("notifications/x")
    await pass(0)
    void made.tell("notifications/x")
    await pass(0)
    expect(made.frames.slice(1)).toEqual([{ _tag: "SessionLost", id: undefined }])
  })

  it("has not been ended by a 404 that is a reply about the method", async () => {
    const unknown = { jsonrpc: "2.0", id: 2, error: { code: -32_601, message: "Method not found" } }
    const made = open((asked, count) => (asked.body.id === 2 ? json(unknown, 404) : session(asked, count)))
    made.call(1, "initialize")
    await pass(0)
    made.call(2)
    await pass(0)
    expect(made.frames.slice(1)).toEqual([parsed(unknown)])
  })

  it("is told of once for each request, and what was on its way meanwhile goes to the new one", async () => {
    let session = 0
    let late!: () => void
    const made = open((asked) => {
      const { id, method } = asked.body ?? {}
      if (method === "initialize")
        return json({ jsonrpc: "2.0", id, result: {} }, 200, { "mcp-session-id": `s${++session}` })
      if (asked.headers.get("mcp-session-id") !== "s1") return json({ jsonrpc: "2.0", id, result: {} })
      return id === 3 ? new Promise((resolve) => (late = () => resolve(empty(404)))) : empty(404)
    })
    made.call(1, "initialize")
    await pass(0)
    made.call(2)
    made.call(3)
    await pass(0)
    made.call(4, "initialize")
    await pass(0)
    late()
    await pass(0)
    expect(made.frames.slice(1)).toEqual([
      { _tag: "SessionLost", id: 2 },
      parsed({ jsonrpc: "2.0", id: 4, result: {} }),
      parsed({ jsonrpc: "2.0", id: 3, result: {} })
    ])
    expect(made.asked.filter(({ body }) => body?.id === 3).map(({ headers }) => headers.get("mcp-session-id"))).toEqual(
      ["s1", "s2"]
    )
  })
})
