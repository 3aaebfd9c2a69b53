/** Streams: acknowledged first, then heard of what was wanted and promised, and ended once. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import {
  both,
  called,
  discovered,
  envelope,
  error,
  failed,
  fired,
  messages,
  note,
  offered,
  opened,
  result,
  send,
  startTimer,
  stopTimer,
  unannounced
} from "./by-hand.js"

const subscriptionId = "io.modelcontextprotocol/subscriptionId"
const listen = "subscriptions/listen"
const wanted: JsonObject = { toolsListChanged: true, resourceSubscriptions: ["file:///a", "file:///b/"] }
const tagged = (id: unknown, method: string, params: object = {}) =>
  note(method, { ...params, _meta: { [subscriptionId]: id } })
const acknowledged = (id: unknown, notifications: unknown = wanted) =>
  tagged(id, "notifications/subscriptions/acknowledged", { notifications })
const updated = (uri: string, id: unknown = 2) => tagged(id, "notifications/resources/updated", { uri })
const toolsChanged = (id: unknown = 2) => tagged(id, "notifications/tools/list_changed")
const notice = (message: ReturnType<typeof note>, about = 2) => [{ _tag: "Notice", ...without(message), about }]
const without = ({ method, params }: { method: string; params?: unknown }) => ({ method, params })
const ignored = (why: string) => [{ _tag: "Report", report: { _tag: "Ignored", why } }]
const over = (id: unknown, of = id) => result(id, { resultType: "complete", _meta: { [subscriptionId]: of } })

const listening = (notifications = wanted, rest: object = {}, options = {}) => {
  const by = discovered(offered, both(), options)
  by.tell(called(2, listen, { notifications }, rest))
  return by
}
const heard = (notifications: unknown = wanted) => {
  const by = listening()
  by.hear(acknowledged(2, notifications))
  return by
}

describe("a stream", () => {
  it("is asked for, with a limit to the wait for its beginning and none to the rest", () => {
    const by = discovered()
    expect(by.tell(called(2, listen, { notifications: wanted }, { totalMs: 9, progress: true }))).toEqual([
      send({ jsonrpc: "2.0", id: 2, method: listen, params: { notifications: wanted, _meta: envelope() } }),
      startTimer("request", 2, 1000)
    ])
    expect(by.hear(acknowledged(2))).toEqual([
      stopTimer("request", 2),
      { _tag: "Acknowledged", call: 2, honoured: wanted }
    ])
    expect(by.tell(fired("request", 2))).toEqual([])
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toEqual([])
  })

  it("that does not begin is withdrawn", () => {
    expect(listening().tell(fired("request", 2))).toEqual([
      send(note("notifications/cancelled", { requestId: 2, reason: "timed out" })),
      stopTimer("request", 2),
      failed(2, { _tag: "TimedOut", method: listen, ms: 1000, total: false })
    ])
  })

  it("begins once", () => {
    const by = heard()
    expect(by.hear(acknowledged(2))).toMatchObject(ignored("the stream was acknowledged before"))
  })

  it("tells of nothing before it began", () => {
    const by = listening()
    expect(by.hear(toolsChanged())).toMatchObject(ignored("the stream is not acknowledged yet"))
    expect(by.hear(updated("file:///a"))).toMatchObject(ignored("the stream is not acknowledged yet"))
  })

  it("tells of what was promised, by the call that wanted it", () => {
    const by = heard()
    by.move()
    expect(by.hear(toolsChanged())).toEqual(notice(toolsChanged()))
    expect(by.hear(updated("file:///a"))).toEqual(notice(updated("file:///a")))
    expect(by.hear(updated("file:///b/c"))).toEqual(notice(updated("file:///b/c")))
  })

  it.each([
    ["was not wanted", wanted, tagged(2, "notifications/prompts/list_changed")],
    ["was wanted of another resource", wanted, updated("file:///c")],
    ["was wanted and not promised", {}, toolsChanged()],
    ["was promised of another resource", { resourceSubscriptions: ["file:///a"] }, updated("file:///b/")],
    ["was promised of no resource", { resourceSubscriptions: [] }, updated("file:///a")],
    ["was promised as something else", { toolsListChanged: true }, updated("file:///a")],
    [
      "was promised and not wanted",
      { promptsListChanged: true, resourceSubscriptions: ["file:///c"] },
      tagged(2, "notifications/prompts/list_changed")
    ],
    ["was promised of a resource that was not wanted", { resourceSubscriptions: ["file:///c"] }, updated("file:///c")]
  ])("does not tell of what %s", (_, promised, message) => {
    expect(heard(promised).hear(message)).toMatchObject(ignored("the stream was not to tell of it"))
  })

  it("promises no more than was wanted", () => {
    const honoured = (notifications: unknown) => listening().hear(acknowledged(2, notifications))[1]
    expect(honoured({ toolsListChanged: true, promptsListChanged: true, other: 7 })).toEqual({
      _tag: "Acknowledged",
      call: 2,
      honoured: { toolsListChanged: true }
    })
    expect(honoured({ toolsListChanged: false, resourceSubscriptions: ["file:///b/", "file:///c"] })).toEqual({
      _tag: "Acknowledged",
      call: 2,
      honoured: { resourceSubscriptions: ["file:///b/"] }
    })
    expect(honoured({ other: ["file:///a"], resourceSubscriptions: [] })).toMatchObject({
      honoured: { resourceSubscriptions: [] }
    })
    const by = discovered()
    by.tell(called(2, listen, { notifications: { resourceSubscriptions: [] } }))
    expect(by.hear(acknowledged(2, { toolsListChanged: true, resourceSubscriptions: ["file:///a"] }))[1]).toMatchObject(
      {
        honoured: { resourceSubscriptions: [] }
      }
    )
  })

  it.each([
    ["names no stream", note("notifications/tools/list_changed")],
    ["names no stream in what it says of itself", note("notifications/tools/list_changed", { _meta: {} })],
    ["names one that is not", toolsChanged(7)],
    ["names one by another type", toolsChanged("2")],
    ["names one by what is no id", toolsChanged({})],
    ["names one by nothing", toolsChanged(null)],
    ["names a request that is no stream", toolsChanged(3)],
    ["begins one that is not", acknowledged(7)]
  ])("is needed: what %s is nothing", (_, message) => {
    const by = heard()
    by.tell(called(3, "tools/list"))
    expect(by.hear(message)).toMatchObject(ignored("it names no stream of ours that is open"))
  })

  it("is one of several, each by its own id", () => {
    const by = heard()
    by.tell(called(3, listen, { notifications: { promptsListChanged: true } }))
    by.hear(acknowledged(3, { promptsListChanged: true }))
    const prompts = (id: number) => tagged(id, "notifications/prompts/list_changed")
    expect(by.hear(prompts(3))).toEqual(notice(prompts(3), 3))
    expect(by.hear(prompts(2))).toMatchObject(ignored("the stream was not to tell of it"))
    expect(by.hear(toolsChanged(2))).toEqual(notice(toolsChanged(2)))
  })

  it("does not tell of what the server did not declare", () => {
    const by = discovered({ tools: {} })
    by.tell(called(2, listen, { notifications: wanted }))
    by.hear(acknowledged(2))
    expect(by.hear(toolsChanged())).toEqual([unannounced("notifications/tools/list_changed", "tools.listChanged")])
  })

  it("is named by notifications of older revisions no more than they are by it", () => {
    const by = opened()
    expect(by.tell(called(2, listen, { notifications: {} }))).toMatchObject([
      { outcome: { error: { _tag: "MethodUnknown" } } }
    ])
    expect(by.hear(note("notifications/tools/list_changed"))).toEqual([
      { _tag: "Notice", method: "notifications/tools/list_changed", params: undefined }
    ])
  })
})

describe("the end of a stream", () => {
  it("is its answer, and what comes after it is nothing", () => {
    const by = heard()
    expect(by.hear(over(2))).toEqual([
      { _tag: "Settle", call: 2, outcome: { _tag: "Succeeded", result: over(2).result } }
    ])
    // On a channel it is said once more by its cancellation, and that is as it should be.
    expect(by.hear(tagged(2, "notifications/cancelled", { requestId: 2 }))).toEqual([])
    expect(by.hear(toolsChanged())).toMatchObject(ignored("it names no stream of ours that is open"))
  })

  it.each([
    [{}, "the server ended it"],
    [{ reason: "bye" }, "the server ended it: bye"]
  ])("is the server's cancellation with %j, and the answer after it is nothing", (reason, why) => {
    const by = heard()
    expect(by.hear(tagged(2, "notifications/cancelled", { requestId: 2, ...reason }))).toEqual([
      failed(2, { _tag: "Closed", method: listen, why })
    ])
    expect(by.hear(over(2))).toMatchObject(ignored("a reply to no request of ours that is in flight"))
  })

  it("is nothing that the server can bring about for a request of another kind", () => {
    const by = heard()
    by.tell(called(3, "tools/list"))
    for (const params of [{ requestId: 3 }, { requestId: 4 }, { requestId: "2" }])
      expect(by.hear(note("notifications/cancelled", params))).toMatchObject(
        ignored("it names no stream of ours that is open")
      )
    expect(by.hear(result(3, { tools: [] }))).toHaveLength(2)
  })

  it("may come before its beginning, by an error or an answer", () => {
    expect(listening().hear(error(2, -32603))).toMatchObject([
      stopTimer("request", 2),
      { outcome: { error: { _tag: "Answered" } } }
    ])
    expect(listening().hear(over(2))).toMatchObject([stopTimer("request", 2), { outcome: { _tag: "Succeeded" } }])
    expect(listening().hear(note("notifications/cancelled", { requestId: 2 }))).toMatchObject([
      stopTimer("request", 2),
      { outcome: { error: { _tag: "Closed" } } }
    ])
  })

  it("may be an error or a result that is not valid", () => {
    expect(heard().hear(error(2, -32603))).toMatchObject([{ outcome: { error: { _tag: "Answered" } } }])
    expect(heard().hear(result(2, {}))).toMatchObject([{ outcome: { error: { _tag: "ResultInvalid" } } }])
  })

  it("is the client's, who says so and hears nothing more", () => {
    const by = heard()
    expect(by.tell({ _tag: "Abandoned", call: 2 })).toEqual([
      send(note("notifications/cancelled", { requestId: 2 })),
      failed(2, { _tag: "Abandoned", method: listen, reason: undefined })
    ])
    expect(by.hear(toolsChanged())).toMatchObject([{ report: { _tag: "Ignored" } }])
    const apart = listening(wanted, {}, { cancels: "exchange" })
    expect(apart.tell({ _tag: "Abandoned", call: 2 })[0]).toEqual({ _tag: "Abort", id: 2 })
  })

  it("comes with that of the session", () => {
    expect(heard().tell({ _tag: "PeerClosed", detail: "gone" })).toEqual([
      failed(2, { _tag: "Closed", method: listen, why: "gone" }),
      { _tag: "Close", reason: "gone" }
    ])
  })
})

describe("a version that is refused", () => {
  const refusal = (id: number) => error(id, -32022, "no", { supported: ["2026-07-28"] })

  it("before it begins has it asked for once more, and then it goes by the other id", () => {
    const by = listening()
    expect(messages(by.hear(refusal(2)))).toMatchObject([{ id: 3, method: listen, params: { notifications: wanted } }])
    expect(by.hear(acknowledged(2))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.hear(acknowledged(3))[1]).toMatchObject({ _tag: "Acknowledged", call: 2 })
    expect(by.hear(toolsChanged(3))).toEqual(notice(toolsChanged(3)))
    expect(messages(by.tell({ _tag: "Abandoned", call: 2 }))).toEqual([
      note("notifications/cancelled", { requestId: 3 })
    ])
  })

  it("after it began ends it", () => {
    expect(heard().hear(refusal(2))).toMatchObject([{ outcome: { error: { _tag: "VersionUnsupported" } } }])
  })
})
