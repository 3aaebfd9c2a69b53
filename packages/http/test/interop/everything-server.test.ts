/** Our client and all of an official server over HTTP, in every handshake revision and by every way that there is. */
import type { Answers } from "@parley/client"
import { Rejected, expandTemplate } from "@parley/client"
import type { Revision } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it, vi } from "vitest"
import { closeAll, talk, ways, wordsOf } from "./everything-site.js"

afterEach(closeAll)

const all = (Object.keys(ways) as ReadonlyArray<keyof typeof ways>).flatMap((way) =>
  handshakeRevisions.map((revision) => [way, revision.name, revision] as const)
)
/** Where a server can say something that nobody asked for. */
const lasting = all.filter(([way]) => way !== "without sessions")
const server = "@modelcontextprotocol/server-everything 2026.8.31"
const long = "trigger-long-running-operation"

/** Tools that ask are registered once the server knows the client; who does not listen yet may not hear of it. */
async function asking(way: keyof typeof ways, revision: Revision, tool: string, answer: Answers) {
  const talking = await talk(way, { answer, revisions: [revision] })
  const names = async () => (await talking.client.listTools()).map(({ name }) => name)
  await vi.waitFor(async () => expect(await names()).toContain(tool), { interval: 5 })
  return talking
}

describe.each(all)(`${server} %s at %s`, (way, name, revision) => {
  it("agrees, lists, calls, tells of progress and is cancelled", async () => {
    const { client, sent, reports, busy } = await talk(way, { revisions: [revision] })
    expect(client.peer.revision).toBe(name)
    await client.ping()
    expect((await client.listTools()).map((tool) => tool.name)).toContain(long)
    expect(wordsOf(await client.callTool("echo", { message: "hello 👋\n" }))).toBe("Echo: hello 👋\n")
    await expect(client.callTool("echo", { message: 1 })).rejects.toMatchObject({
      reason: { _tag: "ArgumentsInvalid", tool: "echo" }
    })
    const heard: Array<number> = []
    const onProgress = ({ progress }: { readonly progress: number }): void => void heard.push(progress)
    await client.callTool(long, { duration: 0.03, steps: 3 }, { onProgress })
    expect(heard).toEqual([1, 2, 3])
    const controller = new AbortController()
    const endless = client.callTool(
      long,
      { duration: 3_600, steps: 360_000 },
      { signal: controller.signal, onProgress: () => controller.abort(new Error("enough")) }
    )
    await expect(endless).rejects.toMatchObject({ reason: { _tag: "Abandoned", reason: "enough" } })
    expect(sent.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { reason: "enough" } })
    await client.ping()
    // What was told of the call, and was on its way.
    expect(reports.filter(({ _tag }) => !["Agreed", "Ignored"].includes(_tag))).toEqual([])
    await client.close()
    await vi.waitFor(() => expect(busy()).toBe(0), { interval: 5 })
  })

  it("has resources, prompts and suggestions", async () => {
    const { client, reports } = await talk(way, { revisions: [revision] })
    const features = (await client.listResources()).find((one) => one.name === "features.md")!
    expect((await client.readResource(features.uri)).contents).toMatchObject([
      { uri: features.uri, text: expect.stringContaining("Everything Server") as unknown }
    ])
    const [template] = await client.listResourceTemplates()
    expect((await client.readResource(expandTemplate(template!, { resourceId: 7 }))).contents).toMatchObject([
      { text: expect.stringContaining("Resource 7") as unknown }
    ])
    await expect(client.readResource("demo://nowhere")).rejects.toMatchObject({ reason: { _tag: "Answered" } })
    expect((await client.listPrompts()).map((prompt) => prompt.name)).toContain("args-prompt")
    expect(await client.getPrompt("args-prompt", { city: "Lund", state: "Skåne" })).toMatchObject({
      messages: [{ content: { text: "What's weather in Lund, Skåne?" } }]
    })
    await expect(client.getPrompt("args-prompt")).rejects.toMatchObject({ code: -32602 })
    const department = { name: "department", value: "S" }
    const suggested = await client.complete({ prompt: "completable-prompt" }, department)
    expect(suggested.values).toEqual(["Sales", "Support"])
    expect(reports.filter(({ _tag }) => _tag !== "Agreed")).toEqual([])
  })
})

describe.each(lasting)(`${server} %s at %s`, (way, _, revision) => {
  it("samples from the client's model, and hears of a rejection", async () => {
    let rejects = false
    const { client } = await asking(way, revision, "trigger-sampling-request", {
      sample: async ({ systemPrompt }) => {
        if (rejects) throw new Rejected("not today")
        return { role: "assistant", model: "small", content: { type: "text", text: `42, ${systemPrompt}` } }
      }
    })
    const sampled = await client.callTool("trigger-sampling-request", { prompt: "six by seven" })
    expect(wordsOf(sampled)).toContain("42, You are a helpful test server.")
    rejects = true
    expect(wordsOf(await client.callTool("trigger-sampling-request", { prompt: "x" }))).toContain("not today")
  })

  it("lists the client's roots, and hears when they change", async () => {
    let roots = [{ uri: "file:///here", name: "here" }]
    const { client, told, rootsChanged } = await asking(way, revision, "get-roots-list", {
      roots: { list: () => roots, listChanged: true }
    })
    expect(wordsOf(await client.callTool("get-roots-list"))).toContain("file:///here")
    roots = [{ uri: "file:///there", name: "there" }, ...roots]
    rootsChanged()
    await told("notifications/message", ({ data }: { data: string }) => data.startsWith("Roots updated: 2"))
    expect(wordsOf(await client.callTool("get-roots-list"))).toContain("file:///there")
  })

  it("tells of updates to what was subscribed to, and logs at the level that was set", async () => {
    const { client, sent, told } = await talk(way, { revisions: [revision] })
    await client.setLogLevel("debug")
    const uri = "demo://resource/dynamic/text/1"
    const subscription = client.subscribe(uri)
    await subscription.ready
    await told("notifications/message", ({ level }: { level: string }) => level === "info")
    await client.callTool("toggle-subscriber-updates")
    for await (const update of subscription) {
      expect(update.uri).toBe(uri)
      break
    }
    await client.ping()
    const methods = sent.flatMap(({ method }) => (method?.includes("subscribe") === true ? [method] : []))
    expect(methods).toEqual(["resources/subscribe", "resources/unsubscribe"])
  })
})

describe.each(lasting.filter(([, name]) => name === "2025-11-25"))(`${server} %s at %s`, (way, _, revision) => {
  it("asks by a form with fields of every kind", async () => {
    const content = { name: "Ada", check: true }
    const { client } = await asking(way, revision, "trigger-elicitation-request", {
      elicit: () => ({ action: "accept", content })
    })
    const said = wordsOf(await client.callTool("trigger-elicitation-request"))
    expect(said).toContain("- Name: Ada")
    expect(said).toContain('"titledMultipleSelectEnum": [')
  })

  it("runs a tool as a task that asks in its course", async () => {
    const content = { interpretation: "snake" }
    const { client } = await asking(way, revision, "simulate-research-query", {
      elicit: () => ({ action: "accept", content })
    })
    const task = await client.startTool("simulate-research-query", { topic: "python", ambiguous: true })
    expect(wordsOf(await task.result())).toContain("python (snake)")
  }, 30_000)
})
