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
import { Stop } from "./trouble.js"

export type Verb =
  | { readonly _tag: "Inspect" }
  | { readonly _tag: "Call"; readonly tool: string; readonly input: ReadonlyArray<string> }
  | { readonly _tag: "Read"; readonly uri: string }
  | { readonly _tag: "Prompt"; readonly prompt: string; readonly input: ReadonlyArray<string> }
  | { readonly _tag: "Complete"; readonly of: string; readonly argument: string; readonly value: string }

export interface Wishes {
  readonly verb: Verb
  readonly command: string
  readonly args: ReadonlyArray<string>
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
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string | undefined
}

/** @throws Stop when it can not be read */
export function read(argv: ReadonlyArray<string>, env: Readonly<Record<string, string | undefined>>): Wishes {
  const cut = argv.indexOf("--")
  const { values, positionals } = parsed(cut < 0 ? argv : argv.slice(0, cut))
  const verb = verbOf(positionals)
  const strange = Object.entries(options).find(
    ([name, { of }]: [string, Option]) => of !== undefined && of !== positionals[0] && name in values
  )
  if (strange !== undefined)
    throw wrong(`--${strange[0]} is for ${(strange[1] as Option).of}, not for ${positionals[0]}`)
  if (values.raw === true && values.json === true) throw wrong("--raw and --json do not go together")
  const [command, ...args] = cut < 0 ? [] : argv.slice(cut + 1)
  if (command === undefined || command === "") throw wrong(COMMANDLESS)
  const roots = (values.root ?? []).map(rootOf)
  const allowSampling = values["allow-sampling"] === true
  return {
    verb,
    command,
    args,
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
    env: Object.fromEntries((values.env ?? []).map((given) => variable(given, env))),
    cwd: values.cwd
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
      if (rest.length > 0) throw wrong(`inspect takes nothing before the --, and got ${JSON.stringify(rest[0])}`)
      return { _tag: "Inspect" }
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
  if (rest.length > most) throw wrong(`${verb} takes ${what}, and got ${rest.length} words`)
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

const wrong = (message: string): Stop => new Stop("usage", message, "parley --help tells what there is")

const COMMANDLESS =
  "The command that starts the server is missing. It comes last, after --, such as: parley inspect -- npx -y some-server"
