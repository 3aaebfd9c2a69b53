/** Many POSTs at once, and one performer for all: what one handler says never reaches another's client. */
import type { Report } from "@parley/core"
import { request } from "@parley/core"
import { defineServer, extension, form, tool } from "@parley/server"
import { expect, it, vi } from "vitest"
import type { Body } from "../../src/server/exchange.js"
import { asking, body, meta, modern, turns } from "./asking.js"
import type { Json } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"

type Then = (body: Body) => void

const info = { name: "desk", version: "1.0.0" }
const args = { type: "object", properties: { who: { type: "string" } }, required: ["who"] } as const

/** Handlers that wait, by who called them. */
function held() {
  const ends = new Map<string, (text: string) => void>()
  const hold = (who: string): Promise<string> => new Promise((resolve) => ends.set(who, resolve))
  const wait = tool("wait", { input: args }, ({ who }) => hold(who))
  const n = form({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] })
  const asks = tool("asks", { input: args, asks: { n } }, async ({ who }, call) => {
    const { n } = await call.ask("n", { message: "?" })
    return hold(`${who}${n}`)
  })
  return { ends, wait, asks }
}

const call = (name: string, who: string, more: object = {}): object =>
  body("tools/call", { name, arguments: { who }, ...more })

const said = (json: Json): string => json.result.content[0].text

it("answers each by its own handler, also those that are run anew meanwhile, though all have one id", async () => {
  const { ends, wait, asks } = held()
  const { post, endpoint } = await asking(defineServer(info, [wait, asks]))
  const able = { _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } } }
  const brought = { inputResponses: { n: { action: "accept", content: { n: 7 } } }, ...able }
  const one = await post(call("wait", "one"))
  const two = await post(call("asks", "two", brought))
  const three = await post(call("wait", "three"))
  const four = await post(call("asks", "four", brought))
  expect([[...ends.keys()].toSorted(), endpoint.count().answers]).toEqual([["four7", "one", "three", "two7"], 4])
  for (const who of ["four7", "one", "two7", "three"]) ends.get(who)!(`${who} is done`)
  await turns()
  expect([one, two, three, four].map((answer) => said(answer.json()))).toEqual([
    "one is done",
    "two7 is done",
    "three is done",
    "four7 is done"
  ])
  expect(endpoint.count().answers).toBe(0)
})

it("answers one that is begun while another's handler has not returned yet", async () => {
  let ask = (_name: string): Json => undefined
  let inner: Json
  const { endpoint } = await asking(
    defineServer(info, [
      tool("inner", {}, () => "inner"),
      tool("outer", {}, () => {
        inner = ask("inner").json()
        return "outer"
      })
    ])
  )
  ask = (name) => {
    const message = body("tools/call", { name })
    const exchange = fakeExchange({ headers: modern(message) })
    const text = JSON.stringify(message)
    // Its body is there at once.
    endpoint.handle(
      Object.assign({}, exchange, { body: (_: number, __: number, then: Then) => then({ _tag: "Text", text }) })
    )
    return exchange
  }
  const outer = ask("outer")
  expect([said(outer.json()), said(inner)]).toEqual(["outer", "inner"])
})

it("tells nobody what a handler comes to whose client has left, but the reports", async () => {
  const { ends, wait } = held()
  const reports: Array<Report> = []
  const { post } = await asking(defineServer(info, [wait]), { report: (report) => void reports.push(report) })
  const left = await post(call("wait", "left"))
  const other = await post(call("wait", "other"))
  left.leave()
  ends.get("left")!("late")
  await turns()
  expect([left.status(), other.status()]).toEqual([undefined, undefined])
  expect(reports.filter(({ _tag }) => _tag === "Cancelled" || _tag === "Ignored")).toMatchObject([
    { _tag: "Cancelled", id: 1, method: "tools/call" },
    { _tag: "Ignored", id: 1, why: "a handler's result came after its request had ended" }
  ])
  ends.get("other")!("in time")
  await turns()
  expect(said(other.json())).toBe("in time")
})

it("says so by an error when a reply can not be written, and tells the operator why", async () => {
  let times = 0
  const fickle = { toJSON: () => (++times > 1 ? 1n : "fine") }
  const crashed = vi.fn<(what: string, error: unknown) => void>()
  const anything = (): undefined => undefined
  const wire = { id: "com.example/odd", client: { "odd/say": request("client", anything, anything) } } as const
  const odd = extension(wire, { "odd/say": () => ({ fickle }) as never })
  const { post } = await asking(defineServer(info, [], { extensions: [odd] }), { crashed })
  const able = { extensions: { "com.example/odd": {} } }
  const answer = await post(body("odd/say", { _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": able } }))
  expect([answer.status(), answer.json().error.code]).toEqual([200, -32603])
  expect(crashed.mock.calls.map(([what]) => what)).toEqual(["a reply"])
})

it("serves each to its end as the server was when it came", async () => {
  const { ends, wait } = held()
  const { post, endpoint } = await asking(defineServer(info, [wait]))
  const one = await post(call("wait", "one"))
  const closed = endpoint.close()
  const late = await post(call("wait", "late"))
  expect([one.status(), late.status()]).toEqual([undefined, 503])
  ends.get("one")!("still")
  await closed
  expect(said(one.json())).toBe("still")
})
