/** Real sockets: many at once, cut ones, slow ones, and none left at the end. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { IncomingMessage, ServerResponse } from "node:http"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { HttpClientOptions } from "../../src/client/index.js"
import { http } from "../../src/client/index.js"
import type { Site } from "./site.js"
import { site, textOf } from "./site.js"

const clientInfo = { name: "parley", version: "1.0.0" }
const capabilities = { tools: {} }
const tools = [{ name: "it", inputSchema: { type: "object" } }]
const results: Readonly<Record<string, object>> = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "private" },
  "tools/list": { tools, ttlMs: 0, cacheScope: "private" },
  "tools/call": { content: [] }
}

let client: Client | undefined
let place: Site | undefined
afterEach(async () => {
  await client?.close()
  await place?.close()
})

type Called = (id: number, answer: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** A server of 2026-07-28 whose one tool does as it is told to. */
async function meet(
  called: Called,
  options: HttpClientOptions = {},
  wishes: Partial<ConnectOptions> = {}
): Promise<Client> {
  place = await site(async (request, answer) => {
    const { id, method } = JSON.parse(await textOf(request)) as { readonly id: number; readonly method: string }
    if (method === "tools/call") return called(id, answer, request)
    whole(id, answer, results[method]!)
  })
  return (client = await connect(http(place.url, options), { clientInfo, ...wishes }))
}

const whole = (id: number, answer: ServerResponse, result: object): void => {
  answer.writeHead(200, { "content-type": "application/json" })
  answer.end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }))
}
const stream = (answer: ServerResponse): void => {
  answer.writeHead(200, { "content-type": "text/event-stream" })
  answer.flushHeaders()
}
const until = (so: () => boolean): Promise<void> => vi.waitFor(() => expect(so()).toBe(true), { interval: 5 })

it("a thousand calls at once are answered, each its own", async () => {
  const waiting: Array<() => void> = []
  const one = await meet((id, answer) => {
    waiting.push(() => whole(id, answer, { content: [{ type: "text", text: String(id) }] }))
    // None is answered before all are there.
    if (waiting.length === 1_000) for (const done of waiting) done()
  })
  const calls = await Promise.all(Array.from({ length: 1_000 }, () => one.callTool("it")))
  const texts = calls.map(({ content }) => (content[0] as { readonly text: string }).text)
  expect(new Set(texts).size).toBe(1_000)
}, 30_000)

describe("a call whose connection", () => {
  it.each([
    ["is killed before anything came", (_, answer) => answer.destroy(), "other side closed"],
    [
      "is killed in the middle of a body",
      (_, answer) => {
        answer.writeHead(200, { "content-type": "application/json" })
        answer.write('{"jsonrpc":')
        setImmediate(() => answer.destroy())
      },
      "other side closed"
    ],
    [
      "is killed in the middle of a stream",
      (_, answer) => {
        stream(answer)
        answer.write('data: {"jsonrpc":')
        setImmediate(() => answer.destroy())
      },
      "the stream broke before the reply came"
    ],
    [
      "ends in the middle of an event",
      (_, answer) => {
        stream(answer)
        answer.end('data: {"jsonrpc":')
      },
      "the stream ended before the reply came"
    ]
  ] as ReadonlyArray<readonly [string, Called, string]>)(
    "%s fails at once, and the next one does not",
    async (_, called, why) => {
      let broken = true
      const one = await meet((...given) => {
        if (!broken) return whole(given[0], given[1], { content: [] })
        broken = false
        return called(...given)
      })
      await expect(one.callTool("it")).rejects.toThrow(why)
      expect(await one.callTool("it")).toMatchObject({ content: [] })
    }
  )

  it("says nothing more is let go of when its time is over", async () => {
    const gone: Array<number> = []
    const one = await meet((id, answer) => {
      answer.on("close", () => gone.push(id))
      stream(answer)
    })
    await expect(one.callTool("it", {}, { timeoutMs: 50 })).rejects.toThrow("was not answered within 50 ms")
    await until(() => gone.length === 1)
    expect(place!.busy()).toBe(0)
  })

  it("brings its answer byte by byte, with characters cut in two, is answered", async () => {
    const text = "né 日本 😀"
    const one = await meet(async (id, answer) => {
      stream(answer)
      const result = { resultType: "complete", content: [{ type: "text", text }] }
      for (const byte of new TextEncoder().encode(
        `: ok\r\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\r\n\r\n`
      )) {
        answer.write(Uint8Array.of(byte))
        await new Promise(setImmediate)
      }
      answer.end()
    })
    expect((await one.callTool("it")).content).toEqual([{ type: "text", text }])
  })
})

describe("closing", () => {
  it("settles every call once, and leaves no exchange open", async () => {
    const gone: Array<number> = []
    const one = await meet((id, answer) => {
      answer.on("close", () => gone.push(id))
      if (id % 2 === 0) stream(answer)
    })
    let settled = 0
    const calls = Array.from({ length: 20 }, () =>
      one.callTool("it").then(
        () => "answered",
        (error: Error) => {
          settled++
          return error.message
        }
      )
    )
    await until(() => place!.busy() === 20)
    await Promise.all([one.close(), one.close()])
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["tools/call was not answered: the client closed it"]))
    expect(settled).toBe(20)
    await until(() => gone.length === 20)
    await expect(one.callTool("it")).rejects.toThrow("the client closed it")
  })

  it("ten times over leaves nothing behind", async () => {
    place = await site(async (request, answer) => {
      const { id, method } = JSON.parse((await textOf(request)) || "{}") as {
        readonly id: number
        readonly method: string
      }
      if (request.method === "GET") return stream(answer)
      if (method === "server/discover") return void answer.writeHead(400).end()
      if (id === undefined) return void answer.writeHead(202).end()
      answer.setHeader("mcp-session-id", `s${id}`)
      whole(id, answer, { protocolVersion: "2025-11-25", capabilities, serverInfo: clientInfo })
    })
    for (let nth = 0; nth < 10; nth++) {
      const one = await connect(http(place.url), { clientInfo })
      await until(() => place!.busy() === 1)
      await one.close()
      await until(() => place!.busy() === 0)
    }
  })
})

describe("a server that floods", () => {
  it("is read no faster than it is taken, and what it says is not kept", async () => {
    let written = 0
    const filler = `data: {"jsonrpc":"2.0","method":"notifications/x","params":{"pad":"${"x".repeat(60_000)}"}}\n\n`
    place = await site((_, answer) => {
      stream(answer)
      const more = (): void => {
        while (!answer.destroyed && answer.write(filler)) written += filler.length
        written += filler.length
      }
      answer.on("drain", more)
      more()
    })
    const channel = http(place.url)
    let free!: () => void
    let frames = 0
    channel.open({
      frame: () => {
        frames++
        return new Promise((resolve) => (free = resolve))
      },
      closed: () => {}
    })
    void channel.send({ message: { jsonrpc: "2.0", id: 1, method: "x" }, via: undefined, last: false })
    await until(() => frames === 1)
    let before = -1
    await vi.waitFor(
      () => {
        const now = written
        const still = now === before
        before = now
        expect(still).toBe(true)
      },
      { interval: 100, timeout: 5_000 }
    )
    expect(frames).toBe(1)
    expect(written).toBeLessThan(32 * 1024 * 1024)
    free()
    await until(() => frames === 2)
    free()
    await channel.close()
  })
})
