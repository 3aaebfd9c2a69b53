/** What an HTTP server's refusal, or its silence, most likely means, and what to do about it. */
import { line } from "./clean.js"
import { shorten } from "./layout.js"
import type { ServerAt } from "./server-at.js"
import type { Trouble } from "./trouble.js"
import type { Exchanged } from "./web.js"

interface Reading {
  /** What it looks like, as a sentence without its end. */
  readonly looks: string
  readonly remedy: string
}

/** The same trouble, with what it looks like and what to do, where HTTP is what went wrong. */
export function onTheWeb(
  trouble: Trouble,
  exchanges: ReadonlyArray<Exchanged> | undefined,
  at: ServerAt | undefined
): Trouble {
  if (exchanges === undefined || at?._tag !== "Address") return trouble
  // What the server said by an error of the protocol speaks for itself.
  if (trouble.remedy !== undefined || trouble.code !== undefined) return trouble
  if (trouble.exit !== "unopened" && trouble.exit !== "refused") return trouble
  const reading = readingOf(exchanges, at.url)
  if (reading === undefined) return trouble
  const { looks, remedy } = reading
  return { ...trouble, message: `${looks}. In detail: ${trouble.message}`, remedy }
}

/** By the last message that went out; nothing when that went well. */
function readingOf(exchanges: ReadonlyArray<Exchanged>, url: string): Reading | undefined {
  const wrong = exchanges.findLast(({ verb }) => verb === "POST")
  if (wrong === undefined || !isWrong(wrong)) return undefined
  const { status, failure } = wrong
  if (failure !== undefined) return ofFailure(failure, new URL(url))
  if (status === 401) return login(wrong.challenge)
  // A page is for people: whoever sent it is no server of this kind.
  if (wrong.type === "text/html") return page(status!, new URL(url))
  return byStatus[status!] ?? (status! >= 500 ? broken : undefined)
}

const isWrong = ({ status, type, failure }: Exchanged): boolean =>
  failure !== undefined || (status !== undefined && (status >= 400 || type === "text/html"))

function ofFailure({ code, words }: NonNullable<Exchanged["failure"]>, { hostname, host, protocol }: URL): Reading {
  const kind = failures.find(({ of }) => of.test(code) || of.test(words))
  return kind === undefined
    ? { looks: `no answer came from ${host} (${shorten(line(words), 200)})`, remedy: "see that the address is right" }
    : { looks: kind.looks(hostname, host, code), remedy: kind.remedy(protocol) }
}

interface Kind {
  readonly of: RegExp
  readonly looks: (name: string, host: string, code: string) => string
  readonly remedy: (protocol: string) => string
}

const failures: ReadonlyArray<Kind> = [
  {
    of: /^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/,
    looks: (name, _, code) => `the name ${name} is not known (DNS: ${code})`,
    remedy: () => "check the spelling, and whether the name is known only inside some network"
  },
  {
    of: /^ECONNREFUSED$/,
    looks: (_, host) => `nothing listens at ${host} (connection refused)`,
    remedy: () => "start the server, or see that this is its port"
  },
  {
    of: /wrong version number|ERR_SSL_WRONG_VERSION|ERR_SSL_PACKET_LENGTH|http request/i,
    looks: (_, host) => `${host} does not speak TLS there`,
    remedy: () => "try the address with http://"
  },
  {
    of: /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS|DEPTH_ZERO|self-signed/,
    looks: (_, host, code) => `the certificate of ${host} is not trusted (${code})`,
    remedy: () => "have NODE_EXTRA_CA_CERTS name the file of the authority that signed it, or mend the certificate"
  },
  {
    of: /EPROTO|SSL|TLS/,
    looks: (_, host, code) => `TLS with ${host} could not be agreed on (${code})`,
    remedy: () => "see that the port is right, and whether the server wants a certificate of the client"
  },
  {
    of: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_\w+)$/,
    looks: (_, host, code) => `${host} cut the connection without an answer (${code})`,
    remedy: (protocol) =>
      protocol === "http:"
        ? "try the address with https://, if the server speaks TLS there"
        : "see the server's own log"
  },
  {
    of: /TIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH/,
    looks: (_, host, code) => `${host} can not be reached (${code})`,
    remedy: () => "see that the address is right; a firewall, or a proxy that is wanted, may be in the way"
  }
]

/** RFC 9110 11.6.1 and RFC 9728: what the login is to be like. */
function login(challenge: string | undefined): Reading {
  const told = challenge === undefined ? "" : line(challenge)
  const [scheme] = told.split(" ")
  const wants = ["realm", "scope", "error", "error_description", "resource_metadata"].flatMap((name) => {
    const value = new RegExp(`\\b${name}="([^"]{1,300})"`).exec(told)?.[1]
    return value === undefined ? [] : [`${name.replaceAll("_", " ")}: ${value}`]
  })
  const kind =
    scheme === "" || scheme === undefined ? "and does not say of which kind" : `of the kind ${shorten(scheme, 40)}`
  const more = wants.length === 0 ? "" : ` (${wants.join("; ")})`
  const basic = /^basic$/i.test(scheme ?? "")
  return {
    looks: `the server wants a login, ${kind}${more}`,
    remedy: basic
      ? 'give one by --header "Authorization: Basic <user:password in Base64>"'
      : 'give a token by --header "Authorization: Bearer $TOKEN", or --header @file; this program gets none by itself'
  }
}

function page(status: number, { pathname }: URL): Reading {
  if (status === 404)
    return { looks: `there is a web server, and nothing at ${pathname}`, remedy: byStatus[404]!.remedy }
  return {
    looks: `a web page came (HTTP ${status}), not a message: that is a proxy's or a login's page, or the path is another`,
    remedy: "open the address in a browser to see who answers; the path is often /mcp"
  }
}

const broken: Reading = {
  looks: "the server, or a proxy before it, failed",
  remedy: "see the server's own log; a proxy says 502, 503 or 504 when the server behind it is not there"
}

const byStatus: { readonly [status: number]: Reading } = {
  400: {
    looks: "the server refused the message itself",
    remedy: "see with --verbose what it says; --revision 2025-06-18, or another, may suit it"
  },
  403: {
    looks: "the server refuses this host, this origin or these credentials",
    remedy:
      "a server on this machine goes by the name in the address (its allowed hosts and origins): try localhost, or the name it is configured with; else the login is not for this"
  },
  404: {
    looks: "nothing is there: the path looks wrong",
    remedy: "see at which path the server answers; it is often /mcp, or /sse for older ones"
  },
  405: {
    looks: "something is there that takes no POST: the path looks wrong",
    remedy: "see at which path the server answers; it is often /mcp"
  },
  406: {
    looks: "the server answers in neither of the two ways that a client takes",
    remedy: "this is a mistake of the server's"
  },
  407: { looks: "a proxy wants a login", remedy: "reach the server without the proxy" },
  413: { looks: "the message is too large for the server", remedy: "send less, or raise the server's limit" },
  415: {
    looks: "the server takes no JSON there: the path looks wrong",
    remedy: "see at which path the server answers; it is often /mcp"
  },
  421: { looks: "the server is not there for the name in the address", remedy: "use the name it is configured with" },
  429: { looks: "the server is asked too often", remedy: "wait, and try again" },
  502: broken,
  503: broken,
  504: broken
}
