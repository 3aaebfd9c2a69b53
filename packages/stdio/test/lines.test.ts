import { describe, expect, it } from "vitest"
import type { Line } from "../src/lines.js"
import { lines } from "../src/lines.js"

const read = (limit: number, ...chunks: ReadonlyArray<string | Uint8Array>): Array<Line> => {
  const framing = lines(limit)
  return [...chunks.flatMap((chunk) => framing.push(Buffer.from(chunk))), ...framing.end()]
}
const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)

describe("lines", () => {
  it("ends lines at LF and at CRLF, and keeps a CR inside a line", () => {
    expect(read(100, "a\nb\r\nc\rd\n")).toEqual(["a", "b", "c\rd"])
  })

  it("skips blank lines, also of white space", () => {
    expect(read(100, "\n\r\na\n  \t\r\n\n b\n")).toEqual(["a", " b"])
  })

  it("takes a last line without end", () => {
    expect(read(100, "a\nb")).toEqual(["a", "b"])
    expect(read(100, "a\nb\r")).toEqual(["a", "b"])
    expect(read(100, "")).toEqual([])
  })

  it("drops a byte order mark at the very start only", () => {
    expect(read(100, "\ufeffa\n\ufeffb\n")).toEqual(["a", "\ufeffb"])
    expect(read(100, bytes(0xef), bytes(0xbb), bytes(0xbf), "a\n")).toEqual(["a"])
  })

  it("reads characters cut at every byte", () => {
    const text = Buffer.from('{"a":"é日😀"}\r\n{"b":"\u2028"}\n')
    for (let at = 0; at <= text.length; at++)
      expect(read(100, text.subarray(0, at), text.subarray(at))).toEqual(['{"a":"é日😀"}', '{"b":"\u2028"}'])
  })

  it("gives up the one line that is not UTF-8 and no other", () => {
    const bad: ReadonlyArray<ReadonlyArray<number>> = [
      [0xff],
      [0xc3],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x9f, 0x98],
      [0x80]
    ]
    for (const sequence of bad)
      expect(read(100, Buffer.concat([Buffer.from("é\n{"), bytes(...sequence), Buffer.from("}\nb\n")]))).toEqual([
        "é",
        { why: "utf8" },
        "b"
      ])
  })

  it("accepts a line of exactly the limit, with either end, and none longer", () => {
    for (const end of ["\n", "\r\n", ""]) {
      expect(read(5, "12345" + end)).toEqual(["12345"])
      expect(read(5, "123456" + end, "\nok")).toEqual([{ why: "tooLarge" }, "ok"])
    }
    expect(read(5, "12345\r", "x\nok\n")).toEqual([{ why: "tooLarge" }, "ok"])
    expect(read(5, "ok\n123456\nok\n")).toEqual(["ok", { why: "tooLarge" }, "ok"])
  })

  it("tells of a line beyond the limit before it ends, once", () => {
    const framing = lines(5)
    expect(framing.push(Buffer.from("123"))).toEqual([])
    expect(framing.push(Buffer.from("456"))).toEqual([{ why: "tooLarge" }])
    expect(framing.push(Buffer.from("789"))).toEqual([])
    expect(framing.push(Buffer.from("0\na\n"))).toEqual(["a"])
    expect(framing.end()).toEqual([])
  })

  it("does not keep the chunk it was given", () => {
    const framing = lines(100)
    const chunk = Buffer.from("abc")
    framing.push(chunk)
    chunk.fill(0)
    expect(framing.push(Buffer.from("\n"))).toEqual(["abc"])
  })

  it("reads a line of 64 MiB in chunks of 64 KiB", () => {
    const framing = lines(64 * 1024 * 1024)
    const chunk = Buffer.alloc(64 * 1024, "x")
    for (let n = 0; n < 1024; n++) expect(framing.push(chunk).length).toBe(0)
    const [line] = framing.push(Buffer.from("\n"))
    expect((line as string).length).toBe(64 * 1024 * 1024)
  })

  it("gives the memory of a huge line back, and keeps that of a usual one", () => {
    const framing = lines(64 * 1024 * 1024)
    framing.push(Buffer.alloc(1024 * 1024, "x"))
    expect(framing.room()).toBeGreaterThanOrEqual(1024 * 1024)
    expect(framing.push(Buffer.from("\n")).length).toBe(1)
    expect(framing.room()).toBe(0)
    framing.push(Buffer.alloc(10_000, "x"))
    expect(framing.push(Buffer.from("\n")).length).toBe(1)
    expect(framing.room()).toBe(10_000)
  })

  it("gives the memory of a line that became too large back at once", () => {
    const framing = lines(1024)
    framing.push(Buffer.alloc(1024, "x"))
    framing.push(Buffer.alloc(1024, "x"))
    expect(framing.room()).toBe(0)
  })

  it("discards without holding what is beyond the limit", () => {
    const framing = lines(1024)
    const before = process.memoryUsage().arrayBuffers
    const chunk = Buffer.alloc(1024 * 1024, "x")
    let told = 0
    for (let n = 0; n < 1024; n++) told += framing.push(chunk).length
    expect(told).toBe(1)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  })
})
