/** A client that answers, and a server by hand that asks it. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import type { Report } from "@parley/core"
import { simulated } from "../../driver/test/simulated.js"
import type { AnswerForm, Answers, AnswerTasks, Asking, FormAnswer } from "../src/index.js"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"

export const clientInfo = { name: "client", version: "1.0.0" }

export async function answering(answer: Answers, revision = "2025-11-25") {
  const server = hand({ revision })
  const reports: Array<Report> = []
  const clock = simulated()
  const client = await connect(server.channel, {
    clientInfo,
    revisions,
    answer,
    clock,
    report: (report) => reports.push(report)
  })
  let last = 0
  const ask = (method: string, params?: object) => {
    const id = `q${++last}`
    server.send({ jsonrpc: "2.0", id, method, ...(params && { params }) })
    return server.until((message) => message.id === id && message.method === undefined)
  }
  const unsendable = () => reports.flatMap((report) => (report._tag === "Unsendable" ? [report.why] : []))
  return { server, client, clock, ask, reports, unsendable }
}

export const form = (properties: object, required: ReadonlyArray<string> = []) => ({
  message: "Please",
  requestedSchema: { type: "object", properties, required }
})
export const page = { mode: "url", message: "Pay", url: "https://pay.example/now?for=1", elicitationId: "e" }
export const accepting =
  (content: object): AnswerForm =>
  () => ({ action: "accept", content: content as {} })

/** A client whose user answers when the test says so. */
export async function slow(tasks: true | AnswerTasks = true, more: Answers = {}, revision?: string) {
  const asked: Array<Asking> = []
  const answers: Array<(answer: FormAnswer) => void> = []
  const elicit: AnswerForm = (_, asking) => {
    asked.push(asking)
    return new Promise((resolve) => answers.push(resolve))
  }
  const talking = await answering({ elicit, tasks, ...more }, revision)
  const { ask, server } = talking
  const start = async (more: object = {}) =>
    (await ask("elicitation/create", { ...form({ n: { type: "integer" } }), task: {}, ...more })).result?.task
  const about = async (method: string, taskId: string) => {
    const { result, error } = await ask(method, { taskId })
    return result ?? error
  }
  const told = () => server.asked("notifications/tasks/status").map(({ params }) => params)
  return { ...talking, asked, answers, start, about, told }
}
