/** A client, and a server by hand that speaks 2026-07-28 and tells of changes on the streams that it was asked for. */
import type { Report } from "@parley/core"
import type { Channel } from "@parley/driver"
import type { ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import type { HandOptions } from "./hand.js"
import { hand } from "./hand.js"

export const clientInfo = { name: "client", version: "1.0.0" }
const tag = "io.modelcontextprotocol/subscriptionId"
const all = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true }
}

export type Filter = { readonly [member: string]: true | ReadonlyArray<string> }

export async function listened(
  options: HandOptions = {},
  more: Partial<ConnectOptions> = {},
  by: (channel: Channel) => Channel = (channel) => channel
) {
  const server = hand({ revision: "2026-07-28", capabilities: all, ...options })
  /** Begins a stream as it was asked for, or with less. */
  const acknowledge = (id: number, notifications: Filter = asked(id)) =>
    server.tell("notifications/subscriptions/acknowledged", { notifications, _meta: { [tag]: id } })
  const asked = (id: number): Filter => server.heard.find((one) => one.id === id).params.notifications
  server.answers["subscriptions/listen"] ??= (_, id) => acknowledge(id)
  const reports: Array<Report> = []
  const client = await connect(by(server.channel), { clientInfo, report: (report) => reports.push(report), ...more })
  /** What is on the way has arrived, on both sides. */
  const settled = async () => {
    for (let i = 0; i < 4; i++) await client.ping()
  }
  /** What was asked for, and what was given up, in order. */
  const told = async () => {
    await settled()
    return server.heard.flatMap(({ method, params, id }) =>
      method === "subscriptions/listen"
        ? [[id, params.notifications]]
        : method === "notifications/cancelled"
          ? [[params.requestId, "over"]]
          : []
    )
  }
  const tell = (id: number, method: string, params: object = {}) =>
    server.tell(`notifications/${method}`, { ...params, _meta: { [tag]: id } })
  const updated = (id: number, uri: string) => tell(id, "resources/updated", { uri })
  const end = (id: number) =>
    server.send({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [tag]: id } } })
  const streams = () => server.asked("subscriptions/listen").map(({ id }) => id as number)
  const ignored = () => reports.flatMap((report) => (report._tag === "Ignored" ? [report.why] : []))
  return { server, client, acknowledge, settled, told, tell, updated, end, streams, ignored }
}
