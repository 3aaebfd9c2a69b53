/** An official server asks our client: forms, pages, its model and its roots, over real pipes. */
import { handshakeRevisions } from "@parley/core/revisions"
import type { Answers } from "@parley/client"
import { CallError, Rejected } from "@parley/client"
import { afterEach, describe, expect, it } from "vitest"
import { closeAll, talk, textOf } from "./peer.js"

afterEach(closeAll)

const everything = "server-everything"
const withRevision = handshakeRevisions.map((revision) => [revision.name, revision] as const)

/** Tools that ask are registered once the server knows the client, which it tells. */
async function asking(answer: Answers, revisions = handshakeRevisions) {
  const talking = await talk(everything, { answer, revisions })
  await talking.told("notifications/tools/list_changed")
  return talking
}

describe.each(withRevision)("@modelcontextprotocol/server-everything 2026.8.31 at %s", (name, revision) => {
  it("samples from the client's model", async () => {
    const asked: Array<unknown> = []
    const { client } = await asking(
      {
        sample: (request) => {
          asked.push(request.systemPrompt)
          return { role: "assistant", model: "small", content: [{ type: "text", text: "42" }], stopReason: "endTurn" }
        }
      },
      [revision]
    )
    const said = textOf(await client.callTool("trigger-sampling-request", { prompt: "six by seven" }))
    expect(asked).toEqual(["You are a helpful test server."])
    expect(said).toContain('"text": "42"')
    expect(said).toContain('"model": "small"')
  })

  it("is told that the user rejected a sampling", async () => {
    const { client } = await asking({ sample: () => Promise.reject(new Rejected("User rejected sampling request")) }, [
      revision
    ])
    const result = await client.callTool("trigger-sampling-request", { prompt: "x" })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain("User rejected sampling request")
  })

  it("lists the client's roots, and hears when they change", async () => {
    let roots = [{ uri: "file:///here", name: "here" }]
    const talking = await talk(everything, {
      answer: { roots: { list: () => roots, listChanged: true } },
      revisions: [revision]
    })
    const { client, told, rootsChanged } = talking
    await told("notifications/tools/list_changed")
    expect(textOf(await client.callTool("get-roots-list"))).toContain("file:///here")
    roots = [{ uri: "file:///there", name: "there" }, ...roots]
    rootsChanged()
    await told("notifications/message", ({ data }: { data: string }) => data.startsWith("Roots updated: 2"))
    expect(textOf(await client.callTool("get-roots-list"))).toContain("file:///there")
  })
})

describe("a form of @modelcontextprotocol/server-everything 2026.8.31", () => {
  it("with fields of every kind is answered, defaults filled in", async () => {
    const { client } = await asking({ elicit: () => ({ action: "accept", content: { name: "Ada", check: true } }) })
    const said = textOf(await client.callTool("trigger-elicitation-request"))
    expect(said).toContain("- Name: Ada")
    expect(JSON.parse(said.slice(said.indexOf("Raw result: ") + "Raw result: ".length))).toEqual({
      action: "accept",
      content: {
        name: "Ada",
        check: true,
        firstLine: "It was a dark and stormy night.",
        integer: 42,
        number: 3.14,
        untitledSingleSelectEnum: "Monica",
        untitledMultipleSelectEnum: ["Guitar"],
        titledSingleSelectEnum: "hero-1",
        titledMultipleSelectEnum: ["fish-1"],
        legacyTitledEnum: "pet-1"
      }
    })
  })

  it.each(["decline", "cancel"] as const)("is met with %s", async (action) => {
    const { client } = await asking({ elicit: () => ({ action }) })
    expect(textOf(await client.callTool("trigger-elicitation-request"))).toContain(`"action": "${action}"`)
  })

  it("is not answered with what does not fit", async () => {
    const { client, reports } = await asking({ elicit: () => ({ action: "accept", content: { integer: 101 } }) })
    const result = await client.callTool("trigger-elicitation-request")
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain("elicitation/create could not be answered")
    expect(reports).toContainEqual({
      _tag: "Unsendable",
      method: "elicitation/create",
      why: "the answer does not fit the form: name: missing; integer: must be at most 100"
    })
  })

  it("of kinds that 2025-06-18 does not have is refused there", async () => {
    const older = handshakeRevisions.filter(({ name }) => name === "2025-06-18")
    const { client, reports } = await asking({ elicit: () => ({ action: "accept", content: {} }) }, older)
    expect((await client.callTool("trigger-elicitation-request")).isError).toBe(true)
    expect(reports).toContainEqual(expect.objectContaining({ _tag: "Refused", method: "elicitation/create" }))
  })
})

describe("a page of @modelcontextprotocol/server-everything 2026.8.31", () => {
  const page = { url: "https://example.com/pay?for=1", message: "Pay", elicitationId: "mine" }

  it("is visited with consent", async () => {
    const seen: Array<unknown> = []
    const { client } = await asking({
      elicit: { url: ({ url, elicitationId }, { host }) => (seen.push(url, elicitationId, host), { action: "accept" }) }
    })
    expect(textOf(await client.callTool("trigger-url-elicitation", page))).toContain("✅")
    expect(seen).toEqual([page.url, "mine", "example.com"])
  })

  it("is what an error asks for, and then the call is made again", async () => {
    const { client } = await asking({ elicit: { url: () => ({ action: "accept" }) } })
    const args = { ...page, errorPath: true }
    const error = await client.callTool("trigger-url-elicitation", args).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({
      code: -32042,
      elicitations: [{ mode: "url", url: "https://modelcontextprotocol.io" }]
    })
    expect(textOf(await client.callTool("trigger-url-elicitation", args))).toContain("✅")
  })
})
