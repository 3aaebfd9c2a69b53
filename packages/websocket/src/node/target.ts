/** What a request asks for, in either of the two forms that there are. */
import type { IncomingMessage } from "node:http"

export interface Target {
  /** Path and query. */
  readonly text: string
  readonly path: string
  /**
   * It names a host that `Host` contradicts. RFC 9112 section 3.2.2: a whole address has the host that counts, and what got past
   * whoever looks at the other one alone is not served.
   */
  readonly elsewhere: boolean
}

/** RFC 6455 section 4.2.1: a path, or a whole address. */
export function targetOf({ url = "/", headers }: IncomingMessage): Target {
  const [whole, scheme, authority] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(url) ?? []
  const rest = whole === undefined ? url : url.slice(whole.length)
  const text = whole === undefined || rest.startsWith("/") ? rest : `/${rest}`
  const usual = scheme?.match(/^(https|wss)$/i) ? /:443$/ : /:80$/
  const bare = (host: string | undefined): string | undefined => host?.toLowerCase().replace(usual, "")
  return {
    text,
    path: text.replace(/[?#].*$/s, ""),
    elsewhere: authority !== undefined && bare(authority) !== bare(headers.host)
  }
}
