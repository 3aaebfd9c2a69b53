/** Resources, prompts, completion, subscriptions and logging of an official server, over real pipes. */
import { handshakeRevisions } from "@parley/core/revisions"
import { expandTemplate } from "@parley/client"
import { afterEach, describe, expect, it } from "vitest"
import { closeAll, talk } from "./peer.js"

afterEach(closeAll)

describe.each(handshakeRevisions.map((revision) => [revision.name, revision] as const))(
  "@modelcontextprotocol/server-everything 2026.8.31 at %s",
  (name, revision) => {
    it("lists its resources and templates, and reads them", async () => {
      const { client, reports } = await talk("server-everything", { revisions: [revision] })
      const resources = await client.listResources()
      expect(resources.map(({ name }) => name)).toContain("features.md")
      const features = resources.find(({ name }) => name === "features.md")!
      const [page] = (await client.readResource(features.uri)).contents
      expect(page).toMatchObject({ uri: features.uri, text: expect.stringContaining("Everything Server") })

      const templates = await client.listResourceTemplates()
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        "demo://resource/dynamic/text/{resourceId}",
        "demo://resource/dynamic/blob/{resourceId}"
      ])
      const [text, blob] = await Promise.all(
        templates.map(async (template) => client.readResource(expandTemplate(template, { resourceId: 7 })))
      )
      expect(text?.contents[0]).toMatchObject({ text: expect.stringContaining("Resource 7") })
      const { blob: bytes } = blob!.contents[0] as { readonly blob: string }
      expect(Buffer.from(bytes, "base64").toString()).toContain("Resource 7")
      await expect(client.readResource("demo://nowhere")).rejects.toMatchObject({ reason: { _tag: "Answered" } })
      expect(reports.filter(({ _tag }) => _tag !== "Agreed")).toEqual([])
    })

    it("lists its prompts, and makes them", async () => {
      const { client } = await talk("server-everything", { revisions: [revision] })
      const names: Array<string> = []
      for await (const { name } of client.prompts()) names.push(name)
      expect(names).toEqual(["simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"])
      expect(await client.getPrompt("args-prompt", { city: "Lund", state: "Skåne" })).toMatchObject({
        messages: [{ role: "user", content: { type: "text", text: "What's weather in Lund, Skåne?" } }]
      })
      const { messages } = await client.getPrompt("resource-prompt", { resourceType: "Text", resourceId: "3" })
      expect(messages.at(-1)?.content).toMatchObject({
        type: "resource",
        resource: { uri: "demo://resource/dynamic/text/3" }
      })
      await expect(client.getPrompt("args-prompt")).rejects.toMatchObject({ code: -32602 })
      await expect(client.getPrompt("none")).rejects.toMatchObject({ code: -32602 })
    })

    it("suggests values for prompts and templates", async () => {
      const { client } = await talk("server-everything", { revisions: [revision] })
      const prompt = "completable-prompt"
      expect((await client.complete({ prompt }, { name: "department", value: "S" })).values).toEqual([
        "Sales",
        "Support"
      ])
      const given = { department: "Sales" }
      const names = await client.complete({ prompt }, { name: "name", value: "" }, { given })
      // Where there is no place for what is given, the server can not know the department.
      expect(names.values).toEqual(name >= "2025-06-18" ? ["David", "Eve", "Frank"] : [])
      const template = "demo://resource/dynamic/text/{resourceId}"
      expect((await client.complete({ template }, { name: "resourceId", value: "12" })).values).toEqual(["12"])
    })

    it("tells of updates to what was subscribed to", async () => {
      const { client, sent } = await talk("server-everything", { revisions: [revision] })
      const uri = "demo://resource/dynamic/text/1"
      const subscription = client.subscribe(uri)
      await subscription.ready
      await client.callTool("toggle-subscriber-updates")
      for await (const update of subscription) {
        expect(update.uri).toBe(uri)
        break
      }
      await client.ping()
      expect(sent.flatMap(({ method }) => (method?.includes("subscribe") === true ? [method] : []))).toEqual([
        "resources/subscribe",
        "resources/unsubscribe"
      ])
    })

    it("logs at the level that was set", async () => {
      const { client, told } = await talk("server-everything", { revisions: [revision] })
      await client.setLogLevel("emergency")
      const uri = "demo://resource/dynamic/text/1"
      // The server says so at the level info.
      await client.request("resources/subscribe", { uri })
      await client.setLogLevel("debug")
      await client.request("resources/unsubscribe", { uri })
      expect(await told("notifications/message")).toMatchObject({
        level: "info",
        data: expect.stringContaining("Received Unsubscribe")
      })
    })
  }
)
