/** A server for other people's clients: one tool for each thing they must be able to do with it. */
import { handshakeRevisions } from "@parley/core/revisions"
import { defineServer, serve, tool } from "@parley/server"
import * as Schema from "effect/Schema"
import { stdio } from "../../src/stdio.js"

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const
const steps = { type: "object", properties: { steps: { type: "integer" } }, required: ["steps"] } as const

let finish = (): void => {}

const tools = [
  tool("echo", { description: "Says it again", input: text }, ({ text }) => text),
  tool(
    "add",
    {
      description: "Adds two numbers",
      input: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
      output: Schema.Struct({ sum: Schema.Finite })
    },
    ({ a, b }) => ({ sum: a + b })
  ),
  // It ends when it is told to, because the official clients drop progress that is read together with the reply.
  tool("count", { description: "Tells of each step", input: steps }, async ({ steps }, call) => {
    for (let step = 1; step <= steps; step++) call.progress(step, steps, `step ${step}`)
    await new Promise<void>((resolve) => (finish = resolve))
    return `counted to ${steps}`
  }),
  tool("finish", { description: "Lets count come to its end" }, () => finish()),
  tool("wait", { description: "Waits to be cancelled" }, (_, call) => {
    call.progress(1)
    return new Promise<string>((_resolve, reject) =>
      call.signal.addEventListener("abort", () => {
        process.stderr.write(`interrupted: ${(call.signal.reason as Error).message}\n`)
        reject(call.signal.reason as Error)
      })
    )
  })
]

// One revision when it is named, so that a client which proposes another is offered this one.
const only = process.env["REVISION"]
const revisions = handshakeRevisions.filter(({ name }) => only === undefined || name === only)
serve(
  defineServer({ name: "interop", version: "1.0.0" }, tools, {
    revisions,
    pageSize: 3,
    instructions: "Ask, and it shall be echoed."
  }),
  stdio(),
  {
    drainMs: Number(process.env["DRAIN_MS"] ?? 5_000),
    report: (report) => {
      if (report._tag === "Agreed") process.stderr.write(`agreed: ${report.asked} ${report.peer.revision}\n`)
    }
  }
)
