/** What an extension tells while the client does not read is kept once, and told on its streams when it reads again. */
import type { Extension } from "@parley/core"
import { notification } from "@parley/core"
import { expect, it } from "vitest"
import { byHand, text } from "../../driver/test/by-hand.js"
import { defineServer, extension, serve } from "../src/index.js"
import { envelope } from "./modern.js"

const id = "com.example/jobs"
const anything = () => undefined
const wire = {
  id,
  // Named as the specification names what is told of its own lists and resources.
  server: {
    "notifications/jobs/updated": notification("server", anything, { stream: true, filter: "jobs", by: "jobId" }),
    "notifications/jobs/list_changed": notification("server", anything, { stream: true, filter: "jobsChanged" })
  }
} satisfies Extension

it("is told once for each, whatever it is called, and not more than a thousand", async () => {
  const jobs = extension(wire, {})
  const channel = byHand()
  const opened = new Promise<void>((resolve) => {
    channel.open = (on) => {
      channel.on = on
      resolve()
    }
  })
  serve(defineServer({ name: "unread", version: "1.0.0" }, [], { extensions: [jobs] }), channel)
  await opened
  const many = Array.from({ length: 1_500 }, (_, n) => `job-${n}`)
  const _meta = envelope({ capabilities: { extensions: { [id]: {} } } })
  const params = { _meta, notifications: { jobs: many, jobsChanged: true } }
  void channel.on.frame(text({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }))
  const said = () =>
    channel.sent.splice(0).map(({ message }) => message as unknown as { method: string; params: { jobId: string } })
  expect(said()).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }])
  let free!: () => void
  channel.room = new Promise((resolve) => (free = resolve))
  const { room } = channel
  jobs.tell("notifications/jobs/list_changed", {})
  expect(said()).toHaveLength(1)
  for (let n = 0; n < 3; n++) jobs.tell("notifications/jobs/list_changed", {})
  for (let n = 0; n < 3; n++) for (const jobId of many) jobs.tell("notifications/jobs/updated", { jobId })
  expect(said()).toEqual([])
  channel.room = undefined
  free()
  await room
  await new Promise<void>((resolve) => setImmediate(resolve))
  const heard = said()
  expect(heard).toHaveLength(1_000)
  expect(heard.at(-1)).toMatchObject({
    method: "notifications/jobs/updated",
    params: { jobId: "job-1499", _meta: { "io.modelcontextprotocol/subscriptionId": "s" } }
  })
})
