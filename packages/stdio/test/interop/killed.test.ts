/** One tool that asks twice, over processes that are killed between question and answer: nothing is done twice. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CallError, connect } from "@parley/client"
import type { Client } from "@parley/client"
import { v2025_06_18, v2025_11_25 } from "@parley/core/revisions"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { textOf } from "./peer.js"
import type { Restarting } from "./restarting.js"
import { restarting } from "./restarting.js"

let server: Bundled
let folder: string
let client: Client | undefined
beforeAll(async () => void (server = await bundled("../interop/booking.ts")))
afterAll(() => server.remove())
afterEach(async () => {
  await client?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Where the process is killed. */
interface Kills {
  /** While the client is asked this, before it answers. */
  readonly asked?: ReadonlyArray<string>
  /** In a handler that runs. */
  readonly halt?: string
  readonly keyed?: boolean
}

async function booking(revision: typeof v2025_11_25, { asked = [], halt = "", keyed = false }: Kills) {
  folder = mkdtempSync(join(tmpdir(), "parley-"))
  const done = join(folder, "done")
  const env = { SESSION: join(folder, "session.json"), DONE: done, HALT: halt, ...(keyed && { KEYED: "1" }) }
  const process: Restarting = restarting(server.path, env)
  const questions: Array<string> = []
  client = await connect(process.channel, {
    clientInfo: { name: "client", version: "1.0.0" },
    revisions: [revision],
    answer: {
      elicit: async ({ message }) => {
        questions.push(message)
        if (asked.includes(message)) await process.kill({ HALT: halt })
        return { action: "accept", content: message === "Sure?" ? { sure: true } : { guests: 4 } }
      }
    }
  })
  expect(client.peer.revision).toBe(revision.name)
  return { client, process, questions, done: () => readFileSync(done, "utf8").trimEnd().split("\n") }
}

const [first, second] = ["How many guests?", "Sure?"]
const everything = ["look", "hold 4", "pay 4"]

describe.each([
  [v2025_06_18.name, v2025_06_18],
  [v2025_11_25.name, v2025_11_25]
])("a tool that asks twice, at %s", (_, revision) => {
  it.each<[string, ReadonlyArray<string>]>([
    ["at no time", []],
    ["before the first answer", [first]],
    ["before the second answer", [second]],
    ["before each answer", [first, second]]
  ])("is called to its end, and does everything once, when its process is killed %s", async (_, asked) => {
    const { client, process, questions, done } = await booking(revision, { asked })
    expect(textOf(await client.callTool("book"))).toBe("hold 4 is done, pay 4 is done")
    expect(questions).toEqual([first, second])
    expect(done()).toEqual(everything)
    expect(process.kills()).toBe(asked.length)
  })

  it("is called again by the same session when its process is killed after the result", async () => {
    const { client, process, done } = await booking(revision, {})
    await client.callTool("book")
    await process.kill()
    await client.ping()
    expect(done()).toEqual(everything)
    await client.callTool("book")
    expect(done()).toEqual([...everything, ...everything])
  })

  it.each([
    ["before the first question", ["look"]],
    ["before the second question", ["look", "hold 4"]],
    ["before the result", everything]
  ])("is told to be interrupted, and does nothing twice, when its handler is killed %s", async (halt, before) => {
    const { client, process, done } = await booking(revision, { halt })
    const calling = client.callTool("book").catch((error: unknown) => error)
    await process.line(`halted: ${halt}`)
    await process.kill()
    const error = await calling
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("restarted") })
    expect(done()).toEqual(before)
    await client.ping()
  })

  it.each(["before the first question", "before the second question", "before the result"])(
    "is called to its end when its handler is killed %s, and what it does may be done again",
    async (halt) => {
      const { client, process, questions, done } = await booking(revision, { halt, keyed: true })
      const calling = client.callTool("book")
      await process.line(`halted: ${halt}`)
      await process.kill()
      expect(textOf(await calling)).toBe("hold 4 is done, pay 4 is done")
      expect(questions).toEqual([first, second])
      expect(done()).toEqual(everything)
    }
  )
})
