/** Our server asks our client: two machines on a link, at every revision that has the question. */
import { revisions, v2026_07_28 } from "@parley/core/revisions"
import { link } from "@parley/driver"
import { defineServer, form, page, roots, sample, serve, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { Answers, Client } from "../src/index.js"
import { connect, Rejected } from "../src/index.js"

const clientInfo = { name: "client", version: "1.0.0" }
const from = (oldest: string) =>
  revisions.filter(({ name }) => name >= oldest).map((revision) => [revision.name, revision] as const)

const guests = form({
  type: "object",
  properties: { guests: { type: "integer", minimum: 1 } },
  required: ["guests"]
} as const)
const wine = form({ type: "object", properties: { wine: { type: "boolean", default: true } } } as const)

/** How often something was reserved, whatever ran how often. */
let reserved: Array<string> = []
const book = tool("book", { asks: { guests, wine } }, async (_, call) => {
  if (!call.can("guests")) return "Call again with guests."
  const { guests } = await call.ask("guests", { message: "How many?" })
  await call.once("reserve", () => {
    reserved.push(`table for ${guests}`)
  })
  const { wine } = await call.ask("wine", { message: "Wine?" })
  return `${guests} ${String(wine)}`
})
const think = tool("think", { asks: { model: sample() } }, async (_, call) => {
  const messages = [{ role: "user", content: { type: "text", text: "six by seven" } }] as const
  const { content } = await call.ask("model", { messages, maxTokens: 10 })
  return JSON.stringify(content)
})
const look = tool("look", { asks: { roots: roots() } }, async (_, call) => JSON.stringify(await call.ask("roots")))
const pay = tool("pay", { asks: { till: page() } }, async (_, call) => {
  await call.ask("till", { message: "Pay", url: "https://pay.example/1", elicitationId: "e" })
  return "paid"
})
const server = defineServer({ name: "inn", version: "1.0.0" }, [book, think, look, pay])

let client: Client | undefined
afterEach(() => client?.close())

async function guest(answer: Answers, revision = revisions[0]!) {
  const [near, far] = link()
  serve(server, far)
  reserved = []
  const connected = await connect(near, { clientInfo, answer, of: server, revisions: [revision] })
  client = connected as unknown as Client
  return connected
}

const said = async (result: ReturnType<Client["callTool"]>) => {
  const { content, isError } = await result
  return `${isError === true ? "! " : ""}${content.map((block) => (block.type === "text" ? block.text : block.type)).join()}`
}

describe.each(from("2025-06-18"))("a tool that asks twice, at %s", (_, revision) => {
  it("gets both answers, and does once what it does once", async () => {
    const asked: Array<string> = []
    const connected = await guest(
      {
        elicit: ({ message }) => {
          asked.push(message)
          return { action: "accept", content: message === "How many?" ? { guests: 2 } : { wine: false } }
        }
      },
      revision
    )
    expect(await said(connected.callTool("book"))).toBe("2 false")
    expect(asked).toEqual(["How many?", "Wine?"])
    expect(reserved).toEqual(["table for 2"])
  })

  it("is an error for the model when the user says no", async () => {
    const connected = await guest({ elicit: () => ({ action: "decline" }) }, revision)
    expect(await said(connected.callTool("book"))).toMatch(/^! .*guests/)
    expect(reserved).toEqual([])
  })

  it("is not asked by a client that does not answer", async () => {
    expect(await said((await guest({}, revision)).callTool("book"))).toBe("Call again with guests.")
  })
})

it.each(from("2025-11-25"))(
  "fills in defaults that the handler leaves out, where the revision has them: %s",
  async (_, revision) => {
    const answer: Answers = {
      elicit: ({ message }) => ({ action: "accept", content: message === "How many?" ? { guests: 2 } : {} })
    }
    expect(await said((await guest(answer, revision)).callTool("book"))).toBe("2 true")
  }
)

describe.each(from("2024-11-05"))("at %s", (_, revision) => {
  it("the model answers", async () => {
    const content = { type: "text", text: "42" } as const
    const connected = await guest({ sample: () => ({ role: "assistant", model: "m", content: [content] }) }, revision)
    expect(await said(connected.callTool("think"))).toBe(JSON.stringify(content))
  })

  it("the roots are listed", async () => {
    const here = [{ uri: "file:///here", name: "here" }]
    expect(await said((await guest({ roots: here }, revision)).callTool("look"))).toBe(JSON.stringify(here))
  })
})

it.each(from("2024-11-05").filter(([name]) => name < "2026-07-28"))(
  "the model's user rejects it, and the tool learns of it at %s",
  async (_, revision) => {
    const refusing = await guest({ sample: () => Promise.reject(new Rejected()) }, revision)
    expect(await said(refusing.callTool("think"))).toMatch(/^! .*User rejected the request/)
  }
)

it("the model's user rejects it, and the call is over where the server can not be told", async () => {
  const refusing = await guest({ sample: () => Promise.reject(new Rejected()) }, v2026_07_28)
  await expect(refusing.callTool("think")).rejects.toMatchObject({
    message:
      'tools/call was not answered: the server asks for "model" first, and that was refused with error -1: User rejected the request',
    reason: { _tag: "AskRefused", method: "tools/call", key: "model", error: { code: -1 } }
  })
})

it.each(from("2025-11-25"))("a page is visited with consent, where the revision has pages: %s", async (_, revision) => {
  const seen: Array<string> = []
  const answer: Answers = {
    elicit: { url: ({ url }, { host }) => (seen.push(url, host), { action: "accept" }) }
  }
  expect(await said((await guest(answer, revision)).callTool("pay"))).toBe("paid")
  expect(seen).toEqual(["https://pay.example/1", "pay.example"])
})

it.each(from("2025-11-25"))("an answer under way is given up when the call that asked is: %s", async (_, revision) => {
  const controller = new AbortController()
  let aborted: Promise<unknown> = Promise.resolve()
  const connected = await guest(
    {
      elicit: (_, { signal }) => {
        aborted = new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)))
        controller.abort(new Error("enough"))
        return new Promise(() => undefined)
      }
    },
    revision
  )
  await expect(connected.callTool("book", {}, { signal: controller.signal })).rejects.toThrow("enough")
  expect(await aborted).toBeInstanceOf(Error)
})
