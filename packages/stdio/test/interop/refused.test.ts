/** A server that can not start says so and leaves. */
import { connect } from "@parley/client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { command } from "../../src/command.js"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"

let server: Bundled
beforeAll(async () => void (server = await bundled("../interop/refused.ts")))
afterAll(() => server.remove())

it("a server that can not start leaves with code 1, and says of which tool it is", async () => {
  let left!: (how: unknown) => void
  const exited = new Promise((resolve) => (left = resolve))
  const lines: Array<string> = []
  const channel = command(process.execPath, [server.path], {
    stderr: (line) => void lines.push(line),
    exited: (code, signal) => left([code, signal])
  })
  const opening = connect(channel, { clientInfo: { name: "client", version: "1.0.0" } })
  await expect(opening).rejects.toThrow("exited with code 1")
  expect(await exited).toEqual([1, null])
  expect(lines.join("\n")).toContain(
    "SchemaRefused: The input schema of tool either can not be used: An input schema must have type"
  )
})
