/** Reads the command line into what is wished for, or says in words what is wrong with it. */
import type { LoggingLevel, Revision } from "@parley/core"
import { revisionNamed, revisions as spoken } from "@parley/core/revisions"
import { statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import type { Declared } from "./declared.js"
import { declaredBy } from "./declared.js"
import type { Option } from "./options.js"
import { options, verbs } from "./options.js"
import type { ServerAt } from "./server-at.js"
import { addressOf, headersOf, isAddress, isSocket } from "./server-at.js"
import { Stop } from "./trouble.js"

export type Verb =
  | { readonly _tag: "Inspect" }
  | { readonly _tag: "Call"; readonly tool: string; readonly input: ReadonlyArray<string> }
  | { readonly _tag: "Read"; readonly uri: string }
  | { readonly _tag: "Prompt"; readonly prompt: string; readonly input: ReadonlyArray<string> }
  | { readonly _tag: "Complete"; readonly of: string; readonly argument: string; readonly value: string }
  | { readonly _tag: "Bridge" }

export interface Wishes {
  readonly verb: Verb
  readonly at: ServerAt
  readonly json: boolean
  readonly full: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly unchecked: boolean
  readonly raw: boolean
  readonly probe: boolean
  /** Those that may be agreed on: all, or the one that was named with the others that its server may answer. */
  readonly revisions: ReadonlyArray<Revision>
  readonly prefer: "newest" | "oldest"
  readonly declared: Declared
  readonly allowSampling: boolean
  readonly roots: ReadonlyArray<{ readonly uri: string; readonly name: string }>
  readonly timeoutMs: number
  readonly logLevel: LoggingLevel | undefined
  readonly listening: Listening
}

/** Where a bridge is reached. */
export interface Listening {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly path: string | undefined
  readonly origins: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
}

/** @throws Stop when it can not be read */
export function read(argv: ReadonlyArray<string>, env: Readonly<Record<string, string | undefined>>): Wishes {
  const cut = argv.indexOf("--")
  const { values, positionals } = parsed(cut < 0 ? argv : argv.slice(0, cut))
  // Without a command the last word is the server's, where it is an address.
  const server = cut >= 0 ? argv.slice(cut + 1) : isAddress(positionals.at(-1)) ? [positionals.pop()!] : []
  const verb = verbOf(positionals)
  const strange = Object.entries(options).find(
    ([name, { of }]: [string, Option]) => of !== undefined && of !== positionals[0] && name in values
  )
  if (strange !== undefined)
    throw wrong(`--${strange[0]} is for ${(strange[1] as Option).of}, not for ${positionals[0]}`)
  if (values.raw === true && values.json === true) throw wrong("--raw and --json do not go together")
  const at = serverAt(server, values, env)
  unfit(positionals[0]!, at, values)
  const roots = (values.root ?? []).map(rootOf)
  const allowSampling = values["allow-sampling"] === true
  return {
    verb,
    at,
    json: values.json === true,
    full: values.full === true,
    quiet: values.quiet === true,
    verbose: values.verbose === true,
    unchecked: values.unchecked === true,
    raw: values.raw === true,
    probe: values.probe === true,
    revisions: revisionsOf(values.revision),
    prefer: preferOf(values.prefer, values.revision),
    declared: declaredBy(values["client-capabilities"], { sampling: allowSampling, roots: roots.length > 0 }),
    allowSampling,
    roots,
    timeoutMs: timeoutOf(values.timeout),
    logLevel: levelOf(values["log-level"]),
    listening: {
      port: portOf(values.port),
      host: values.host,
      path: pathOf(values.path),
      origins: values["allow-origin"] ?? [],
      hosts: values["allow-host"] ?? []
    }
  }
}

type Values = ReturnType<typeof parsed>["values"]

function serverAt(
  [first, ...args]: ReadonlyArray<string>,
  values: Values,
  env: Readonly<Record<string, string | undefined>>
): ServerAt {
  if (first === undefined || first === "") throw wrong(SERVERLESS)
  if (isAddress(first)) {
    if (args.length > 0) throw wrong("An address stands alone: nothing comes after it")
    return { _tag: "Address", url: addressOf(first), headers: headersOf(values.header ?? []) }
  }
  const given = Object.fromEntries((values.env ?? []).map((one) => variable(one, env)))
  return { _tag: "Command", command: first, args, env: given, cwd: values.cwd }
}

/** Options that come to nothing with this verb, or with a server that is where this one is. */
function unfit(verb: string, at: ServerAt, values: Values): void {
  for (const [name, option] of Object.entries<Option>(options)) {
    if (!(name in values)) continue
    if (verb === "bridge" && option.bridges !== true)
      throw wrong(`--${name} is not for bridge, which asks for nothing itself`)
    // What a bridge listens on is for servers behind a WebSocket as well.
    if (option.of === "bridge" && isSocket(at)) continue
    if (option.at !== undefined && option.at !== at._tag)
      throw wrong(
        `--${name} is for a server ${at._tag === "Command" ? "that has an address" : "that is started by a command"}`
      )
  }
}

function parsed(args: ReadonlyArray<string>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    // The first sentence says it; what follows explains `--` for those who have none.
    const [what] = (error as Error).message.split(/\. /)
    throw wrong(what!)
  }
}

function verbOf([name, ...rest]: ReadonlyArray<string>): Verb {
  switch (name) {
    case "inspect":
      atMost(rest, 0, "inspect", "nothing before the server")
      return { _tag: "Inspect" }
    case "bridge":
      atMost(rest, 0, "bridge", "nothing before the server")
      return { _tag: "Bridge" }
    case "call":
      return { _tag: "Call", tool: needed(rest[0], "call", "the name of a tool"), input: rest.slice(1) }
    case "read":
      atMost(rest, 1, "read", "one URI")
      return { _tag: "Read", uri: needed(rest[0], "read", "the URI of a resource") }
    case "prompt":
      return { _tag: "Prompt", prompt: needed(rest[0], "prompt", "the name of a prompt"), input: rest.slice(1) }
    case "complete":
      atMost(rest, 3, "complete", "a prompt or template, an argument and a value")
      return {
        _tag: "Complete",
        of: needed(rest[0], "complete", "the name of a prompt, or a resource template"),
        argument: needed(rest[1], "complete", "the name of an argument"),
        value: rest[2] ?? ""
      }
    case undefined:
      throw wrong(`What shall it do: ${Object.keys(verbs).join(", ")}?`)
    default:
      throw wrong(`There is no verb ${JSON.stringify(name)}; there are ${Object.keys(verbs).join(", ")}`)
  }
}

function needed(value: string | undefined, verb: string, what: string): string {
  if (value === undefined || value === "") throw wrong(`${verb} needs ${what}`)
  return value
}

function atMost(rest: ReadonlyArray<string>, most: number, verb: string, what: string): void {
  if (rest.length <= most) return
  throw wrong(`${verb} takes ${what}, and got ${most === 0 ? JSON.stringify(rest[0]) : `${rest.length} words`}`)
}

function revisionsOf(given: string | undefined): ReadonlyArray<Revision> {
  if (given === undefined) return spoken
  const first = revisionNamed(given)
  const names = spoken.map(({ name }) => name).join(", ")
  if (first === undefined) throw wrong(`--revision ${given} is not spoken here; spoken are ${names}`)
  return [first, ...spoken.filter((one) => one !== first && one.opening === first.opening)]
}

function preferOf(given: string | undefined, revision: string | undefined): "newest" | "oldest" {
  if (given !== undefined && revision !== undefined) throw wrong("--prefer and --revision do not go together")
  if (given === undefined || given === "newest" || given === "oldest") return given ?? "newest"
  throw wrong(`--prefer takes newest or oldest, and got ${given}; --revision names a version`)
}

function timeoutOf(given: string | undefined): number {
  if (given === undefined) return 60_000
  const ms = Number(given)
  if (!Number.isSafeInteger(ms) || ms <= 0) throw wrong(`--timeout takes milliseconds, such as 5000, and got ${given}`)
  return ms
}

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const

function levelOf(given: string | undefined): LoggingLevel | undefined {
  const level = levels.find((one) => one === given)
  if (given !== undefined && level === undefined)
    throw wrong(`--log-level takes ${levels.join(", ")}, and got ${given}`)
  return level
}

function rootOf(given: string): { readonly uri: string; readonly name: string } {
  const path = resolve(given)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw wrong(`--root ${given} is no folder`)
  return { uri: pathToFileURL(path).href, name: basename(path) || path }
}

function variable(given: string, env: Readonly<Record<string, string | undefined>>): [string, string] {
  const at = given.indexOf("=")
  const name = at < 0 ? given : given.slice(0, at)
  const value = at < 0 ? env[name] : given.slice(at + 1)
  if (name === "" || value === undefined)
    throw wrong(`--env ${given}: this variable is not set here; give it a value, --env ${name}=value`)
  return [name, value]
}

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw wrong(`--port takes a number up to 65535, and got ${given}`)
  return Number(given)
}

function pathOf(given: string | undefined): string | undefined {
  if (given === undefined || /^\/[^?#\s]*$/.test(given)) return given
  throw wrong(`--path takes a path that begins with /, such as /mcp, and got ${given}`)
}

const wrong = (message: string): Stop => new Stop("usage", message, "parley --help tells what there is")

const SERVERLESS =
  "The server is missing. It comes last: its address, such as parley inspect http://localhost:3000/mcp, or after -- the command that starts it, such as parley inspect -- npx -y some-server"
