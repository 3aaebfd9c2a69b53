/** A server by hand that runs its tools as tasks, one task at a time, as far as the test says. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import type { Report } from "@parley/core"
import { simulated } from "../../driver/test/simulated.js"
import type { ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import type { HandOptions } from "./hand.js"
import { hand, tool } from "./hand.js"

export const related = "io.modelcontextprotocol/related-task"
export const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

const at = "2026-01-02T00:00:00Z"
export const working = { taskId: "t", status: "working", createdAt: at, lastUpdatedAt: at, ttl: 60_000 }
export const completed = { ...working, status: "completed" }

export const tools = [
  tool("may", { execution: { taskSupport: "optional" } }),
  tool("must", { execution: { taskSupport: "required" } }),
  tool("never", { execution: { taskSupport: "forbidden" } }),
  tool("silent"),
  tool("typed", {
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    execution: { taskSupport: "optional" }
  })
]

export async function tasked(options: HandOptions = {}, more: Partial<ConnectOptions> = {}) {
  const server = hand({
    capabilities,
    ...options,
    answers: {
      "tools/list": () => ({ tools }),
      "tools/call": ({ task }) => (task === undefined ? { content: [] } : { task: working }),
      "tasks/get": () => working,
      "tasks/result": () => undefined,
      "tasks/cancel": () => ({ ...working, status: "cancelled" }),
      ...options.answers
    }
  })
  const reports: Array<Report> = []
  const clock = simulated()
  const client = await connect(server.channel, {
    clientInfo: { name: "client", version: "1.0.0" },
    revisions,
    clock,
    report: (report) => reports.push(report),
    ...more
  })
  /** Answers what was asked last by this method. */
  const reply = async (method: string, result: object, nth = -1) => {
    await server.until(() => server.asked(method).length > 0)
    server.send({ jsonrpc: "2.0", id: server.asked(method).at(nth).id, result })
  }
  const ignored = () => reports.flatMap((report) => (report._tag === "Ignored" ? [report.why] : []))
  return { server, client, clock, reply, ignored }
}

/** The next values of an iteration. */
export async function next<A>(iterator: AsyncIterator<A>, count: number): Promise<ReadonlyArray<A>> {
  const found: Array<A> = []
  while (found.length < count) {
    const { done, value } = await iterator.next()
    if (done === true) break
    found.push(value)
  }
  return found
}
