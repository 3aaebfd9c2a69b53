/** 2026-07-28 over HTTP: headers say what the body says, or the request is refused. */
import { describe, expect, it, vi } from "vitest"
import { asking, body, modern, turns } from "./asking.js"
import { call, ran, server } from "./served.js"

describe("what headers repeat", () => {
  const args = { region: "us-west1", level: 42, dry: false, deep: { down: " x " } }
  const said = {
    "mcp-param-region": "us-west1",
    "mcp-param-level": "42",
    "mcp-param-dry": "false",
    "mcp-param-down": "=?base64?IHggPQ==?=".replace("IHggPQ==", "IHgg")
  }

  it.each([
    ["as it is", call("mirrors", args), said],
    ["an integer in other words", call("mirrors", args), { ...said, "mcp-param-level": "42.0" }],
    ["nothing for what is not there", call("mirrors", {}), {}],
    ["nothing for null", call("mirrors", { region: null, deep: null }), {}],
    ["nothing for what no header says", call("mirrors", { region: {}, level: 1.5 }), {}],
    ["a header that no tool knows", call("plain"), { "mcp-param-other": "x" }],
    ["Base64 where it need not be", call("plain"), { "mcp-name": "=?base64?cGxhaW4=?=" }]
  ] as const)("is taken: %s", async (_, message, other) => {
    const { post } = await asking(server)
    const answer = await post(message, other)
    expect(answer.status()).toBe(200)
    expect(answer.json().result).toBeDefined()
  })

  it.each([
    ["MCP-Protocol-Version", "is missing", call("plain"), { "mcp-protocol-version": undefined }],
    ["MCP-Protocol-Version", "2025-11-25", call("plain"), { "mcp-protocol-version": "2025-11-25" }],
    ["Mcp-Method", "is missing", call("plain"), { "mcp-method": undefined }],
    ["Mcp-Method", "tools/list", call("plain"), { "mcp-method": "tools/list" }],
    ["Mcp-Method", "TOOLS/CALL", call("plain"), { "mcp-method": "TOOLS/CALL" }],
    ["Mcp-Name", "is missing", call("plain"), { "mcp-name": undefined }],
    ["Mcp-Name", '"other"', call("plain"), { "mcp-name": "other" }],
    ["Mcp-Name", '"Plain"', call("plain"), { "mcp-name": "Plain" }],
    ["Mcp-Name", "characters", call("plain"), { "mcp-name": "pl\u00e4in" }],
    ["Mcp-Name", "characters", call("plain"), { "mcp-name": "=?base64?%%%%?=" }],
    ["Mcp-Name", "characters", call("plain"), { "mcp-name": "=?base64?/w==?=" }],
    ["Mcp-Name", "is missing", body("resources/read", { uri: "test://one" }), { "mcp-name": undefined }],
    ["Mcp-Name", "is missing", body("prompts/get", { name: "greet" }), { "mcp-name": undefined }],
    ["Mcp-Name", "is missing", body("jobs/get", { jobId: "1" }), {}],
    ["Mcp-Name", '"2"', body("jobs/get", { jobId: "1" }), { "mcp-name": "2" }],
    ["Mcp-Param-Region", "is missing", call("mirrors", args), { ...said, "mcp-param-region": undefined }],
    ["Mcp-Param-Region", "us-east1", call("mirrors", args), { ...said, "mcp-param-region": "us-east1" }],
    ["Mcp-Param-Region", "no such value", call("mirrors", {}), { "mcp-param-region": "us-east1" }],
    ["Mcp-Param-Level", '"43"', call("mirrors", args), { ...said, "mcp-param-level": "43" }],
    ["Mcp-Param-Level", '"0x2a"', call("mirrors", args), { ...said, "mcp-param-level": "0x2a" }],
    ["Mcp-Param-Dry", '"False"', call("mirrors", args), { ...said, "mcp-param-dry": "False" }],
    ["Mcp-Param-Down", '"x"', call("mirrors", args), { ...said, "mcp-param-down": "x" }]
  ] as const)("is refused: %s, %s", async (header, why, message, other) => {
    ran.mockClear()
    const report = vi.fn<() => void>()
    const { post } = await asking(server, { report })
    const answer = await post(message, other)
    expect([answer.status(), answer.json().error.code, answer.json().id]).toEqual([400, -32020, 1])
    expect(answer.json().error.message).toContain(header)
    expect(answer.json().error.message).toContain(why)
    expect(report).toHaveBeenCalledOnce()
    expect(ran).not.toHaveBeenCalled()
  })

  it("is looked at in the body that runs: of two members of one name the last counts for both", async () => {
    const { send } = await asking(server)
    const text = JSON.stringify(call("plain")).replace('"name":"plain"', '"name":"none","name":"plain"')
    const answer = send({ headers: modern(call("plain")), body: text })
    await turns()
    expect(answer.json().result).toBeDefined()
  })
})
