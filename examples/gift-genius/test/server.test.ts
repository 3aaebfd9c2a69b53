import type { JsonObject } from "@parley/core"
import { revisions, v2024_11_05 } from "@parley/core/revisions"
import { serverMachine } from "@parley/core/server"
import { expect, it } from "vitest"
import { giftGenius } from "../src/server.js"
import { asking } from "./asking.js"

const promised = { tools: { listChanged: true }, resources: { listChanged: true }, prompts: {}, logging: {} }
const versions = revisions.map((revision) => [revision.name, revision] as const)

it.each(versions)("declares on %s exactly what it has", async (_, revision) => {
  const { client } = await asking({}, { revisions: [revision] })
  expect(client.peer.info).toEqual({ name: "gift-genius-backend", version: "0.2.0" })
  expect(client.peer.capabilities).toEqual(promised)
})

it.each(versions)("answers on %s nothing that it did not declare, whoever asks", async (version, { opening }) => {
  const { server } = giftGenius()
  await server.ready
  const machine = serverMachine(server.definition)
  let state = machine.initial
  const clientInfo = { name: "test", version: "1.0.0" }
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": clientInfo
  }
  const send = (id: number, method: string, params: JsonObject): unknown => {
    const json = { jsonrpc: "2.0", id, method, params: opening === "request" ? { ...params, _meta } : params }
    const [next, [first]] = machine.step(state, { _tag: "Received", json, via: "a" })
    state = next
    return first
  }
  if (opening === "handshake") send(0, "initialize", { protocolVersion: version, capabilities: {}, clientInfo })
  const refused = { _tag: "Send", message: { error: { code: -32601 } } }
  const [ref, argument] = [
    { type: "ref/prompt", name: "describe_gift" },
    { name: "gift", value: "k" }
  ]
  expect(send(1, "completion/complete", { ref, argument })).toMatchObject(refused)
  expect(send(2, "resources/subscribe", { uri: "category://toys" })).toMatchObject(refused)
})

it("declares completions and completes, when it is told to", async () => {
  const { client } = await asking({ completions: true })
  expect(client.peer.capabilities).toEqual({ ...promised, completions: {} })
  const { values, total } = await client.complete({ prompt: "describe_gift" }, { name: "gift", value: "knit" })
  expect(values).toEqual(["knitted-rabbit", "knitting-fork-kit", "hot-water-bottle-with-knitted-cover"])
  expect(total).toBe(3)
  expect(await client.complete({ template: "gift://{id}" }, { name: "id", value: "rabbit" })).toMatchObject({
    values: ["knitted-rabbit"]
  })
  expect(await client.complete({ prompt: "describe_gift" }, { name: "user", value: "a" })).toMatchObject({ values: [] })
})

it("completes on 2024-11-05, which has no capability to declare it by", async () => {
  const { client } = await asking({ completions: true }, { revisions: [v2024_11_05] })
  expect(client.peer.capabilities).toEqual(promised)
  const { values } = await client.complete({ prompt: "describe_gift" }, { name: "gift", value: "knitted-r" })
  expect(values).toEqual(["knitted-rabbit"])
})
