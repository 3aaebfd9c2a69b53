/** Resources that the client wants to hear of: told of their updates while it wants to, and of no others. */
import { describe, expect, it } from "vitest"
import {
  ask,
  codes,
  define,
  everything,
  initialize,
  initialized,
  messages,
  ready,
  revisionNames,
  session
} from "./by-hand.js"

const subscribe = (uri: string, id = 1) => ask(id, "resources/subscribe", { uri })
const unsubscribe = (uri: string, id = 1) => ask(id, "resources/unsubscribe", { uri })
const updated = (uri: string) => ({ _tag: "Updated", uri }) as const
const done = [{ jsonrpc: "2.0", id: 1, result: {} }]

describe.each(revisionNames)("a subscription on %s", (revision) => {
  it("lasts until the client ends it", () => {
    const by = ready(revision, define(everything))
    expect(by.tell(updated("a:1"))).toEqual([])
    expect(by.said(subscribe("a:1"))).toEqual(done)
    expect(by.tell(updated("a:1"))).toEqual([
      {
        _tag: "Send",
        message: { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "a:1" } },
        via: undefined,
        last: false,
        text: undefined
      }
    ])
    expect(by.tell(updated("a:2"))).toEqual([])
    expect(by.said(unsubscribe("a:1"))).toEqual(done)
    expect(by.tell(updated("a:1"))).toEqual([])
    expect(by.said(unsubscribe("a:1"))).toEqual(done)
  })

  it("twice is the same as once", () => {
    const by = ready(revision, define(everything))
    expect(by.said(subscribe("a:1"))).toEqual(done)
    expect(by.said(subscribe("a:1"))).toEqual(done)
    expect(by.tell(updated("a:1"))).toHaveLength(1)
    expect(by.said(unsubscribe("a:1"))).toEqual(done)
    expect(by.tell(updated("a:1"))).toEqual([])
  })
})

describe("subscriptions", () => {
  it("are refused beyond the limit, and room comes back", () => {
    const by = ready("2025-11-25", define(everything), { maxSubscriptions: 2 })
    by.hear(subscribe("a:1"))
    by.hear(subscribe("a:2"))
    expect(by.said(subscribe("a:3"))).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Too many subscriptions: the limit is 2" } }
    ])
    expect(by.said(subscribe("a:2"))).toEqual(done)
    by.hear(unsubscribe("a:1"))
    expect(by.said(subscribe("a:3"))).toEqual(done)
    expect(by.tell(updated("a:3"))).toHaveLength(1)
  })

  it("go along to another process", () => {
    const by = ready("2025-11-25", define(everything))
    for (const uri of ["a:1", "__proto__", ""]) by.hear(subscribe(uri))
    by.move()
    for (const uri of ["a:1", "__proto__", ""])
      expect(messages(by.tell(updated(uri)))).toMatchObject([{ params: { uri } }])
    expect(by.tell(updated("a:2"))).toEqual([])
  })

  it("may be made before the client is ready, who then hears of what changes", () => {
    const by = session(define(everything))
    by.hear(initialize("2025-11-25"))
    expect(by.said(subscribe("a:1"))).toEqual(done)
    expect(by.tell(updated("a:1"))).toEqual([])
    by.hear(initialized)
    expect(by.tell(updated("a:1"))).toHaveLength(1)
  })

  it("are there only where they were declared", () => {
    for (const capabilities of [{ resources: {} }, { resources: { subscribe: false } }, {}])
      for (const request of [subscribe("a:1"), unsubscribe("a:1")])
        expect(codes(ready("2025-11-25", define(capabilities)).said(request))).toEqual([-32601])
  })
})

describe("updates before the client is ready to hear", () => {
  it.each([false, true])("are told once it is, each once, where it still wants them (moved: %j)", (moved) => {
    const by = session(define(everything))
    by.hear(initialize("2025-11-25"))
    for (const [at, uri] of ["a:1", "a:2", "a:3"].entries()) by.hear(subscribe(uri, at))
    for (const uri of ["a:2", "a:1", "a:2", "a:4", "a:3"]) expect(by.tell(updated(uri))).toEqual([])
    by.hear(unsubscribe("a:3"))
    if (moved) by.move()
    expect(messages(by.hear(initialized))).toMatchObject([{ params: { uri: "a:2" } }, { params: { uri: "a:1" } }])
    expect(by.tell(updated("a:1"))).toHaveLength(1)
  })
})
