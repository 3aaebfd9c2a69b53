import type { Message } from "@parley/core"
import type { Closed, Frame } from "@parley/driver"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { CommandOptions } from "../src/command.js"
import { command } from "../src/command.js"
import { idOf, listen, numbered, outgoing, texts } from "../../testing/src/channel-tape.js"
import { fixture } from "./pairs.js"
import type { Watch } from "./watch.js"
import { watch } from "./watch.js"

let lives: Watch
let folder: string
beforeEach(async () => {
  lives = await watch()
  folder = mkdtempSync(join(tmpdir(), "parley-"))
})
afterEach(async () => {
  await lives.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("command, when the server dies", () => {
  it("says the exit code and the last lines on stderr", async () => {
    const tape = await run('console.error("reading settings"); console.error("API_KEY is not set"); process.exit(1)')
    expect(detail(tape)).toMatch(
      /^the server \(.*node -e .*\) exited with code 1; its last lines on stderr:\n {2}reading settings\n {2}API_KEY is not set$/
    )
  })

  it("says so when it wrote nothing", async () => {
    expect(detail(await run("process.exit(3)"))).toMatch(/exited with code 3; it wrote nothing to stderr$/)
  })

  it("says the signal", async () => {
    expect(detail(await run('process.kill(process.pid, "SIGKILL")'))).toMatch(/was killed by SIGKILL; it wrote nothing/)
  })

  it("keeps the last twenty lines and shortens long ones", async () => {
    const tape = await run(
      'for (let n = 1; n <= 100; n++) console.error("line " + n); process.stderr.write("y".repeat(5000)); process.exitCode = 1'
    )
    const lines = detail(tape).split("\n").slice(1)
    expect(lines.length).toBe(20)
    expect(lines[0]).toBe("  line 82")
    expect(lines[19]?.length).toBeLessThan(500)
  })

  it("hands up all that it wrote first, also to a slow reader", async () => {
    const tape = await run(
      'for (let n = 0; n < 2000; n++) console.log(JSON.stringify({ n, pad: "x".repeat(1000) })); process.exitCode = 4',
      {},
      async (frame) => {
        if (frame._tag === "Text" && frame.text.startsWith('{"n":1,'))
          await new Promise((resolve) => setTimeout(resolve, 700))
      }
    )
    expect(tape.length).toBe(2001)
    expect(detail(tape)).toMatch(/exited with code 4/)
  })

  it("hands up all that it wrote first, also when it is gone before most of that was handled", async () => {
    const tape = await run('require("fs").writeSync(1, "1\\n2\\n3\\n4\\n5\\n")', {}, () => after(50))
    expect(tape.map((entry) => (entry._tag === "Text" ? entry.text : entry._tag))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "Gone"
    ])
  })

  it("tells how it left before it tells that the channel closed", async () => {
    const order: Array<unknown> = []
    const channel = node("process.exit(3)", { exited: (...how) => void order.push(how) })
    await new Promise<void>((resolve) =>
      channel.open({ frame() {}, closed: (why) => (order.push(why._tag), resolve()) })
    )
    expect(order).toEqual([[3, null], "Gone"])
    await channel.close()
  })

  it("ends what the server had started, though that keeps the streams open", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "outer", "wrapper", "leaves"], {
      stderr: "pipe"
    })
    const tape = listen(channel)
    const inner = await lives.started("outer-inner")
    expect(detail([await tape.closed()])).toMatch(/exited with code 9/)
    await inner.ended
    await channel.close()
  })

  it("reports a server that closes its output but stays", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a"], {
      stderr: "pipe"
    })
    await channel.close()
    const tape = await run('require("fs").closeSync(1); setInterval(() => {}, 1000)', {
      graceMs: 100
    })
    expect(detail(tape)).toMatch(/closed its standard output but is still running/)
  })

  it("reports a server that closes its input but stays", async () => {
    const channel = node('require("fs").closeSync(0); console.log("{}"); setInterval(() => {}, 1000)', { graceMs: 100 })
    const tape = listen(channel)
    await tape.frames(1)
    void channel.send(outgoing(numbered(1)))
    expect(detail([await tape.closed()])).toMatch(/closed its standard input but is still running/)
    await channel.close()
  })
})

describe("command, when the server can not be started", () => {
  it("names the command and the PATH searched", async () => {
    const tape = await started("no-such-command", [], { env: { PATH: "/nowhere:/neither" } })
    expect(detail(tape)).toBe(
      'the server (no-such-command) could not be started: "no-such-command" was not found; the PATH searched is /nowhere:/neither'
    )
  })

  it("names a file that is not there", async () => {
    expect(detail(await started("./no/such/file", ["a b"]))).toBe(
      'the server (./no/such/file "a b") could not be started: there is no file ./no/such/file'
    )
  })

  it("names a file that may not be executed", async () => {
    const file = join(folder, "plain.txt")
    writeFileSync(file, "text")
    expect(detail(await started(file))).toContain(`${file} may not be executed (its execute permission is missing)`)
  })

  it("names a folder given as command", async () => {
    expect(detail(await started(folder))).toContain(`${folder} may not be executed (it is a directory)`)
  })

  it("names a working directory that is not there", async () => {
    expect(detail(await started(process.execPath, [], { cwd: join(folder, "absent") }))).toContain(
      `its working directory ${join(folder, "absent")} does not exist`
    )
  })

  it("finds out that the interpreter is missing", async () => {
    const file = join(folder, "script")
    writeFileSync(file, "#!/no/such/interpreter\n")
    chmodSync(file, 0o755)
    expect(detail(await started(file))).toContain(`${file} exists, but the interpreter its first line names does not`)
  })

  it("reports arguments no process can have", async () => {
    expect(detail(await started(process.execPath, ["a\0b"]))).toContain("could not be started")
  })
})

describe("command", () => {
  it("refuses to be opened twice", async () => {
    const channel = command(process.execPath, [fixture("alive.mjs"), lives.path, "a", "polite"])
    listen(channel)
    expect(() => listen(channel)).toThrow("This channel is open already, and its server started")
    await channel.close()
  })

  it("throws for a message that is no JSON, and sends the others, also while the server starts", async () => {
    const channel = node("process.stdin.pipe(process.stdout)")
    const tape = listen(channel)
    void channel.send(outgoing(numbered(1)))
    expect(() => channel.send(outgoing(unsendable))).toThrow(TypeError)
    void channel.send(outgoing(numbered(2)))
    await tape.frames(2)
    expect(() => channel.send(outgoing(unsendable))).toThrow(TypeError)
    void channel.send(outgoing(numbered(3)))
    expect(texts(await tape.frames(3)).map(idOf)).toEqual([1, 2, 3])
    await channel.close()
  })

  it("hands up a banner as the text it is", async () => {
    const tape = await run('console.log("Welcome!\\n\\n{}"); ')
    expect(tape.slice(0, 2)).toEqual([
      { _tag: "Text", text: "Welcome!", via: "stdio" },
      { _tag: "Text", text: "{}", via: "stdio" }
    ])
  })

  it("tells stderr line by line", async () => {
    const lines: Array<string> = []
    await run('process.stderr.write("one\\ntw"); process.stderr.write("o\\r\\n\\nthree\\n")', {
      stderr: (line) => void lines.push(line)
    })
    expect(lines).toEqual(["one", "two", "", "three"])
  })

  it("passes on PATH and home, but no secrets, unless told", async () => {
    process.env["PARLEY_TEST_TOKEN"] = "secret"
    try {
      const code = "console.log(JSON.stringify(process.env))"
      const seen = async (options: CommandOptions) =>
        JSON.parse(first(await run(code, options))) as Record<string, string>
      const safe = await seen({ env: { GIVEN: "1" } })
      expect(safe["PATH"]).toBe(process.env["PATH"])
      expect(safe["GIVEN"]).toBe("1")
      expect(safe).not.toHaveProperty("PARLEY_TEST_TOKEN")
      expect(await seen({ inherit: "all" })).toHaveProperty("PARLEY_TEST_TOKEN", "secret")
      expect(await seen({ inherit: "all", env: { PARLEY_TEST_TOKEN: undefined } })).not.toHaveProperty(
        "PARLEY_TEST_TOKEN"
      )
      expect(await seen({ inherit: "none", env: { ONLY: "me" } })).toEqual({ ONLY: "me" })
    } finally {
      delete process.env["PARLEY_TEST_TOKEN"]
    }
  })

  it("starts the server where it is told to", async () => {
    expect(first(await run("console.log(process.cwd())", { cwd: folder }))).toBe(folder)
  })
})

const unsendable: Message = { jsonrpc: "2.0", id: 9, result: { big: 1n as never } }

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const node = (code: string, options: CommandOptions = {}) =>
  command(process.execPath, ["-e", code], { stderr: "pipe", ...options })

/** Runs code as the server until it is gone. */
async function run(
  code: string,
  options: CommandOptions = {},
  handle?: (frame: Frame) => void | Promise<void>
): Promise<ReadonlyArray<Frame | Closed>> {
  const channel = node(code, options)
  const tape = listen(channel, handle)
  await tape.closed()
  await channel.close()
  return tape.log
}

async function started(
  cmd: string,
  args: ReadonlyArray<string> = [],
  options: CommandOptions = {}
): Promise<ReadonlyArray<Frame | Closed>> {
  const channel = command(cmd, args, options)
  const tape = listen(channel)
  expect(tape.log).toEqual([])
  await tape.closed()
  await channel.close()
  return tape.log
}

function detail(log: ReadonlyArray<Frame | Closed>): string {
  const last = log.at(-1)
  expect(last?._tag).toBe("Gone")
  return last?._tag === "Gone" ? last.detail : ""
}

function first(log: ReadonlyArray<Frame | Closed>): string {
  const frame = log[0]
  return frame?._tag === "Text" ? frame.text : JSON.stringify(frame)
}
