/** Close codes in words (RFC 6455 section 7.4.1), and reasons as a close frame can carry them. */

/** Why the other side left, to be read by a person. */
export function leaving(code: number, reason: string): string {
  const known = words[code]
  if (code === 1006) return "the connection broke without a word (1006)"
  const why = reason === "" ? "" : `: ${readable(reason)}`
  return `the other side closed the connection (${code}${known === undefined ? "" : `, ${known}`})${why}`
}

const words: { readonly [code: number]: string } = {
  1000: "done",
  1001: "going away",
  1002: "protocol error",
  1003: "it takes no such data",
  1005: "without a code",
  1007: "text that is not UTF-8",
  1008: "not allowed",
  1009: "message too large",
  1011: "it failed",
  1012: "restarting",
  1013: "try again later"
}

/** Without what would move about in a terminal or turn the text around: it is somebody else's, and is shown to a person. */
export const readable = (text: string): string =>
  text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")

/** At most 123 bytes, cut between characters. */
export function reasonOf(text: string): string {
  let size = 0
  let kept = ""
  for (const one of text) {
    size += bytesOf(one.codePointAt(0)!)
    if (size > 123) return kept
    kept += one
  }
  return kept
}

const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)
