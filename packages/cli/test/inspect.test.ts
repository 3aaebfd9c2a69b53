/** `parley inspect` against servers as real processes. */
import { describe, expect, it } from "vitest"
import { fixture, obeyed, official, parley, script, timeless } from "./stage.js"

describe("inspect shows a server of", () => {
  it("the official SDK 1.x, whole", async () => {
    const { code, stdout, stderr } = await parley(["inspect", ...fixture("sdk-1")])
    expect(stderr).toBe("")
    expect(timeless(stdout)).toBe(`sdk-1 1.0.0
started by node sdk-1.mjs
speaks 2025-11-25, opened by initialize · open in N ms · nothing looks off

Opening
  It refused server/discover (error -32601 Method not found), and answered initialize.
 N ms  → server/discover            asks in 2026-07-28, declares elicitation
 N ms  ← error                      -32601 Method not found
 N ms  → initialize                 asks for 2025-11-25, declares elicitation
 N ms  ← result                     2025-11-25, sdk-1 1.0.0, declares tools, resources, prompts
 N ms  → notifications/initialized

Instructions
  Ask for dinner.

Capabilities
  tools      listChanged
  resources  listChanged
  prompts    listChanged
  not declared: completions, logging

Tools  3 · N ms
  add  Adder  only reads
    Adds two numbers
    a  number  required
    b  number            default 2
    gives
      sum  number  required

  dinner
    Asks how many come
    takes no arguments

  fail
    Fails
    takes no arguments

Resources  1 · N ms
  dinner://menu  menu  text/plain

Resource templates  1 · N ms
  dinner://dish/{name}  dish

Prompts  1 · N ms
  invite
    Invites
    who  required
`)
    expect(code).toBe(0)
  })

  it.each([
    ["the official SDK 2.x", "sdk-2", "2025-11-25, opened by initialize"],
    ["the official SDK 2.x for both kinds of client", "sdk-2-eras", "2026-07-28, opened by server/discover"],
    ["tmcp", "tmcp", "2026-07-28, opened by server/discover"],
    ["Effect", "effect", "2025-11-25, opened by initialize"]
  ])("%s", async (_, name, version) => {
    const { code, stdout } = await parley(["inspect", ...fixture(name)])
    expect(stdout).toContain(`speaks ${version}`)
    expect(stdout).toMatch(
      /\n {2}add.*\n {4}Adds two numbers\n {4}a {2}number {2}required\n {4}b {2}number {2}required\n/
    )
    expect(stdout).toContain("not declared: resources, prompts")
    expect(code).toBe(0)
  })

  it.each([
    [
      "server-everything",
      [],
      ["trigger-elicitation-request", "demo://resource/dynamic/text/{resourceId}", "completable-prompt"]
    ],
    ["server-filesystem", ["/"], ["read_text_file", "only reads", "path"]],
    ["server-memory", [], ["create_entities", "observations", "string[]"]],
    ["server-sequential-thinking", [], ["nextThoughtNeeded", "boolean | string", "integer ≥ 1"]]
  ] as const)("%s", async (name, args, parts) => {
    const { code, stdout } = await parley(["inspect", ...official(name, ...args)])
    for (const part of parts) expect(stdout).toContain(part)
    expect(stdout).toContain("speaks 2025-11-25, opened by initialize")
    for (const text of stdout.split("\n")) expect(text.length).toBeLessThanOrEqual(100)
    expect(code).toBe(0)
  })
})

describe("inspect says what is off", () => {
  it("about a server that gets everything wrong, and prints nothing a terminal would obey", async () => {
    const { code, stdout } = await parley(["inspect", "--probe", ...fixture("hostile")])
    expect(stdout).not.toMatch(obeyed)
    expect(timeless(stdout)).toContain(`
Remarks
  ✗ Capability resources is of the wrong type, and counts as not declared: it is an object, an empty
    one if there is nothing to say.
  ✗ Capability prompts.listChanged is of the wrong type, and counts as not declared: it is true or
    false.
  ✗ One of the tools is malformed and was left out: inputSchema: expected an object in
    {"name":"bad"}
  ✗ One of the tools is malformed and was left out: name: expected a string in
    {"name":5,"inputSchema":{"type":"object"}}
  ✗ Resources were answered (1) that were not declared: clients will not ask for them. Declare the
    capability.
  ✗ The prompts were declared, and can not be listed: prompts/list was answered with error -32603:
    boom
  ✗ There are several tools called dup: only one of them can be called.
  ✗ 2 lines on its stdout were no JSON: stdout is for messages, logs belong on stderr. The first:
    "Welcome banner"
  ✗ It sent roots/list, which was refused: Method not found: roots/list needs the capability roots,
    which was not declared.
  ! It left neither at the end of its input nor on SIGTERM, and was killed.
  ! Tool a b says both that it only reads and that it may destroy.
  ! Tool a b requires an argument that its schema does not describe.
  · Asked for 2025-11-25, it answered 2024-11-05: what is newer than that is not used.
  · Capability tasks is not in 2024-11-05, and is not used.
  · A list of resource templates was answered, with nothing on it, though it was not declared.
  · Tool a b has a name that other clients may not take: letters, digits, _ - . and at most 128 of
    them are safe.
  · Each of the tools a b, dup has no description, by which models choose.
`)
    expect(code).toBe(4)
  })

  it("when tools were declared and there are none", async () => {
    const { stdout } = await parley(["inspect", ...script(answering(`{ tools: {} }`, `{ tools: [] }`))])
    expect(stdout).toContain("! It declares tools, and has none.")
  })

  it("when one list is not answered in time, and shows the others", async () => {
    const server = answering(
      `{ tools: {}, prompts: {} }`,
      `method === "tools/list" ? undefined : { prompts: [{ name: "p" }] }`
    )
    const { code, stdout } = await parley(["inspect", "--timeout", "1500", ...script(server)])
    expect(timeless(stdout)).toContain(
      "✗ The tools were declared, and can not be listed: tools/list was not answered within N ms"
    )
    expect(stdout).toContain("\n  p\n    takes no arguments\n")
    expect(code).toBe(5)
  })

  it("when nothing was declared, and sends no list request then", async () => {
    const { stdout } = await parley(["inspect", "--verbose", ...script(answering("{}", "{}"))])
    expect(stdout).toContain("! It declares no tools, resources or prompts")
  })
})

describe("inspect that comes to nothing says why:", () => {
  it("the command does not exist", async () => {
    const { code, stdout, stderr } = await parley(["inspect", "--", "no-such-command"])
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain('parley: the server (no-such-command) could not be started: "no-such-command" was not')
    expect(stderr).toContain("What to do: check the spelling, and that it is installed.")
  })

  it("the server dies at start", async () => {
    const { code, stderr } = await parley([
      "inspect",
      ...script(`console.error("API_KEY is not set"); process.exit(7)`)
    ])
    expect(code).toBe(3)
    expect(stderr).toContain("exited with code 7")
    expect(stderr).toContain("  API_KEY is not set")
    expect(stderr).toContain("--env NAME=value")
  })

  it("the server says something else on stdout and hangs", async () => {
    const { code, stderr } = await parley([
      "inspect",
      "--timeout",
      "400",
      ...script(`console.log("Listening on 3000"); setInterval(() => {}, 1000)`)
    ])
    expect(code).toBe(5)
    expect(timeless(stderr)).toBe(`parley: server/discover was not answered within N ms

What went over the wire
 N ms  → server/discover  asks in 2026-07-28, declares elicitation
 N ms  → initialize       asks for 2025-11-25, declares elicitation

What it wrote to stdout that is no message
  Listening on 3000

        What to do: give it more time with --timeout <ms>, or see with --verbose what it does.
`)
  })

  it("the server floods its stdout, of which little is kept", async () => {
    const flood = `process.stdout.on("error", () => {}); const on = () => { while (process.stdout.write("spam\\n".repeat(1000))); process.stdout.once("drain", on) }; on()`
    const { code, stderr } = await parley(["inspect", "--timeout", "500", ...script(flood)])
    expect(code).toBe(5)
    expect(stderr.match(/spam/g)!.length).toBe(5)
  })

  it("the server dies when it is asked for its tools", async () => {
    const server = answering(`{ tools: {} }`, `process.exit(4)`)
    const { code, stderr } = await parley(["inspect", ...script(server)])
    expect(code).toBe(3)
    expect(stderr).toContain("parley: tools/list was not answered: the server")
    expect(stderr).toContain("exited with code 4")
    expect(stderr).toContain("→ tools/list")
  })

  it("the server speaks no version of ours", async () => {
    const { code, stderr } = await parley(["inspect", ...script(answering("{}", "{}", "1999-01-01"))])
    expect(code).toBe(3)
    expect(stderr).toContain("The server offered version 1999-01-01 when asked for 2025-11-25")
  })
})

describe("inspect --json", () => {
  it("prints one document and nothing else", async () => {
    const { code, stdout, stderr } = await parley(["inspect", "--json", ...fixture("sdk-1")])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({
      version: { asked: "2025-11-25", inForce: "2025-11-25" },
      era: {
        opening: "handshake",
        how: "refused server/discover (error -32601 Method not found), and answered initialize",
        startedAgain: false
      },
      server: { name: "sdk-1" },
      instructions: "Ask for dinner.",
      tools: { declared: true, items: [{ name: "add" }, { name: "dinner" }, { name: "fail" }], dropped: [] },
      opening: [
        { from: "client" },
        { from: "server" },
        { from: "client" },
        { from: "server" },
        { from: "client", message: { method: "notifications/initialized" } }
      ],
      remarks: [],
      left: { code: 0, signal: null }
    })
  })

  it("prints a document also when there is no server", async () => {
    const { code, stdout } = await parley(["inspect", "--json", ...script("process.exit(9)")])
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { kind: "unopened", exitCode: 3 },
      messages: [{ message: { method: "server/discover" } }, { message: { method: "initialize" } }]
    })
  })

  it("escapes what a terminal would obey", async () => {
    const { stdout } = await parley(["inspect", "--json", ...fixture("hostile")])
    expect(stdout).not.toMatch(obeyed)
    expect(JSON.parse(stdout)).toMatchObject({ server: { name: "evil\u001b[31m\u202egnp" } })
  })
})

/** A server that opens with these capabilities, and answers every other request with one and the same. */
const answering = (capabilities: string, result: string, version = "2025-11-25"): string => `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === "initialize"
    ? { protocolVersion: "${version}", capabilities: ${capabilities}, serverInfo: { name: "s", version: "1" } }
    : ${result}
  if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
})`
