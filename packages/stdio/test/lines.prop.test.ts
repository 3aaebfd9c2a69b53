import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Line } from "../src/lines.js"
import { lines } from "../src/lines.js"

const LIMIT = 24

/** Bytes rich in line ends, marks, cut characters and lines around the limit. */
const stream = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\r", " ", "\ufeff", "é", "日", "😀", "{}").map((text) => Buffer.from(text)),
      fc.string({ unit: "binary", maxLength: 8 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc.integer({ min: LIMIT - 3, max: LIMIT + 3 }).map((length) => Buffer.alloc(length, "x"))
    ),
    { maxLength: 30 }
  )
  .map((parts) => Buffer.concat(parts))

const cuts = fc.array(fc.nat(400), { maxLength: 20 })

function read(whole: Buffer, at: ReadonlyArray<number>): Array<Line> {
  const framing = lines(LIMIT)
  const out: Array<Line> = []
  let from = 0
  for (const cut of at.toSorted((a, b) => a - b)) {
    out.push(...framing.push(whole.subarray(from, Math.min(cut, whole.length))))
    from = Math.min(cut, whole.length)
  }
  out.push(...framing.push(whole.subarray(from)), ...framing.end())
  return out
}

/** The same framing said another way: byte by byte, with the platform's own decoder. */
function oracle(whole: Buffer): Array<Line> {
  const out: Array<Line> = []
  const parts: Array<Array<number>> = [[]]
  for (const byte of whole)
    if (byte === 10) parts.push([])
    else parts.at(-1)?.push(byte)
  for (const [n, part] of parts.entries()) {
    if (part.at(-1) === 13) part.pop()
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    try {
      if (part.length > LIMIT) out.push({ why: "tooLarge" })
      else {
        const text = decoder.decode(Uint8Array.from(part))
        const line = n === 0 && text.startsWith("\ufeff") ? text.slice(1) : text
        if (/[^ \t\r]/.test(line)) out.push(line)
      }
    } catch {
      out.push({ why: "utf8" })
    }
  }
  return out
}

describe("lines, for any bytes", () => {
  it("gives the same lines for any cut into chunks", () => {
    fc.assert(
      fc.property(stream, cuts, (whole, at) => {
        expect(read(whole, at)).toEqual(read(whole, []))
      }),
      { numRuns: 3000 }
    )
  })

  it("gives the same lines byte by byte as a plain reading of the rules", () => {
    fc.assert(
      fc.property(stream, (whole) => {
        const single = Array.from({ length: whole.length }, (_, n) => n)
        expect(read(whole, single)).toEqual(oracle(whole))
        expect(read(whole, [])).toEqual(oracle(whole))
      }),
      { numRuns: 3000 }
    )
  })
})
