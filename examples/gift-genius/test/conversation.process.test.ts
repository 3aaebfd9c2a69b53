import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "./bundled.js"
import { bundled } from "./bundled.js"

let programs: Bundled
beforeAll(async () => void (programs = await bundled()))
afterAll(() => programs.remove())

interface Ended {
  readonly code: number | string | null | undefined
  readonly stdout: string
  readonly stderr: string
}

const converse = (...server: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [programs.conversation, ...server], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    )
  })

describe("the conversation, in processes of its own", () => {
  it("shows the handshake, all that was declared, a change, a refusal, and ends well", async () => {
    const { code, stdout, stderr } = await converse()
    expect(stdout).toMatch(/client --> initialize\n/)
    expect(stdout).toContain('"protocolVersion": "2025-11-25"')
    expect(stdout).toMatch(/client <-- result of initialize\n/)
    expect(stdout).toMatch(/client --> notifications\/initialized\n/)
    expect(stdout).toMatch(/version asked for +2025-11-25\n +version in force +2025-11-25\n/)
    expect(stdout).toMatch(/the client +parley-conversation 0\.2\.0\n +the server +gift-genius-backend 0\.2\.0\n/)
    expect(stdout).toMatch(
      /age +integer, required: .*\n +relationship +string, required: .*\n.*\n +budget +number, optional: /
    )
    expect(stdout).toMatch(/\d\d\.00 euros +\w/)
    expect(stdout.match(/client --> resources\/list\b/g)).toHaveLength(6)
    expect(stdout).toMatch(/<-- notifications\/tools\/list_changed\n.*<-- notifications\/resources\/list_changed\n/)
    expect(stdout).toMatch(/client <-- error -32601 for completion\/complete\n/)
    expect(stdout).toMatch(/kn could become .*knitted-rabbit/)
    expect(stdout).toMatch(/client --> server\/discover\b/)
    expect(stdout).toContain('"supportedVersions": ["2026-07-28"]')
    expect(stdout.match(/"relationship": "nephew"/g)).toHaveLength(2)
    expect(stdout).toContain("ok  both are suggested the same gifts")
    expect(stdout).not.toMatch(/ NO {2}/)
    expect(stdout).toMatch(/\nEverything went as it should\.\n$/)
    expect(stdout).not.toContain("\u001b")
    expect([code, stderr]).toEqual([0, ""])
  })

  it("leaves without a word when its reader has seen enough", async () => {
    const conversation = spawn(process.execPath, [programs.conversation], { stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    conversation.stderr.on("data", (chunk) => (said += String(chunk)))
    conversation.stdout.once("data", () => conversation.stdout.destroy())
    expect([(await once(conversation, "close"))[0], said]).toEqual([0, ""])
  })

  it("says what is wrong with a server that is not there", async () => {
    const { code, stdout } = await converse("no-such-server")
    expect(stdout).toMatch(/\nNot as it should be: .*"no-such-server" was not found; the PATH searched is /)
    expect(code).toBe(1)
  })

  it("says what is wrong with a server that dies", async () => {
    const { code, stdout } = await converse(process.execPath, "-e", 'console.error("no money"); process.exit(3)')
    expect(stdout).toContain("(server, on stderr) no money")
    expect(stdout).toMatch(/\nNot as it should be: .* exited with code 3; its last lines on stderr:\n {2}no money\n$/)
    expect(code).toBe(1)
  })

  it("says what is wrong with a server that has nothing, and leaves all the same", async () => {
    const other = `
      const { createInterface } = require("node:readline")
      const serverInfo = { name: "other", version: "1" }
      const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo }
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { id } = JSON.parse(line)
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
      })`
    const { code, stdout } = await converse(process.execPath, "-e", other)
    expect(stdout).toContain("NO  the server is gift-genius-backend 0.2.0")
    expect(stdout).toMatch(/\nNot as it should be: .*tools\/list needs the capability tools/)
    expect(code).toBe(1)
  })
})
