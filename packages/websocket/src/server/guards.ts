/** Who may open a connection at all: by which name they came, and from which page. The same as over HTTP. */

export interface Guarding {
  readonly allowedHosts?: ReadonlyArray<string> | undefined
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
}

/**
 * A function that says why a request is refused, or nothing. Browsers let any page open a WebSocket to anywhere, without asking
 * the server first: the only thing between a page and a server of this machine is this.
 */
export function guard({ allowedHosts, allowedOrigins }: Guarding): (header: Header) => string | undefined {
  const hosts = allowedHosts === undefined ? own : new Set(allowedHosts.map(lower))
  const origins = new Set(allowedOrigins?.map(lower))
  // Only where nobody but this machine gets in, its own pages need no list.
  const trustsOwnPages = allowedOrigins === undefined && [...hosts].every((host) => own.has(withoutPort(host)))

  const isOurs = (host: string): boolean => hosts.has(host) || hosts.has(withoutPort(host))
  const mayAsk = (origin: string): boolean =>
    origins.has("*") || (trustsOwnPages ? ownPage.test(origin) : origins.has(origin))

  return (header) => {
    const [host, origin] = [header("host"), header("origin")]
    if (!hosts.has("*") && (host === undefined || !isOurs(lower(host)))) return unknownHost
    if (origin !== undefined && !mayAsk(lower(origin))) return unknownOrigin
    return undefined
  }
}

export type Header = (name: string) => string | undefined

const lower = (text: string): string => text.toLowerCase()

const withoutPort = (host: string): string => host.replace(/:\d+$/, "")

/** This machine's names for itself. */
const own: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

const ownPage = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

const unknownHost =
  "Forbidden: this server is not known by the name in Host; whoever runs it can add it to allowedHosts"

const unknownOrigin =
  "Forbidden: pages of this Origin may not connect; whoever runs this server can add it to allowedOrigins"
