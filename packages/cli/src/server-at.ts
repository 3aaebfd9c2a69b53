/** Where the server is: a command that starts it, or an address, with the headers that it wants. */
import { readFileSync } from "node:fs"
import { Stop } from "./trouble.js"

export type ServerAt =
  | {
      readonly _tag: "Command"
      readonly command: string
      readonly args: ReadonlyArray<string>
      readonly env: Readonly<Record<string, string | undefined>>
      readonly cwd: string | undefined
    }
  /** `headers` may be secrets: they are never printed. */
  | { readonly _tag: "Address"; readonly url: string; readonly headers: Readonly<Record<string, string>> }

export const isAddress = (word: string | undefined): word is string => /^(http|ws)s?:/i.test(word ?? "")

/** Whether it is reached by a WebSocket. */
export const isSocket = (at: ServerAt): boolean => at._tag === "Address" && at.url.startsWith("ws")

/** How a person is told of it. What an address asks for may hold a key, and is left out. */
export function spelledOut(at: ServerAt): string {
  if (at._tag === "Command") return [at.command, ...at.args].map(quoted).join(" ")
  const { origin, pathname, search } = new URL(at.url)
  return `${origin}${pathname}${search === "" ? "" : "?…"}`
}

const quoted = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))

/** @throws Stop where it is no address to ask; what might be a password is not repeated */
export function addressOf(word: string): string {
  if (!URL.canParse(word)) throw wrong("The server's address can not be read: it is such as http://localhost:3000/mcp")
  const { username, password, href } = new URL(word)
  if (username !== "" || password !== "")
    throw wrong('An address takes no user and password: give them by --header "Authorization: Basic ..."')
  return href
}

/** `Name: value` each, or `@file` with one such line for each. @throws Stop by the header's name: its value may be a secret */
export function headersOf(given: ReadonlyArray<string>): Readonly<Record<string, string>> {
  const headers = new Headers()
  for (const one of given) for (const line of one.startsWith("@") ? linesOf(one.slice(1)) : [one]) add(headers, line)
  return Object.fromEntries(headers)
}

function linesOf(path: string): ReadonlyArray<string> {
  try {
    return readFileSync(path, "utf8")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !line.startsWith("#"))
  } catch (error) {
    throw wrong(`--header @${path} can not be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
}

function add(headers: Headers, line: string): void {
  const at = line.indexOf(":")
  const name = line.slice(0, Math.max(at, 0)).trim()
  if (at <= 0 || !token.test(name)) throw wrong('--header takes "Name: value", and got something without a name')
  if (protocols.has(name.toLowerCase())) throw wrong(`--header ${name} is set by the protocol itself`)
  const value = line.slice(at + 1).trim()
  if (value === "") throw wrong(`--header ${name} has no value; is the variable set that it comes from?`)
  if (/^bearer$/i.test(value)) throw wrong(`--header ${name} has no token; is the variable set that it comes from?`)
  try {
    headers.append(name, value)
  } catch {
    throw wrong(`--header ${name} has a value that no header can have`)
  }
}

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

const protocols: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "content-length",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
  "last-event-id",
  "connection",
  "upgrade",
  "sec-websocket-extensions",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version"
])

const wrong = (message: string): Stop => new Stop("usage", message, "parley --help tells what there is")
