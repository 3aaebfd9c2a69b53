/** Whatever the pieces it arrives in, a body is what was sent, or too large by its bytes. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { requests } from "../../src/node/requests.js"
import type { Body } from "../../src/server/exchange.js"
import { FetchExchange } from "../../src/server/fetch-exchange.js"
import { bodyOf } from "../server/fake-exchange.js"
import type { Stage } from "./sockets.js"
import { stage, still } from "./sockets.js"

const limit = 64

let staged: Stage
beforeAll(async () => {
  const handle = requests({
    ...still,
    handle: (exchange) =>
      exchange.body(limit, 10_000, (body) =>
        exchange.respond(200, {}, Buffer.from(JSON.stringify(body)).toString("base64"))
      )
  })
  staged = await stage(handle)
})
afterAll(() => staged.stop())

const bytes = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from(some))
)
const sent = fc.record({ bytes, cuts: fc.array(fc.nat(80), { maxLength: 8 }), chunked: fc.boolean() })

/** As a platform of its own would see it. */
function expected(all: Buffer): Body {
  if (all.length > limit) return { _tag: "TooLarge" }
  try {
    return { _tag: "Text", text: new TextDecoder("utf-8", { fatal: true }).decode(all) }
  } catch {
    return { _tag: "Garbled" }
  }
}

function pieces(all: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> {
  const at = [0, ...cuts.filter((cut) => cut < all.length).toSorted((one, other) => one - other), all.length]
  return at.slice(1).map((end, n) => all.subarray(at[n], end))
}

it("on node:http", async () => {
  await fc.assert(
    fc.asyncProperty(sent, async ({ bytes, cuts, chunked }) => {
      const raw = staged.raw()
      raw.socket.setNoDelay(true)
      const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes.length}`
      raw.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`)
      for (const piece of pieces(bytes, cuts)) {
        if (piece.length === 0) continue
        if (chunked) raw.write(`${piece.length.toString(16)}\r\n`)
        await new Promise<void>((resolve) => raw.socket.write(piece, () => resolve()))
        if (chunked) raw.write("\r\n")
      }
      if (chunked) raw.write("0\r\n\r\n")
      const came = await raw.until((text) => /\r\n\r\n[^]+$/.test(text))
      raw.socket.destroy()
      const body: unknown = JSON.parse(Buffer.from(came.slice(came.indexOf("\r\n\r\n") + 4), "base64").toString())
      expect(body).toEqual(expected(bytes))
    }),
    { numRuns: 200 }
  )
})

it("on web standards", async () => {
  await fc.assert(
    fc.asyncProperty(sent, async ({ bytes, cuts }) => {
      const left = [...pieces(bytes, cuts)]
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = left.shift()
          if (next === undefined) controller.close()
          else controller.enqueue(new Uint8Array(next))
        }
      })
      const request = new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit)
      expect(await bodyOf(new FetchExchange(request, undefined, undefined), limit)).toEqual(expected(bytes))
    }),
    { numRuns: 200 }
  )
})
