/** One tool that asks twice, at 2026-07-28: each answer reaches another process, which has the key and nothing else. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"

let server: Bundled
let folder: string
beforeAll(async () => void (server = await bundled("../interop/booking.ts")))
afterAll(() => server.remove())
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-"))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const key = "01".repeat(32)
const done = (): ReadonlyArray<string> => readFileSync(join(folder, "done"), "utf8").trimEnd().split("\n")
const guests = { guests: { action: "accept", content: { guests: 4 } } }
const sure = { sure: { action: "accept", content: { sure: true } } }
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages as they came
type Reply = any
let id = 0

/** One call of the tool in a process of its own, which is killed once it has replied, or left alone with the end of its input. */
async function booked(more: object = {}, env: Readonly<Record<string, string>> = {}, kill = true): Promise<Reply> {
  const child = spawn(process.execPath, [server.path], {
    env: { DONE: join(folder, "done"), SEAL_KEY: key, ...env },
    stdio: ["pipe", "pipe", "ignore"]
  })
  const gone = new Promise((resolve) => child.once("close", resolve))
  const params = { name: "book", arguments: {}, ...more, _meta }
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params })}\n`)
  if (!kill) child.stdin.end()
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (kill) child.kill("SIGKILL")
  expect(await gone).toBe(kill ? null : 0)
  const reply: Reply = JSON.parse(value as string)
  return reply.result ?? reply.error
}

it("is called to its end by three processes, and does everything once", async () => {
  const first = await booked()
  expect(first).toMatchObject({
    resultType: "input_required",
    inputRequests: { guests: { method: "elicitation/create" } }
  })
  expect(done()).toEqual(["look"])
  const second = await booked({ requestState: first.requestState, inputResponses: guests })
  expect(second).toMatchObject({
    resultType: "input_required",
    inputRequests: { sure: { method: "elicitation/create" } }
  })
  expect(done()).toEqual(["look", "hold 4"])
  const last = await booked({ requestState: second.requestState, inputResponses: sure })
  expect(last).toMatchObject({ resultType: "complete", content: [{ text: "hold 4 is done, pay 4 is done" }] })
  expect(done()).toEqual(["look", "hold 4", "pay 4"])
})

it("is asked for all it needs by clients that say one thing each and then end", async () => {
  const first = await booked({}, {}, false)
  const second = await booked({ requestState: first.requestState, inputResponses: guests }, {}, false)
  const last = await booked({ requestState: second.requestState, inputResponses: sure }, {}, false)
  expect(last.content[0].text).toBe("hold 4 is done, pay 4 is done")
  expect(done()).toEqual(["look", "hold 4", "pay 4"])
})

describe("a state that another process", () => {
  const other = "02".repeat(32)
  it.each<[string, (state: string) => object, Readonly<Record<string, string>>]>([
    ["finds changed", (state) => ({ requestState: `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}` }), {}],
    ["finds too old", (requestState) => ({ requestState }), { SEAL_TTL_MS: "0" }],
    ["has no key for", (requestState) => ({ requestState }), { SEAL_KEY: other }],
    ["gets with another request", (requestState) => ({ requestState, arguments: { day: "monday" } }), {}]
  ])("%s is refused, and nothing is done", async (_, retry, env) => {
    const { requestState } = await booked({}, { ...env, SEAL_KEY: key })
    const error = await booked({ inputResponses: guests, ...retry(requestState) }, env)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("requestState") })
    expect(done()).toEqual(["look"])
  })
})
