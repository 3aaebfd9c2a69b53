/** The command's verbs and options, from which the command line is read and the help text is printed. */

export const verbs = {
  inspect: ["", "show what the server is and has, on one page"],
  call: ["<tool> [arguments]", "call a tool and print what it answers"],
  read: ["<uri>", "print a resource"],
  prompt: ["<name> [arguments]", "print the messages of a prompt"],
  complete: ["<prompt or template> <argument> [value]", "suggest values for an argument"],
  bridge: [
    "",
    "make a server that is started by a command reachable over HTTP, or one that has an address on standard streams"
  ]
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
  /** Whether `bridge` takes it too: it asks for nothing itself. */
  readonly bridges?: true
  /** Of which kind the server must be. */
  readonly at?: "Command" | "Address"
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
  json: { type: "boolean", bridges: true, help: "print one JSON document on stdout, and nothing else there" },
  full: { type: "boolean", help: "cut nothing short" },
  quiet: { type: "boolean", bridges: true, short: "q", help: "no logs and no progress on stderr" },
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
  header: {
    type: "string",
    bridges: true,
    at: "Address",
    multiple: true,
    value: "Name: value",
    help: 'a header for every request, such as "Authorization: Bearer ..."; or @file with one on each line; may be repeated. It is never printed'
  },
  env: {
    type: "string",
    bridges: true,
    at: "Command",
    multiple: true,
    value: "name[=value]",
    help: "a variable for the server, without a value the one set here; only PATH, HOME and the like are passed on by themselves"
  },
  cwd: { type: "string", bridges: true, at: "Command", value: "dir", help: "the server's working directory" },
  unchecked: { type: "boolean", of: "call", help: "call: do not hold arguments and answer against the tool's schemas" },
  raw: { type: "boolean", of: "read", help: "read: the contents as they are, byte by byte" },
  probe: {
    type: "boolean",
    of: "inspect",
    help: "inspect: ask for undeclared lists too, which a client may not do, and say what came"
  },
  port: {
    type: "string",
    of: "bridge",
    bridges: true,
    at: "Command",
    value: "number",
    help: "bridge: the port; any that is free by default"
  },
  host: {
    type: "string",
    of: "bridge",
    bridges: true,
    at: "Command",
    value: "name",
    help: "bridge: the address to listen on; localhost by default, which only this machine reaches"
  },
  path: {
    type: "string",
    of: "bridge",
    bridges: true,
    at: "Command",
    value: "path",
    help: "bridge: the path that is answered; /mcp by default"
  },
  "allow-origin": {
    type: "string",
    of: "bridge",
    bridges: true,
    at: "Command",
    multiple: true,
    value: "origin",
    help: "bridge: a web site whose pages may ask, such as https://app.example.com; may be repeated. By default those of this machine"
  },
  "allow-host": {
    type: "string",
    of: "bridge",
    bridges: true,
    at: "Command",
    multiple: true,
    value: "name",
    help: "bridge: a name by which clients may reach it, such as mcp.example.com; may be repeated. By default the names of this machine for itself"
  },
  help: { type: "boolean", bridges: true, short: "h", help: "print this" },
  version: { type: "boolean", bridges: true, help: "print the version" }
} as const satisfies Readonly<Record<string, Option>>
