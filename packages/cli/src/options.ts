/** The command's verbs and options, from which the command line is read and the help text is printed. */

export const verbs = {
  inspect: ["", "show what the server is and has, on one page"],
  call: ["<tool> [arguments]", "call a tool and print what it answers"],
  read: ["<uri>", "print a resource"],
  prompt: ["<name> [arguments]", "print the messages of a prompt"],
  complete: ["<prompt or template> <argument> [value]", "suggest values for an argument"]
} as const

export interface Option {
  readonly type: "boolean" | "string"
  readonly short?: string
  readonly multiple?: boolean
  /** How its value is called. */
  readonly value?: string
  readonly help: string
  /** The only verb that takes it. */
  readonly of?: keyof typeof verbs
}

/** The capabilities that this client can declare. */
export const promises: ReadonlyArray<string> = [
  "elicitation",
  "elicitation.form",
  "elicitation.url",
  "sampling",
  "sampling.tools",
  "sampling.context",
  "roots",
  "roots.listChanged"
]

export const options = {
  json: { type: "boolean", help: "print one JSON document on stdout, and nothing else there" },
  full: { type: "boolean", help: "cut nothing short" },
  quiet: { type: "boolean", short: "q", help: "no logs and no progress on stderr" },
  verbose: { type: "boolean", short: "v", help: "every message as it goes, and the server's stderr, on stderr" },
  revision: {
    type: "string",
    value: "date",
    help: "the protocol version to open with; a server that is opened by initialize may answer another such version"
  },
  prefer: {
    type: "string",
    value: "newest|oldest",
    help: "which version to agree on where both sides speak several; newest by default"
  },
  "client-capabilities": {
    type: "string",
    value: "list",
    help: "what to declare: elicitation.form, elicitation.url, sampling, sampling.tools, sampling.context, roots, roots.listChanged; none; or the JSON object. By default elicitation in both kinds"
  },
  "allow-sampling": { type: "boolean", help: "declare sampling, and have you write the model's answers" },
  root: { type: "string", multiple: true, value: "dir", help: "a folder the server may know of; may be repeated" },
  timeout: {
    type: "string",
    value: "ms",
    help: "how long one answer may take, without the time you take for questions; 60000 by default. Progress restarts it, up to ten times as long in all"
  },
  "log-level": { type: "string", value: "level", help: "ask the server to log from this level on, debug to emergency" },
  env: {
    type: "string",
    multiple: true,
    value: "name[=value]",
    help: "a variable for the server, without a value the one set here; only PATH, HOME and the like are passed on by themselves"
  },
  cwd: { type: "string", value: "dir", help: "the server's working directory" },
  unchecked: { type: "boolean", of: "call", help: "call: do not hold arguments and answer against the tool's schemas" },
  raw: { type: "boolean", of: "read", help: "read: the contents as they are, byte by byte" },
  probe: {
    type: "boolean",
    of: "inspect",
    help: "inspect: ask for undeclared lists too, which a client may not do, and say what came"
  },
  help: { type: "boolean", short: "h", help: "print this" },
  version: { type: "boolean", help: "print the version" }
} as const satisfies Readonly<Record<string, Option>>
