/** `parley call`, `read`, `prompt` and `complete` against servers as real processes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { fixture, official, parley, timeless } from "./stage.js"

const folder = mkdtempSync(join(tmpdir(), "parley-cli-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("call", () => {
  it("takes its arguments as JSON, as pairs, from a file and from standard input", async () => {
    const file = join(folder, "arguments.json")
    writeFileSync(file, `{"a":1,"b":2}`)
    const ways: ReadonlyArray<readonly [ReadonlyArray<string>, string?]> = [
      [[`{"a":1,"b":2}`]],
      [["a=1", "b=2"]],
      [[`@${file}`]],
      [["-"], `{"a":1,"b":2}`]
    ]
    for (const [words, input] of ways) {
      const ran = await parley(["call", "add", ...words, ...fixture("sdk-2")], input === undefined ? {} : { input })
      expect(ran).toEqual({ code: 0, stdout: "3\n", stderr: "" })
    }
  })

  it("prints the result as the server gave it with --json", async () => {
    const { stdout } = await parley(["call", "--json", "add", "a=1", "b=2", ...fixture("sdk-1")])
    expect(JSON.parse(stdout)).toEqual({ content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 } })
  })

  it("leaves with 1 when the tool says that it failed, and prints what it says", async () => {
    expect(await parley(["call", "fail", ...fixture("sdk-1")])).toEqual({
      code: 1,
      stdout: "The oven is cold\n",
      stderr: ""
    })
  })

  it("leaves with 2 when the arguments do not fit, and sends them with --unchecked", async () => {
    const refused = await parley(["call", "add", "a=x", "b=2", ...fixture("sdk-2")])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain("a: expected a number")
    const sent = await parley(["call", "--unchecked", "add", "a=x", "b=2", ...fixture("sdk-2")])
    expect(sent.code).toBe(1)
    expect(sent.stdout).toContain("Invalid")
  })

  it("leaves with 4 for a tool that is not there, as for a prompt, and names those that are", async () => {
    const { code, stderr } = await parley(["call", "nope", ...fixture("sdk-2")])
    expect(code).toBe(4)
    expect(stderr).toContain(`The server lists no tool nope; it lists "add"`)
  })

  it("leaves with 5 when it takes too long, and withdraws the call", async () => {
    const args = ["call", "--timeout", "2500", "--verbose", "trigger-long-running-operation", "duration=60", "steps=1"]
    const { code, stderr } = await parley([...args, ...official("server-everything")])
    expect(code).toBe(5)
    expect(stderr).toContain("notifications/cancelled")
    expect(timeless(stderr)).toContain("tools/call was not answered within N ms")
  })

  it("shows progress and logs on stderr, and the result alone on stdout", async () => {
    const args = ["call", "trigger-long-running-operation", "duration=1", "steps=2"]
    const { code, stdout, stderr } = await parley([...args, ...official("server-everything")])
    expect([code, stdout]).toEqual([0, "Long running operation completed. Duration: 1 seconds, Steps: 2.\n"])
    expect(stderr).toContain("progress: 100% (2 of 2)")
  })

  it("says nothing beside the result with --quiet", async () => {
    const args = ["call", "--quiet", "trigger-long-running-operation", "duration=1", "steps=2"]
    expect((await parley([...args, ...official("server-everything")])).stderr).toBe("")
  })

  it("prints of a hostile server's answer nothing that a terminal would obey", async () => {
    expect(await parley(["call", "dup", ...fixture("hostile")])).toEqual({ code: 1, stdout: "gone\n", stderr: "" })
  })

  it("proposes the revision it is told to", async () => {
    const args = ["call", "--revision", "2024-11-05", "--verbose", "add", "a=1", "b=2"]
    const { stdout, stderr } = await parley([...args, ...fixture("sdk-2")])
    expect(stdout).toBe("3\n")
    expect(stderr).toContain(`"protocolVersion":"2024-11-05"`)
  })

  it("gives the server the variables and the folder it is told to", async () => {
    const args = ["call", "get-env", "--env", "COLOUR=red", "--env", "TEA", "--cwd", folder]
    const { stdout } = await parley([...args, ...official("server-everything")], { env: { TEA: "green" } })
    expect(JSON.parse(stdout)).toMatchObject({ COLOUR: "red", TEA: "green" })
  })

  it("answers with the roots it is given", async () => {
    const { stdout } = await parley(["call", "get-roots-list", "--root", folder, ...official("server-everything")])
    expect(stdout).toContain(`file://${folder}`)
  })
})

describe("read, prompt and complete", () => {
  it("print a resource, and its bytes with --raw", async () => {
    expect((await parley(["read", "dinner://menu", ...fixture("sdk-1")])).stdout).toBe("Soup, and more soup\n")
    expect((await parley(["read", "--raw", "dinner://menu", ...fixture("sdk-1")])).stdout).toBe("Soup, and more soup")
    expect((await parley(["read", "dinner://dish/x", ...fixture("sdk-1")])).stdout).toBe(
      "[bytes, 2 B; --raw prints the bytes]\n"
    )
  })

  it("leave with 4 when the server refuses", async () => {
    const { code, stderr } = await parley(["read", "dinner://nothing", ...fixture("sdk-1")])
    expect(code).toBe(4)
    expect(stderr).toContain("parley: resources/read was answered with error -32602")
  })

  it("leave with 4 when the server does not offer it", async () => {
    const { code, stderr } = await parley(["read", "a:b", ...fixture("sdk-2")])
    expect(code).toBe(4)
    expect(stderr).toContain("resources/read needs the capability resources, and the server declared only tools")
  })

  it("print the messages of a prompt", async () => {
    expect((await parley(["prompt", "invite", "who=Ada", ...fixture("sdk-1")])).stdout).toBe("user: Invite Ada\n")
    expect((await parley(["prompt", "invite", `{"who":"Ada"}`, ...fixture("sdk-1")])).stdout).toBe("user: Invite Ada\n")
  })

  it("suggest values", async () => {
    const { stdout } = await parley([
      "complete",
      "completable-prompt",
      "department",
      "S",
      ...official("server-everything")
    ])
    expect(stdout).toBe("Sales\nSupport\n")
  })
})
