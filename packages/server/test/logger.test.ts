/** What a person reads of a session: who came, what was agreed, what was refused and why. */
import { expect, it } from "vitest"
import { defineServer, logger, tool } from "../src/index.js"
import type { Session } from "../src/index.js"
import { asking } from "./modern.js"
import { talk } from "./talk.js"

const info = { name: "logged", version: "1.0.0" }
const server = defineServer(info, [tool("hello", {}, () => "Hello!"), tool("wrong", {}, () => 5 as never)])

function listening() {
  const lines: Array<string> = []
  const sessions: Array<Session> = []
  const log = logger((line) => lines.push(line.replace(/^session \d+: /, "")))
  const conversation = talk(server, {
    report: (report, session) => {
      sessions.push(session)
      log(report, session)
    }
  })
  return { ...conversation, lines, sessions }
}

it("the version in force, who the client is, and what it declares", async () => {
  const { open, lines, sessions } = listening()
  await open("2025-06-18", { roots: { listChanged: 5 }, sampling: {} })
  expect(lines).toEqual([
    "hand 1.0.0 speaks 2025-06-18; it declares roots, sampling; roots.listChanged was not understood"
  ])
  expect(sessions[0]!.peer!.revision).toBe("2025-06-18")
})

it("a version mismatch", async () => {
  const { open, lines } = listening()
  await open("2031-01-01")
  expect(lines).toEqual([
    "version mismatch: hand 1.0.0 asked for 2031-01-01, was offered 2025-11-25; it declares nothing"
  ])
})

it("a malformed initialize", async () => {
  const { ask, lines, sessions } = listening()
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} })
  expect(lines).toEqual([
    "refused initialize (id 1): Invalid params for initialize: clientInfo: expected an object (-32602)"
  ])
  expect(sessions[0]!.peer).toBeUndefined()
})

it("a refused method, and why", async () => {
  const { open, ask, lines } = listening()
  await open()
  await ask("prompts/list", undefined, "a")
  await ask("tools/call", { name: "other" }, 7)
  expect(lines.slice(1)).toEqual([
    'refused prompts/list (id "a"): Method not found: prompts/list needs the capability prompts, which was not declared (-32601)',
    "refused tools/call (id 7): Unknown tool: other (-32602)"
  ])
})

it("what was ignored, cancelled or not sent", async () => {
  const { open, ask, tell, call, lines } = listening()
  await open()
  tell("notifications/other")
  tell("notifications/cancelled", { requestId: 99 })
  await call("wrong")
  await ask("ping")
  expect(lines.slice(1)).toEqual([
    "ignored notifications/other: Method not found: notifications/other is not in 2025-11-25",
    "ignored notifications/cancelled (id 99): no such request is in flight",
    "refused tools/call (id 2): Internal error: the result of tools/call was not valid and was not sent (-32603)",
    expect.stringMatching(/^could not send what tools\/call came to: /)
  ])
})

it("nothing that a peer could forge: lines do not end early, and are not endless", async () => {
  const { open, ask, lines } = listening()
  await open()
  await ask("x\nsession 1: all is well\u001b[31m\u202e")
  await ask("y".repeat(100_000))
  expect(lines[1]).toContain("x\\u000asession 1: all is well\\u001b[31m\\u202e")
  expect(lines[2]!.length).toBeLessThan(1_000)
})

it("which session it is", async () => {
  const { open, sessions } = listening()
  const other = listening()
  await open()
  await other.open()
  expect(other.sessions[0]!.number).toBe(sessions[0]!.number + 1)
})

it("who asks where every request says so, once for as long as it is the same", async () => {
  const conversation = listening()
  const { ask, tool } = asking(conversation, { info: { name: "new", version: "2" }, capabilities: { roots: {} } })
  await tool("hello")
  await tool("hello")
  await ask("server/discover")
  await tool("other")
  await asking(conversation, { info: { name: "another", version: "3" } }).ask("server/discover")
  await asking(conversation).tool("hello")
  expect(conversation.lines).toEqual([
    "new 2 speaks 2026-07-28; it declares roots",
    "refused tools/call (id 4): Unknown tool: other (-32602)",
    "another 3 speaks 2026-07-28; it declares nothing",
    "a client without a name speaks 2026-07-28; it declares nothing"
  ])
  expect(conversation.sessions.map(({ peer }) => peer!.info?.["name"])).toEqual(["new", "new", "another", undefined])
})

it("who opened the session beside them", async () => {
  const conversation = listening()
  await conversation.open()
  await asking(conversation, { info: { name: "new", version: "2" } }).tool("hello")
  await conversation.call("hello")
  await conversation.call("other")
  expect(conversation.lines).toEqual([
    "hand 1.0.0 speaks 2025-11-25; it declares nothing",
    "new 2 speaks 2026-07-28; it declares nothing",
    "refused tools/call (id 4): Unknown tool: other (-32602)"
  ])
})

it("whose request it is about, on a channel on which two speak", async () => {
  const conversation = listening()
  await conversation.open()
  const newer = asking(conversation, { info: { name: "new", version: "2" } })
  const heard = conversation.sessions.length
  const broken = asking(conversation, { meta: { "io.modelcontextprotocol/logLevel": "loud" } })
  await broken.tool("hello")
  await newer.tool("other")
  await newer.ask("nope")
  await newer.ask("tools/list", { cursor: "none" })
  await broken.tool("hello")
  await conversation.call("other")
  expect(conversation.sessions.slice(heard).map(({ peer }) => peer?.info?.["name"])).toEqual([
    // Nobody has said so yet, and it is not who opened the session.
    undefined,
    "new",
    "new",
    "new",
    undefined,
    "hand"
  ])
})
