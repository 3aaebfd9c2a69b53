/** Lists that change while their pages are gathered or read. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import type { Report } from "@parley/core"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("a list that changes while its pages are gathered", () => {
  const invalid = { error: { code: -32602, message: "Invalid cursor" } }
  const cursors = (server: ReturnType<typeof hand>) => server.asked("tools/list").map(({ params }) => params?.cursor)
  const listChanged = { capabilities: { tools: { listChanged: true } } }
  const names = (tools: ReadonlyArray<{ readonly name: string }>) => tools.map(({ name }) => name)

  it("is gathered anew when the server knows the cursor no longer", async () => {
    const reports: Array<Report> = []
    const server = hand()
    server.answers["tools/list"] = (params?: { cursor: string }) => {
      if (params === undefined) return { tools: [tool("old")], nextCursor: "gone" }
      server.answers["tools/list"] = () => ({ tools: [tool("new")] })
      return invalid
    }
    const client = await connect(server.channel, { clientInfo, revisions, report: (report) => reports.push(report) })
    expect(names(await client.listTools())).toEqual(["new"])
    expect(cursors(server)).toEqual([undefined, "gone", undefined])
    expect(reports.flatMap((report) => (report._tag === "Ignored" ? [report.why] : []))).toEqual([
      "the pages were dropped and the list is begun anew: the server knows the cursor no longer"
    ])
  })

  it("is gathered anew also for the schemas that a call needs", async () => {
    const server = hand()
    server.answers["tools/list"] = (params?: { cursor: string }) => {
      if (params === undefined) return { tools: [tool("old")], nextCursor: "gone" }
      server.answers["tools/list"] = () => ({ tools: [tool("new")] })
      return invalid
    }
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("new")
    expect(cursors(server)).toEqual([undefined, "gone", undefined])
  })

  it("is given up when the server never knows its cursors, with what was found last", async () => {
    const server = hand()
    server.answers["tools/list"] = (params?: object) => (params ? invalid : { tools: [tool("a")], nextCursor: "b" })
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.listTools()).rejects.toMatchObject({
      code: -32602,
      message:
        "tools/list can not go on after 1 page: the list has changed, and is to be read again from the start (error -32602: Invalid cursor); 1 item was found",
      reason: { _tag: "CursorInvalid", pages: 1, items: [tool("a")] }
    })
    expect(cursors(server)).toEqual([undefined, "b", undefined, "b", undefined, "b", undefined, "b"])
  })

  it("is gathered in no more pages and no more time for that", async () => {
    const clock = simulated()
    const server = hand()
    server.answers["tools/list"] = (params?: object) => {
      clock.advance(10)
      return params ? invalid : { tools: [tool("a")], nextCursor: "b" }
    }
    const client = await connect(server.channel, { clientInfo, revisions, clock })
    await expect(client.listTools({ maxPages: 2 })).rejects.toMatchObject({
      reason: { _tag: "WalkTooLong", pages: 2, items: [tool("a")] }
    })
    expect(cursors(server)).toEqual([undefined, "b", undefined])
    await expect(client.listTools({ totalMs: 35 })).rejects.toMatchObject({ reason: { _tag: "WalkTooLong", ms: 35 } })
  })

  it("fails as its page does when that is refused for something else, or had no cursor", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    server.answers["tools/list"] = () => invalid
    await expect(client.listTools()).rejects.toMatchObject({ code: -32602, reason: { _tag: "Answered" } })
    server.answers["tools/list"] = (params?: object) =>
      params ? { error: { code: -32603, message: "no" } } : { tools: [], nextCursor: "b" }
    await expect(client.listTools()).rejects.toMatchObject({ code: -32603, reason: { _tag: "Answered" } })
    expect(server.asked("tools/list")).toHaveLength(3)
  })

  it("ends where it is read page by page, and what was read stays read", async () => {
    const server = hand()
    server.answers["tools/list"] = (params?: object) => (params ? invalid : { tools: [tool("a")], nextCursor: "b" })
    const client = await connect(server.channel, { clientInfo, revisions })
    for (const read of [client.tools(), client.tools().pages()]) {
      const seen: Array<unknown> = []
      const reading = async () => {
        for await (const some of read) seen.push(...[some].flat())
      }
      await expect(reading()).rejects.toMatchObject({
        message:
          "tools/list can not go on after 1 page: the list has changed, and is to be read again from the start (error -32602: Invalid cursor)",
        reason: { _tag: "CursorInvalid", pages: 1, error: invalid.error, items: [] }
      })
      expect(seen).toEqual([tool("a")])
    }
  })

  it("is gathered anew when the server says so between two pages, and so is of one version", async () => {
    const server = hand(listChanged)
    server.answers["tools/list"] = (params?: object) => {
      if (params === undefined) return { tools: [tool("old")], nextCursor: "b" }
      server.tell("notifications/tools/list_changed")
      server.answers["tools/list"] = (params?: object) =>
        params ? { tools: [tool("newer")] } : { tools: [tool("new")], nextCursor: "b" }
      return { tools: [tool("newer")] }
    }
    const client = await connect(server.channel, { clientInfo, revisions })
    expect(names(await client.listTools())).toEqual(["new", "newer"])
    expect(cursors(server)).toEqual([undefined, "b", undefined, "b"])
  })

  it("comes as it was found when it changes each time, or when there are no pages left for another walk", async () => {
    const server = hand(listChanged)
    server.answers["tools/list"] = (params?: object) => {
      server.tell("notifications/tools/list_changed")
      return params ? { tools: [tool("b")] } : { tools: [tool("a")], nextCursor: "b" }
    }
    const client = await connect(server.channel, { clientInfo, revisions })
    expect(names(await client.listTools())).toEqual(["a", "b"])
    expect(server.asked("tools/list")).toHaveLength(8)
    expect(names(await client.listTools({ maxPages: 3 }))).toEqual(["a", "b"])
    expect(server.asked("tools/list")).toHaveLength(10)
  })

  it("is not gathered anew when it has one page, or when another list changes", async () => {
    const server = hand({
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
      answers: {
        "tools/list": () => {
          server.tell("notifications/tools/list_changed")
          return { tools: [tool("a")] }
        },
        "resources/templates/list": (params?: object) => {
          server.tell("notifications/tools/list_changed")
          return params ? { resourceTemplates: [] } : { resourceTemplates: [], nextCursor: "b" }
        }
      }
    })
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.listTools()
    expect(server.asked("tools/list")).toHaveLength(1)
    await client.listResourceTemplates()
    expect(server.asked("resources/templates/list")).toHaveLength(2)
  })

  it("of resource templates changes with the resources", async () => {
    const server = hand({ capabilities: { resources: { listChanged: true } } })
    server.answers["resources/templates/list"] = (params?: object) => {
      if (params === undefined) return { resourceTemplates: [], nextCursor: "b" }
      server.tell("notifications/resources/list_changed")
      server.answers["resources/templates/list"] = () => ({ resourceTemplates: [] })
      return { resourceTemplates: [] }
    }
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.listResourceTemplates()
    expect(server.asked("resources/templates/list")).toHaveLength(3)
  })
})
