import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "./bundle.js"
import { bundled } from "./bundle.js"

let server: Bundled
const running = new Set<ChildProcessWithoutNullStreams>()
beforeAll(async () => void (server = await bundled("server.ts")))
afterAll(() => server.remove())
afterEach(async () => {
  for (const child of running) {
    child.kill("SIGKILL")
    await exit(child)
  }
  running.clear()
})

describe("stdio, in a process of its own", () => {
  it("answers what it read at the end of input and exits 0, although timers run", async () => {
    const child = start()
    for (let id = 1; id <= 100; id++) ask(child, id, "echo", "x".repeat(1000))
    child.stdin.end()
    expect((await rest(child.stdout)).map((reply) => reply.id)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    expect(await exit(child)).toEqual([0, null])
  })

  it("takes a last line without end", async () => {
    const child = start()
    child.stdin.end('{"id":1,"method":"echo","params":{"text":"é"}}')
    expect(await rest(child.stdout)).toEqual([{ jsonrpc: "2.0", id: 1, result: { of: "é" } }])
  })

  it.each(["SIGTERM", "SIGINT"] as const)("answers what it accepted after a %s and exits 0", async (signal) => {
    const child = start()
    const replies = read(child)
    ask(child, 1, "late")
    expect((await replies.next()).value).toMatchObject({ result: { of: "accepted" } })
    child.kill(signal)
    expect((await replies.next()).value).toMatchObject({ id: 1, result: { of: "late" } })
    expect(await exit(child)).toEqual([0, null])
  })

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130]
  ] as const)("exits at once on a second %s", async (signal, code) => {
    const child = start()
    const errors = lines(child.stderr)
    ask(child, 1, "hang")
    expect((await read(child).next()).value).toMatchObject({ id: 1 })
    child.kill(signal)
    while ((await errors.next()).value !== "closed: Ended");
    child.kill(signal)
    expect(await exit(child)).toEqual([code, null])
  })

  it("keeps what is printed on stdout out of the stream", async () => {
    const child = start()
    const errors = whole(child.stderr)
    ask(child, 1, "print")
    child.stdin.end()
    expect(await rest(child.stdout)).toEqual([{ jsonrpc: "2.0", id: 1, result: { of: "printed" } }])
    expect(await errors).toBe("open\nfrom console.log\nfrom console.info\nfrom process.stdout.write\nclosed: Ended\n")
  })

  it("reads and answers a line of 64 MiB", async () => {
    const child = start()
    const text = "x".repeat(64 * 1024 * 1024 - 100)
    ask(child, 1, "size", text)
    ask(child, 2, "echo", text)
    child.stdin.end()
    const [size, echo] = await rest(child.stdout)
    expect(size?.result.of).toBe(text.length)
    expect(echo?.result.of === text).toBe(true)
  })

  it("lives on after a line beyond the limit, without holding it", async () => {
    const child = start({ LIMIT: "1000" })
    const replies = read(child)
    ask(child, 1, "echo", "before")
    await replies.next()
    const before = memory(child.pid, "VmRSS")
    for (let n = 0; n < 200; n++) child.stdin.write("x".repeat(1024 * 1024))
    child.stdin.write("\n")
    ask(child, 2, "echo", "after")
    expect((await replies.next()).value).toMatchObject({ result: { of: "tooLarge" } })
    expect((await replies.next()).value).toMatchObject({ id: 2 })
    expect(memory(child.pid, "VmHWM") - before).toBeLessThan(96)
  })

  it("stops reading when nobody reads its answers, and holds little meanwhile", async () => {
    const child = start()
    ask(child, 0, "echo", "first")
    await new Promise((resolve) => child.stdout.once("readable", resolve))
    child.stdout.read()
    const before = memory(child.pid, "VmRSS")
    const text = "x".repeat(10_000)
    let offered = 0
    let stuck = false
    // 64 MiB are offered; the offer stalls once the pipes are full and the server has stopped reading.
    while (offered < 6500 && !stuck) {
      if (ask(child, ++offered, "echo", text)) continue
      stuck = !(await Promise.race([drained(child), stalled()]))
    }
    expect(stuck).toBe(true)
    expect(offered * text.length).toBeLessThan(4 * 1024 * 1024)
    expect(memory(child.pid, "VmHWM") - before).toBeLessThan(32)
    child.stdin.end()
    const replies = await rest(child.stdout)
    expect(replies.map((reply) => reply.id)).toEqual(Array.from({ length: offered }, (_, n) => n + 1))
    expect(await exit(child)).toEqual([0, null])
  })

  it("leaves when its input has ended and nobody reads its answers, though requests wait", async () => {
    const child = start({ STALL_MS: "300" })
    const errors = whole(child.stderr)
    ask(child, 1, "echo", "x".repeat(5_000_000))
    for (let id = 2; id < 10; id++) ask(child, id, "echo", "x")
    child.stdin.end()
    expect(await exit(child)).toEqual([0, null])
    expect(await errors).toBe("open\nclosed: Gone\n")
  })

  it("writes everything to a reader that is only slow, however large a message is", async () => {
    const child = start({ STALL_MS: "1000" })
    const errors = whole(child.stderr)
    const text = "x".repeat(5_000_000)
    ask(child, 1, "echo", text)
    ask(child, 2, "echo", "y")
    child.stdin.end()
    const began = performance.now()
    const replies = await rest(slowed(child.stdout, 20))
    expect(performance.now() - began).toBeGreaterThan(1200)
    expect(replies.map((reply) => reply.result.of === text || reply.result.of)).toEqual([true, "y"])
    expect(await errors).toBe("open\nclosed: Ended\n")
  })

  it("leaves quietly when the reader of its answers goes away", async () => {
    const child = start()
    const errors = whole(child.stderr)
    ask(child, 1, "echo", "x")
    await read(child).next()
    child.stdin.on("error", () => {})
    child.stdout.destroy()
    for (let id = 2; id < 100; id++) ask(child, id, "echo", "x".repeat(10_000))
    expect(await exit(child)).toEqual([0, null])
    expect(await errors).toBe("open\nclosed: Gone\n")
  })
})

interface Reply {
  readonly id: number
  readonly result: { readonly of: unknown }
}

function start(env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [server.path], { env: { ...process.env, ...env } })
  running.add(child)
  return child
}

const ask = (child: ChildProcessWithoutNullStreams, id: number, method: string, text?: string): boolean =>
  child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params: { text } }) + "\n")

async function* read(child: ChildProcessWithoutNullStreams): AsyncGenerator<Reply> {
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Reply
}

async function* lines(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stream })) yield line
}

const rest = async (stream: NodeJS.ReadableStream): Promise<ReadonlyArray<Reply>> =>
  (await whole(stream))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Reply)

/** Waits after every piece. */
const slowed = (stream: NodeJS.ReadableStream, ms: number): NodeJS.ReadableStream =>
  Readable.from(
    (async function* () {
      for await (const piece of stream) {
        yield piece
        await new Promise((resolve) => setTimeout(resolve, ms))
      }
    })()
  )

async function whole(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const exit = (child: ChildProcessWithoutNullStreams): Promise<[code: number | null, signal: string | null]> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve([child.exitCode, child.signalCode])
    : new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])))

const drained = (child: ChildProcessWithoutNullStreams): Promise<boolean> =>
  new Promise((resolve) => child.stdin.once("drain", () => resolve(true)))

/** The one thing that can only be seen by waiting: that nothing happens. */
const stalled = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(false), 1000))

/** In MiB; nothing where the system does not tell. */
function memory(pid: number | undefined, field: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(found?.[1]) / 1024
}
