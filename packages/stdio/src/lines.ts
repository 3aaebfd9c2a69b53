/** Bytes in, lines out: the framing of stdio, where a message is a line of UTF-8. */
import { constants, isAscii, isUtf8 } from "node:buffer"

/** A line without its end, or why there is none to read. */
export type Line = string | Unreadable

/** `tooLarge` is told as soon as it is known, the rest of that line being discarded unread. */
export interface Unreadable {
  readonly why: "utf8" | "tooLarge"
}

export interface Lines {
  /** The lines that this chunk completes, in order. The chunk may be re-used afterwards. */
  push(chunk: Uint8Array): Array<Line>
  /** The last line, when the stream ended without a line end. */
  end(): Array<Line>
  /** How many bytes of memory lie ready for a line that has no end yet. */
  room(): number
}

/**
 * Lines end in LF or CRLF; blank ones and a byte order mark at the very start are skipped. Any cut of the same bytes into
 * chunks gives the same lines. A line of more than `limit` bytes, its end not counted, is never held. Linear in time.
 */
export function lines(limit: number): Lines {
  const most = Math.min(limit, constants.MAX_STRING_LENGTH)
  let held = NOTHING
  let length = 0
  let discarding = false
  let atStart = true

  return {
    push(chunk) {
      const out: Array<Line> = []
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let from = 0
      if (length > 0 || discarding) {
        const end = bytes.indexOf(LF)
        hold(end < 0 ? bytes : bytes.subarray(0, end), out)
        if (end < 0) return out
        finish(out)
        from = end + 1
      }
      const to = Math.max(from, bytes.lastIndexOf(LF) + 1)
      if (to > from) splitWhole(bytes.subarray(from, to), out)
      hold(bytes.subarray(to), out)
      return out
    },
    end() {
      const out: Array<Line> = []
      if (length > 0) finish(out)
      return out
    },
    room: () => held.length
  }

  /** Copies into one buffer that doubles, so that neither tiny chunks nor huge lines cost more than their bytes. */
  function hold(bytes: Buffer, out: Array<Line>): void {
    if (discarding || bytes.length === 0) return
    const total = length + bytes.length
    // One byte more may be the CR of a CRLF.
    if (total > most + 1 || (total > most && bytes[bytes.length - 1] !== CR)) {
      discarding = true
      held = NOTHING
      length = 0
      atStart = false
      out.push({ why: "tooLarge" })
      return
    }
    if (total > held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(total, held.length * 2, LEAST), Math.max(total, most + 1)))
      held.copy(grown, 0, 0, length)
      held = grown
    }
    bytes.copy(held, length)
    length = total
  }

  function finish(out: Array<Line>): void {
    if (discarding) discarding = false
    else one(held.subarray(0, length), out)
    length = 0
    if (held.length > KEPT) held = NOTHING
  }

  /** Lines that arrived whole: one check and one decoding for all of them, where they allow it. */
  function splitWhole(bytes: Buffer, out: Array<Line>): void {
    const text = bytes.length > most ? undefined : decode(bytes)
    if (text === undefined) {
      for (let from = 0, end; from < bytes.length; from = end + 1) {
        end = bytes.indexOf(LF, from)
        one(bytes.subarray(from, end), out)
      }
      return
    }
    for (let from = 0, end; from < text.length; from = end + 1) {
      end = text.indexOf("\n", from)
      keep(text.slice(from, text.charCodeAt(end - 1) === CR ? end - 1 : end), out)
    }
  }

  function one(bytes: Buffer, out: Array<Line>): void {
    const line = bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes
    const text = line.length > most ? undefined : decode(line)
    if (text !== undefined) return keep(text, out)
    atStart = false
    out.push({ why: line.length > most ? "tooLarge" : "utf8" })
  }

  function keep(text: string, out: Array<Line>): void {
    const line = atStart && text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
    atStart = false
    // Blank is what JSON calls white space: a line of it is no message, and no mistake worth an answer.
    if (line.length === 0 || (line.charCodeAt(0) <= SPACE && /^[ \t\r]*$/.test(line))) return
    out.push(line)
  }
}

/** Nothing when the bytes are not UTF-8. Latin-1 is the quick way to read ASCII. */
function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1")
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined
}

const LF = 10
const CR = 13
const SPACE = 32
const BYTE_ORDER_MARK = 0xfeff
const NOTHING = Buffer.alloc(0)
const LEAST = 4096
const KEPT = 256 * 1024
