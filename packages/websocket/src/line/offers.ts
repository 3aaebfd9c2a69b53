/** The subprotocols that a client offers: `mcp`, and beside it a token where the client can not send headers. */

export const subprotocol = "mcp"

/** Before the token, which is in base64url without padding: a subprotocol may hold no other characters. */
export const bearer = "mcp.bearer."

export interface Offers {
  /** What is chosen; nothing where nothing was offered. */
  readonly protocol: typeof subprotocol | undefined
  /** The token that came among them. */
  readonly token: string | undefined
}

/** A text says why they can not be taken. */
export function offersOf(header: string | undefined): Offers | string {
  const offered = (header ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
  const tokens = offered.filter((one) => one.startsWith(bearer))
  if (offered.length > 0 && !offered.includes(subprotocol))
    return `Bad request: offer the subprotocol ${subprotocol}, alone or among others, or none`
  if (tokens.length > 1) return "Bad request: offer one token, not several"
  const [given] = tokens
  const token = given === undefined ? undefined : decoded(given.slice(bearer.length))
  if (given !== undefined && token === undefined)
    return `Bad request: after ${bearer} there must be a token in base64url, without padding`
  return { protocol: offered.length === 0 ? undefined : subprotocol, token }
}

/** The subprotocol that carries a token. */
export const carrying = (token: string): string =>
  bearer +
  btoa(String.fromCharCode(...new TextEncoder().encode(token)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

function decoded(text: string): string | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0))
    const token = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    // It takes the place of a header.
    return /^[\x21-\x7e]+$/.test(token) ? token : undefined
  } catch {
    return undefined
  }
}
