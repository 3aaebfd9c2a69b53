/** The command line, read. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { read } from "../src/command-line.js"

const inspecting = (...options: ReadonlyArray<string>) =>
  read(["inspect", ...options, "--", "node", "s.js"], { TEA: "green" })

it("is a verb, options, and the server's command, which is left alone", () => {
  const wishes = read(
    ["call", "add", "a=1", "b=2", "--json", "--timeout", "500", "--", "npx", "-y", "s", "--json", "--"],
    {}
  )
  expect(wishes.verb).toEqual({ _tag: "Call", tool: "add", input: ["a=1", "b=2"] })
  expect(wishes.at).toMatchObject({ _tag: "Command", command: "npx", args: ["-y", "s", "--json", "--"] })
  expect([wishes.json, wishes.timeoutMs, wishes.full]).toEqual([true, 500, false])
})

it.each([
  [[], "newest", ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]],
  [["--prefer", "oldest"], "oldest", ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]],
  [["--revision", "2025-03-26"], "newest", ["2025-03-26", "2025-11-25", "2025-06-18", "2024-11-05"]],
  [["--revision", "2026-07-28"], "newest", ["2026-07-28"]]
])("speaks with %j what may be answered to what is asked for", (options, prefer, names) => {
  const wishes = inspecting(...options)
  expect([wishes.prefer, wishes.revisions.map(({ name }) => name)]).toEqual([prefer, names])
})

it("gives variables by value or from here", () => {
  expect(inspecting("--env", "A=b=c", "--env", "TEA").at).toMatchObject({ env: { A: "b=c", TEA: "green" } })
})

it("knows roots by their URIs", () => {
  expect(inspecting("--root", tmpdir()).roots.map(({ uri }) => uri)).toEqual([pathToFileURL(tmpdir()).href])
})

describe("a server with an address", () => {
  const url = "http://localhost:3000/mcp"
  const at = (...words: ReadonlyArray<string>) => read(words, {})

  it.each([
    [["inspect", url], { _tag: "Inspect" }],
    [["inspect", "--json", "--", url], { _tag: "Inspect" }],
    [["call", "echo", "message=hi", url], { _tag: "Call", tool: "echo", input: ["message=hi"] }],
    [["read", "https://example.com/doc", url], { _tag: "Read", uri: "https://example.com/doc" }],
    [["bridge", url], { _tag: "Bridge" }]
  ])("comes last: %j", (words, verb) => {
    expect(at(...words)).toMatchObject({ verb, at: { _tag: "Address", url, headers: {} } })
  })

  it("is sent headers, also from a file, and their values are in no complaint", () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-headers-"))
    const file = join(folder, "headers")
    writeFileSync(file, "# a comment\nAuthorization: Bearer s3cret\n\nX-Two: 2\n")
    const { headers } = at("inspect", "--header", `@${file}`, "--header", "X-One:1", url).at as never
    rmSync(folder, { recursive: true })
    expect(headers).toEqual({ authorization: "Bearer s3cret", "x-one": "1", "x-two": "2" })
    for (const given of ["s3cret", ": s3cret", "Bad Name: s3cret", "Accept: s3cret", "X: s3cret\u0000"])
      expect(() => at("inspect", "--header", given, url)).toThrow(/^(?!.*s3cret).*--header/)
    expect(() => at("inspect", "http://me:s3cret@localhost/")).toThrow(/^(?!.*s3cret)/)
  })

  it.each([
    [["inspect", "--header", "Authorization: Bearer ", url], "Authorization has no token"],
    [["inspect", "--header", "@/no/such/file", url], "--header @/no/such/file can not be read: ENOENT"],
    [["inspect", "--header", "A: b", "--", "node"], "--header is for a server that has an address"],
    [["inspect", "--cwd", "/", url], "--cwd is for a server that is started by a command"],
    [["inspect", "--", url, "more"], "An address stands alone"],
    [["inspect", "http://"], "The server's address can not be read"],
    [["inspect", "--port", "1", url], "--port is for bridge, not for inspect"],
    [["bridge", "--port", "1", url], "--port is for a server that is started by a command"],
    [["bridge", "--port", "http", "--", "node"], "--port takes a number up to 65535, and got http"],
    [["bridge", "--path", "mcp", "--", "node"], "--path takes a path that begins with /"],
    [["bridge", "--timeout", "5", "--", "node"], "--timeout is not for bridge"],
    [["bridge"], "The server is missing"],
    [["bridge", "node"], `bridge takes nothing before the server, and got "node"`]
  ])("%j", (words, message) => {
    expect(() => at(...words)).toThrow(message)
  })
})

describe("what is declared", () => {
  const declared = (...options: ReadonlyArray<string>) =>
    Object.entries(inspecting(...options).declared)
      .filter(([, on]) => on)
      .map(([name]) => name)

  it.each([
    ["elicitation in both kinds by default", [], ["form", "url"]],
    ["nothing", ["--client-capabilities", "none"], []],
    ["forms where elicitation says no more", ["--client-capabilities", "elicitation"], ["form"]],
    [
      "what a list names",
      ["--client-capabilities", "elicitation.url,roots.listChanged"],
      ["url", "roots", "rootsListChanged"]
    ],
    [
      "what JSON names",
      ["--client-capabilities", `{"sampling":{"tools":{}},"roots":{"listChanged":false}}`],
      ["sampling", "samplingTools", "roots"]
    ],
    ["what other options call for", ["--allow-sampling", "--root", "."], ["form", "url", "sampling", "roots"]]
  ])("is %s", (_, options, names) => {
    expect(declared(...options)).toEqual(names)
  })
})

describe("says what is wrong:", () => {
  it.each([
    [["inspect"], "The server is missing. It comes last"],
    [["inspect", "--"], "The server is missing. It comes last"],
    [["--", "node"], "What shall it do: inspect, call, read, prompt, complete, bridge?"],
    [["look", "--", "node"], `There is no verb "look"`],
    [["inspect", "npx", "--", "node"], `inspect takes nothing before the server, and got "npx"`],
    [["call", "--", "node"], "call needs the name of a tool"],
    [["read", "a:b", "c:d", "--", "node"], "read takes one URI, and got 2 words"],
    [["inspect", "--colour", "--", "node"], "Unknown option '--colour'"],
    [["inspect", "--timeout", "soon", "--", "node"], "--timeout takes milliseconds"],
    [["inspect", "--revision", "2020-01-01", "--", "node"], "--revision 2020-01-01 is not spoken here"],
    [["inspect", "--prefer", "2025-11-25", "--", "node"], "--prefer takes newest or oldest"],
    [["inspect", "--prefer", "oldest", "--revision", "2025-11-25", "--", "node"], "do not go together"],
    [["inspect", "--log-level", "loud", "--", "node"], "--log-level takes debug, info"],
    [["inspect", "--root", "/no/such/folder", "--", "node"], "--root /no/such/folder is no folder"],
    [["inspect", "--env", "NOT_SET_HERE", "--", "node"], "this variable is not set here"],
    [["inspect", "--client-capabilities", "tools", "--", "node"], `can not keep the promise "tools"`],
    [["inspect", "--client-capabilities", "{", "--", "node"], "--client-capabilities is not JSON"],
    [["inspect", "--client-capabilities", `{"sampling":5}`, "--", "node"], "sampling is an object"],
    [["inspect", "--client-capabilities", `{"roots":{"listChanged":3}}`, "--", "node"], "roots.listChanged is true or"],
    [["inspect", "--client-capabilities", "", "--", "node"], "or the one word none"],
    [["inspect", "--client-capabilities", "none,sampling", "--", "node"], "or the one word none"],
    [["inspect", "--raw", "--", "node"], "--raw is for read, not for inspect"],
    [["call", "t", "--probe", "--", "node"], "--probe is for inspect, not for call"],
    [["read", "a:b", "--raw", "--json", "--", "node"], "--raw and --json do not go together"]
  ])("%j", (argv, message) => {
    expect(() => read(argv, {})).toThrow(message)
  })
})
