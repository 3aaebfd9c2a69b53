/** The small extension between two processes: long work, asked for and told of, and what becomes of it where one side is without. */
import { handshakeRevisions } from "@parley/core/revisions"
import { connect } from "@parley/client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { parleyTest } from "../../../testing/test/parley-test.js"
import { command } from "../../src/command.js"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"

const clientInfo = { name: "client", version: "1.0.0" }
const extensions = [parleyTest] as const

let program: Bundled
beforeAll(async () => void (program = await bundled("../interop/extension-server.ts")))
afterAll(() => program.remove())

const server = (env: Readonly<Record<string, string>> = {}) =>
  command(process.execPath, [program.path], { stderr: "pipe", env })

it("a job is begun, told of when it is done, and asked for", async () => {
  const client = await connect(server(), { clientInfo, extensions })
  try {
    const begun = await client.callTool("dig")
    if (begun.resultType !== "job") throw new Error("no job")
    const { jobId } = begun
    expect(await client.request("jobs/get", { jobId })).toMatchObject({ jobId, status: "working" })
    const done = new Promise<unknown>((resolve) => client.on("notifications/jobs/changed", resolve, [jobId]))
    const waited = client.request("jobs/wait", { jobId }, { onProgress: () => void client.callTool("find") })
    expect(await waited).toMatchObject({ jobId, status: "completed" })
    expect(await done).toMatchObject({ jobId, status: "completed" })
  } finally {
    await client.close()
  }
})

it.each([
  ["a client without it", {}, {}, "MethodUnknown"],
  ["a server without it", { extensions }, { WITHOUT: "it" }, "MethodUndeclared"],
  ["an older client", { extensions, revisions: handshakeRevisions }, {}, "MethodUnknown"]
] as const)("%s gets the complete result, and sends nothing of it", async (_, options, env, refusal) => {
  const client = await connect(server(env), {
    clientInfo,
    ...options,
    extensions: "extensions" in options ? extensions : []
  })
  try {
    const dug = client.callTool("dig")
    await client.callTool("find")
    expect(await dug).toMatchObject({ content: [{ type: "text", text: "found it" }] })
    await expect(client.request("jobs/get", { jobId: "job-1" })).rejects.toMatchObject({ reason: { _tag: refusal } })
  } finally {
    await client.close()
  }
})
