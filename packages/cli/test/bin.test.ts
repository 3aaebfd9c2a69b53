/** The program itself, as one process at a real terminal, bundled from its sources so that nothing need be built. */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { usage } from "../src/usage.js"

const root = join(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "parley-bin-"))
const bin = join(folder, "dist/bin.mjs")
const dinner = `${process.execPath} ${join(import.meta.dirname, "fixtures/sdk-1.mjs")}`

beforeAll(async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "../src/bin.ts"),
    platform: "node",
    logLevel: "silent",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  mkdirSync(join(folder, "dist"))
  await bundle.write({
    dir: join(folder, "dist"),
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs"
  })
  await bundle.close()
  cpSync(join(import.meta.dirname, "../package.json"), join(folder, "package.json"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" })

describe("parley", () => {
  it("tells its version and its usage, and where there is nothing to do what is missing", () => {
    expect(run("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run("--help").stdout).toBe(usage())
    expect(run("inspect", "-h").stdout).toBe(usage())
    const { status, stdout, stderr } = run()
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr).toContain("What shall it do: inspect, call, read, prompt, complete, bridge?")
  })

  it("prints results on stdout and leaves with the code they call for", () => {
    const { status, stdout, stderr } = run("call", "fail", "--", process.execPath, dinner.split(" ")[1]!)
    expect([status, stdout, stderr]).toEqual([1, "The oven is cold\n", ""])
  })

  it("prints documents of what is asked of itself with --json", () => {
    expect(JSON.parse(run("--json", "--version").stdout)).toEqual({ version: expect.any(String) as string })
    expect(JSON.parse(run("--json", "--help").stdout)).toEqual({ usage: usage() })
  })

  it.skipIf(!existsSync("/dev/full"))("does not take a lost result for success", () => {
    const lost = (words: string) =>
      spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" ${words} >/dev/full`], { encoding: "utf8" })
    for (const words of ["--help", `call fail -- ${dinner}`]) {
      const { status, stderr } = lost(words)
      expect([status, stderr]).toEqual([74, expect.stringContaining("the result could not be written: ENOSPC")])
    }
  })

  it("prints a document also when it is ended by SIGTERM", async () => {
    const hang = [process.execPath, "-e", "process.stdin.on('end', () => process.exit()).resume()"]
    const child = spawn(process.execPath, [bin, "inspect", "--json", "--verbose", "--", ...hang])
    let told = ""
    child.stdout.on("data", (chunk: Buffer) => (told += String(chunk)))
    child.stderr.once("data", () => child.kill("SIGTERM"))
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect(code).toBe(143)
    expect(JSON.parse(told)).toMatchObject({ error: { kind: "terminated", exitCode: 143 } })
  })

  it("leaves quietly when nobody reads on", () => {
    const ran = spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" inspect -- ${dinner} | head -1`], {
      encoding: "utf8"
    })
    expect([ran.stdout, ran.stderr]).toEqual(["sdk-1 1.0.0\n", ""])
  })
})

/** `script` of util-linux makes a terminal out of pipes. */
describe.skipIf(spawnSync("script", ["--version"]).status !== 0)("parley at a terminal", () => {
  it("shows colours, and fills in a form as it is typed", async () => {
    const { code, text } = await typed("call dinner", [
      ["> ", "13\r"],
      ["it must be", "4\r"],
      ["Send this?", "y\r"]
    ])
    expect(text).toContain("\u001b[1;36mGuests\u001b[22;39m")
    expect(text).toContain(`{"action":"accept","content":{"guests":4}}`)
    expect(code).toBe(0)
  })

  it("is interrupted by Ctrl-C at a question", async () => {
    const { code, text } = await typed("call dinner", [["> ", "\u0003"]])
    expect(text).toContain("Interrupted: the server is told. Ctrl-C again leaves at once.")
    expect(code).toBe(130)
  })

  it("closes a question on Ctrl-D", async () => {
    expect((await typed("call dinner", [["> ", "\u0004"]])).text).toContain(`{"action":"cancel"}`)
  })

  it("leaves at once at the second Ctrl-C, also when the server hangs", async () => {
    const hang = `${process.execPath} -e "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"`
    const { code } = await typed(
      "inspect --verbose",
      [
        ["initialize", "\u0003"],
        ["Interrupted", "\u0003"]
      ],
      hang
    )
    expect(code).toBe(130)
  })
})

it("is described by docs/cli.md", () => {
  expect(readFileSync(join(root, "docs/cli.md"), "utf8")).toContain(usage())
})

function typed(words: string, steps: ReadonlyArray<readonly [when: string, keys: string]>, server = dinner) {
  return new Promise<{ readonly code: number | null; readonly text: string }>((resolve) => {
    const command = `"${process.execPath}" "${bin}" ${words} -- ${server}`
    const env = { ...process.env, TERM: "xterm", NO_COLOR: undefined, FORCE_COLOR: undefined }
    const child = spawn("script", ["-qec", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] })
    const waiting = [...steps]
    let [text, seen] = ["", 0]
    child.stdout.on("data", (chunk: Buffer) => {
      text += String(chunk)
      const [next] = waiting
      if (next === undefined || text.indexOf(next[0], seen) < 0) return
      waiting.shift()
      seen = text.length
      // A terminal switches to raw mode a moment after the prompt is written.
      setTimeout(() => child.stdin.write(next[1]), 100)
    })
    child.on("close", (code) => resolve({ code, text }))
  })
}
