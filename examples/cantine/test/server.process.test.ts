import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answers, messages } from "./conversation.js"
import type { Programs } from "./programs.js"
import { programs } from "./programs.js"

let made: Programs
beforeAll(async () => void (made = await programs("server.mjs")))
afterAll(() => made.remove())

const start = (path = made.path("server.mjs")) => spawn(process.execPath, [path])
const said = messages.map((message) => `${JSON.stringify(message)}\n`).join("")

/** Writes the chunks, ends the input, and settles with all that came of it. */
async function fed(chunks: Iterable<string | Uint8Array>, path?: string) {
  const server = start(path)
  const [out, err]: [Array<Buffer>, Array<Buffer>] = [[], []]
  server.stdout.on("data", (chunk: Buffer) => out.push(chunk))
  server.stderr.on("data", (chunk: Buffer) => err.push(chunk))
  const left = once(server, "close")
  for (const chunk of chunks) if (!server.stdin.write(chunk)) await once(server.stdin, "drain")
  server.stdin.end()
  const [code] = (await left) as [number]
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }
}

function expectSixAnswers({ code, stdout, stderr }: Awaited<ReturnType<typeof fed>>): void {
  expect(stdout.endsWith("\n")).toBe(true)
  expect(
    stdout
      .slice(0, -1)
      .split("\n")
      .map((line) => JSON.parse(line) as unknown)
  ).toEqual(answers)
  expect([code, stderr]).toEqual([0, ""])
}

describe("cantine, fed the seven messages", () => {
  it("gives the six answers and nothing else when all come at once", async () => {
    expectSixAnswers(await fed([said]))
  })

  it("gives the same when they come byte by byte", async () => {
    expectSixAnswers(await fed([...Buffer.from(said)].map((byte) => Uint8Array.of(byte))))
  })

  it("gives the same when the last line has no end, and when lines end in CRLF", async () => {
    expectSixAnswers(await fed([said.trimEnd()]))
    expectSixAnswers(await fed([said.replaceAll("\n", "\r\n")]))
  })

  it("answers each before the next is sent", async () => {
    const server = start()
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const heard: Array<unknown> = []
    for (const message of messages) {
      server.stdin.write(`${JSON.stringify(message)}\n`)
      if (message.id !== undefined) heard.push(JSON.parse((await lines.next()).value as string))
    }
    server.stdin.end()
    expect((await lines.next()).done).toBe(true)
    expect(heard).toEqual(answers)
  })

  it("gives the same bytes every time", async () => {
    expect((await fed([said])).stdout).toBe((await fed([said])).stdout)
  })

  it("says nothing at all when nothing is said to it", async () => {
    expect(await fed([])).toEqual({ code: 0, stdout: "", stderr: "" })
  })
})

describe("cantine, on its two versions", () => {
  it.each(["2025-03-26", "2024-11-05"])("speaks %s as it was asked for", async (protocolVersion) => {
    const asked = { ...messages[2]!, params: { ...messages[2]!.params, protocolVersion } }
    const { stdout } = await fed([`${JSON.stringify(asked)}\n`])
    expect(JSON.parse(stdout)).toEqual({
      ...answers[2]!,
      result: { ...answers[2]!.result, protocolVersion }
    })
  })

  it.each(["2025-06-18", "2025-11-25", "", "2024-11-05 "])("refuses %j", async (protocolVersion) => {
    const asked = { ...messages[2]!, params: { ...messages[2]!.params, protocolVersion } }
    const { stdout } = await fed([`${JSON.stringify(asked)}\n`])
    expect(JSON.parse(stdout)).toMatchObject({ id: 3, error: { code: -32602, data: { requested: protocolVersion } } })
  })
})

const built = join(import.meta.dirname, "../../../packages/stdio/dist/index.js")
describe.skipIf(!existsSync(built))("cantine on a built clone", () => {
  it("gives the six answers by plain node", async () => {
    expectSixAnswers(await fed([said], join(import.meta.dirname, "../server.mjs")))
  })
})
