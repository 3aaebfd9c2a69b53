/** Opens a connection: by `ws` in Node, elsewhere by the platform's own WebSocket. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { WebSocket as Ws } from "ws"
import type { Line } from "../line/line.js"
import { NodeLine } from "../line/node-line.js"
import { WebLine } from "../line/web-line.js"
import { readable } from "../line/codes.js"
import { carrying, subprotocol } from "../line/offers.js"
import type { Settings } from "./options.js"
import { sound, soundToken } from "./options.js"

/** `lasting`: it is no use to try again. */
export class Unopened extends Error {
  readonly lasting: boolean
  constructor(message: string, lasting = false) {
    super(message)
    this.lasting = lasting
  }
}

/** `make` is called in the moment in which the line is open, before anything comes of it. Rejects `Unopened`. */
export async function dial<A>(
  address: URL,
  settings: Settings,
  make: (line: Line) => A,
  signal: AbortSignal
): Promise<A> {
  const headers = sound(typeof settings.headers === "function" ? await settings.headers() : settings.headers)
  const given = typeof settings.token === "function" ? await settings.token() : settings.token
  const token = given === undefined ? undefined : soundToken(given)
  if (signal.aborted) throw new Unopened("it was closed before")
  const platform = platformOf()
  if (platform === "page") {
    if (Object.keys(headers).length > 0) throw new Unopened(headless, true)
    const protocols = token === undefined ? [subprotocol] : [subprotocol, carrying(token)]
    return byPlatform(() => new WebSocket(address.href, protocols), settings, make, signal)
  }
  const all = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  if (platform === "node") {
    const { WebSocket: Socket } = await import("ws")
    return byWs(Socket, address, settings, all, make, signal)
  }
  const Headed = WebSocket as unknown as new (url: string, options: object) => WebSocket
  return byPlatform(() => new Headed(address.href, { headers: all, protocols: [subprotocol] }), settings, make, signal)
}

/** `headed`: the platform's own, which takes headers. */
export function platformOf(): "node" | "headed" | "page" {
  if ("Bun" in globalThis || "Deno" in globalThis) return "headed"
  const { process } = globalThis as { readonly process?: { readonly release?: { readonly name?: string } } }
  // Workers may have a process as well.
  return process?.release?.name === "node" && !("WebSocketPair" in globalThis) ? "node" : "page"
}

export const headless =
  "a page can not send headers with a WebSocket: give a token, which goes as a subprotocol, or have the server know the page otherwise"

function byWs<A>(
  Socket: typeof Ws,
  address: URL,
  { openMs, closeMs, maxMessageBytes }: Settings,
  headers: Readonly<Record<string, string>>,
  make: (line: Line) => A,
  signal: AbortSignal
): Promise<A> {
  // The declarations are of an older version, and do not have it.
  const undeclared = { closeTimeout: closeMs }
  return new Promise((resolve, reject) => {
    const socket = new Socket(address, [subprotocol], {
      headers,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: Math.min(maxMessageBytes, longest),
      handshakeTimeout: Math.min(openMs, longest),
      ...undeclared
    })
    let below: Duplex | undefined
    const cut = (): void => socket.terminate()
    signal.addEventListener("abort", cut, { once: true })
    socket.on("upgrade", ({ socket: it }: IncomingMessage) => (below = it))
    socket.on("unexpected-response", (_, response: IncomingMessage) => {
      void refusal(response).then((error) => {
        reject(error)
        socket.terminate()
      })
    })
    socket.on("error", (error: Error) => {
      signal.removeEventListener("abort", cut)
      reject(/subprotocol/i.test(error.message) ? new Unopened(choosy, true) : new Unopened(inWords(error, openMs)))
    })
    socket.on("open", () => {
      signal.removeEventListener("abort", cut)
      resolve(make(new NodeLine(socket, maxMessageBytes, below)))
    })
  })
}

const longest = 2 ** 31 - 1

const choosy = `the server did not choose the subprotocol "${subprotocol}": whatever it speaks, it is not this protocol`

/** What it answered in place of opening the connection. */
async function refusal(response: IncomingMessage): Promise<Unopened> {
  const status = response.statusCode ?? 0
  let body = ""
  response.setEncoding("utf8")
  response.on("error", () => {})
  const timer = setTimeout(() => response.destroy(), 1_000)
  try {
    for await (const text of response as AsyncIterable<string>) if ((body += text).length > 2_000) break
  } catch {
    // What came of it has to do.
  }
  clearTimeout(timer)
  const said = readable(told(body)).trim()
  const { location } = response.headers
  const more =
    location !== undefined ? `: it is at ${readable(address(location)).slice(0, 200)}` : said === "" ? "" : `: ${said}`
  const passing = status >= 500 || status === 408 || status === 429
  return new Unopened(`the server answered HTTP ${status} instead of opening a WebSocket${more}`, !passing)
}

/** What comes after the path may be a secret. */
const address = (location: string): string => location.replace(/[?#].*$/s, "")

/** A page is for people. */
function told(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: string | { readonly message?: string } }
    const said: unknown = typeof error === "object" ? error.message : error
    return typeof said === "string" ? said.slice(0, 300) : ""
  } catch {
    return /^\s*</.test(body) ? "" : body.trim().slice(0, 300)
  }
}

function inWords(error: Error, openMs: number): string {
  if (/handshake has timed out/.test(error.message)) return `the server did not open it within ${openMs} ms`
  const { code, errors } = error as NodeJS.ErrnoException & { readonly errors?: ReadonlyArray<Error> }
  // Where several addresses were tried, each has its own.
  const message = error.message || errors?.[0]?.message || code || "no answer came"
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

/** A page learns nothing of why it could not be opened. */
function byPlatform<A>(
  begin: () => WebSocket,
  { openMs, maxMessageBytes }: Settings,
  make: (line: Line) => A,
  signal: AbortSignal
): Promise<A> {
  return new Promise((resolve, reject) => {
    let socket: WebSocket
    try {
      socket = begin()
    } catch (error) {
      return reject(new Unopened((error as Error).message, true))
    }
    const cut = (): void => socket.close()
    const timer = setTimeout(
      () => {
        reject(new Unopened(`the server did not open it within ${openMs} ms`))
        cut()
      },
      Math.min(openMs, longest)
    )
    const free = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", cut)
    }
    signal.addEventListener("abort", cut, { once: true })
    socket.addEventListener("error", () => {
      free()
      reject(new Unopened("it could not be opened: the server is not there, or refused it; the platform says no more"))
    })
    socket.addEventListener("close", ({ code }) => {
      free()
      reject(new Unopened(`it was closed before it was open (${code})`))
    })
    socket.addEventListener("open", () => {
      free()
      if (socket.protocol !== subprotocol) {
        socket.close(1000)
        return reject(new Unopened(choosy, true))
      }
      resolve(make(new WebLine(socket, maxMessageBytes)))
    })
  })
}
