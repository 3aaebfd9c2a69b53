/** Stores that do not answer, and stores that are asked to forget. */
import { tool } from "@parley/server"
import { expect, test, vi } from "vitest"
import type { EventStore } from "../../src/server/event-store.js"
import { memoryEvents } from "../../src/server/event-memory.js"
import { deadlines } from "../../src/server/session-deadlines.js"
import { Patience } from "../../src/server/session-patience.js"
import type { SessionStore } from "../../src/server/store.js"
import { simulated } from "../../../driver/test/simulated.js"
import type { Fake } from "./fake-exchange.js"
import type { Serving } from "./serving.js"
import { call, defined, echo, initialize, serving, settled } from "./serving.js"
import { sharedStores } from "./shared-stores.js"

const never = new Promise<never>(() => {})

const until = (what: () => boolean): Promise<unknown> =>
  vi.waitFor(() => expect(what()).toBe(true), { interval: 1, timeout: 5_000 })

async function opened({ post }: Serving) {
  const reply = post(initialize())
  await until(reply.ended)
  return { "mcp-session-id": reply.headers()["mcp-session-id"]! }
}

test("what takes too long rejects, and for as long nothing else is begun", async () => {
  const clock = simulated()
  const waits = deadlines(clock)
  const patience = new Patience(waits, clock.now, 1_000)
  const first = patience.with(() => never)
  const other = patience.with(async () => "in time")
  expect(await other).toBe("in time")
  clock.advance(1_000)
  await expect(first).rejects.toThrow("did not answer within 1000 ms")
  const begun = vi.fn<() => Promise<string>>(async () => "again")
  await expect(patience.with(begun)).rejects.toThrow("did not answer before this")
  expect(begun).not.toHaveBeenCalled()
  clock.advance(1_000)
  expect(await patience.with(begun)).toBe("again")
  expect(waits.count()).toBe(0)
  const left = patience.with(() => never)
  patience.end()
  await expect(left).rejects.toThrow("before this process had to end")
})

type Asked = "create" | "load" | "swap" | "delete"

test.each<readonly [Asked, (serving: Serving, headers: Record<string, string>) => Fake]>([
  ["create", ({ post }) => post(initialize())],
  ["load", ({ post }, headers) => post(call(1, "echo", { text: "" }), { headers })],
  ["load", ({ get }, headers) => get(headers)],
  ["swap", ({ post }, headers) => post(call(1, "echo", { text: "" }), { headers })],
  ["swap", ({ get }, headers) => get(headers)],
  ["delete", ({ remove }, headers) => remove(headers)]
])("a session store that never answers %s is 503, and the next is served when it does", async (what, ask) => {
  const { sessions, events } = sharedStores()
  let bad = false
  const crashed = vi.fn<() => void>()
  const store = { ...sessions, [what]: (...args: []) => (bad ? never : (sessions[what] as () => never)(...args)) }
  const made = await serving(defined([echo]), { sessions: store, events, crashed })
  const headers = await opened(made)
  bad = true
  const refused = ask(made, headers)
  for (let turns = 0; turns < 20; turns++) await settled()
  expect(refused.ended()).toBe(false)
  made.clock.advance(10_100)
  await until(refused.ended)
  expect(refused.status()).toBe(503)
  expect(crashed).toHaveBeenCalled()
  bad = false
  made.clock.advance(10_100)
  const served = ask(made, headers)
  await until(() => served.status() !== undefined)
  expect([200, 204]).toContain(served.status())
  await made.served.close()
})

test("who waits for a store when the process ends is answered, also who opens a session", async () => {
  const { sessions, events } = sharedStores()
  let bad = false
  const create: SessionStore["create"] = (...what) => (bad ? never : sessions.create(...what))
  const made = await serving(defined([echo]), {
    sessions: { ...sessions, create, load: () => never },
    events,
    crashed: () => {}
  })
  const headers = await opened(made)
  const reply = made.post(call(1, "echo", { text: "" }), { headers })
  bad = true
  const opening = made.post(initialize())
  const closed = made.served.close()
  await settled()
  for (const ms of [5_000, 1_000]) {
    made.clock.advance(ms)
    await settled()
  }
  await closed
  await until(() => reply.ended() && opening.ended())
  expect([reply.status(), opening.status()]).toEqual([503, 503])
})

test("a client whose reply was lost while it was away is told so when it comes back", async () => {
  const inner = memoryEvents()
  let bad = false
  const append: EventStore["append"] = (...what) => {
    if (bad) throw new Error("down")
    return inner.append(...what)
  }
  let finish!: (text: string) => void
  const wait = tool("wait", {}, () => new Promise<string>((resolve) => (finish = resolve)))
  const { post, get, opened, clock } = await serving(defined([wait]), {
    events: { append, tail: inner.tail },
    crashed: () => {}
  })
  const headers = opened()
  const reply = post(call(1, "wait"), { headers })
  clock.advance(2_100)
  await settled()
  const [{ id }] = reply.events() as [{ id: string }]
  reply.leave()
  bad = true
  finish("lost")
  await settled()
  bad = false
  const back = get({ ...headers, "last-event-id": id })
  await until(back.ended)
  expect(back.status()).toBe(400)
  expect(back.json().error.message).toMatch("make the request again")
})

test.each(["deleted", "left behind"])("events of a shared session that is %s are forgotten", async (how) => {
  const { sessions } = sharedStores()
  const inner = memoryEvents()
  const forget = vi.fn<(session: string) => void>(inner.forget)
  let expired = false
  const load: SessionStore["load"] = async (id) => (expired ? undefined : sessions.load(id))
  const made = await serving(defined([echo]), {
    sessions: { ...sessions, load },
    events: { append: inner.append, tail: inner.tail, forget },
    sessionIdleMs: 60_000
  })
  const headers = await opened(made)
  const stream = made.get(headers)
  await until(stream.streams)
  expect(inner.size().sessions).toBe(1)
  if (how === "deleted") {
    const removed = made.remove(headers)
    await until(removed.ended)
    expect(removed.status()).toBe(204)
  } else {
    stream.leave()
    expired = true
    for (let quarters = 0; quarters < 5; quarters++) made.clock.advance(15_100)
    await until(() => made.served.count() === 0)
  }
  // Other processes may read how streams end before that.
  expect(forget).not.toHaveBeenCalled()
  made.clock.advance(2_100)
  expect(forget.mock.calls).toEqual([[headers["mcp-session-id"]]])
  expect(inner.size().sessions).toBe(0)
})

test("what this process let go of and another may use is not forgotten, nor what nobody ever opened", async () => {
  const { sessions, events } = sharedStores()
  const forget = vi.fn<(session: string) => void>()
  const made = await serving(defined([echo]), { sessions, events: { ...events, forget }, sessionIdleMs: 60_000 })
  await opened(made)
  const unknown = made.post(call(1, "echo", { text: "" }), { headers: { "mcp-session-id": "made-up" } })
  await until(unknown.ended)
  expect(unknown.status()).toBe(404)
  for (let quarters = 0; quarters < 5; quarters++) made.clock.advance(15_100)
  await until(() => made.served.count() === 0)
  made.clock.advance(10_000)
  expect(forget).not.toHaveBeenCalled()
})
