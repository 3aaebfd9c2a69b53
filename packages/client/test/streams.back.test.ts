/** What listened when a connection or a session was lost, or was ended: it is asked for again, and what may be another now is said to be. */
import type { Channel, Frame } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"
import { clientInfo, listened } from "./listened.js"

const uri = "note://today"
const toolsChanged = "notifications/tools/list_changed"
const promptsChanged = "notifications/prompts/list_changed"

/** A channel that goes on over further connections, where the test says so. */
function returning() {
  let frame: (frame: Frame) => void
  return {
    by: (channel: Channel): Channel => ({
      ...channel,
      returns: true,
      open: (on) => {
        frame = (one) => void on.frame(one)
        channel.open(on)
      }
    }),
    /** The connection is lost, with what was asked by it. */
    lose: (...ids: ReadonlyArray<number>) =>
      ids.forEach((id) => frame({ _tag: "Refused", id, status: 0, body: "it was cut" })),
    back: () => frame({ _tag: "SessionLost", id: undefined })
  }
}

async function returned() {
  const clock = simulated()
  const { by, lose, back } = returning()
  const heard: Array<string> = []
  const one = await listened({}, { clock }, by)
  const stop = one.client.on(toolsChanged, () => heard.push("tools"))
  const subscription = one.client.subscribe(uri)
  await subscription.ready
  return { ...one, clock, lose, back, heard, subscription, stop }
}

const all = { toolsListChanged: true, resourceSubscriptions: [uri] }

describe("a stream that was lost with its connection", () => {
  it.each(["lost", "ended"])("is asked for at once when there is another one: %s", async (how) => {
    const { lose, end, back, streams, settled, told, heard, subscription, tell } = await returned()
    const [first] = streams()
    if (how === "lost") lose(first!)
    else end(first!)
    await settled()
    expect(streams()).toHaveLength(1)
    const next = subscription.next()
    back()
    expect((await told()).at(-1)).toEqual([streams()[1], all])
    // Nobody knows what happened meanwhile.
    expect(heard).toEqual(["tools"])
    expect(await next).toEqual({ done: false, value: { uri } })
    tell(streams()[1]!, "tools/list_changed")
    await settled()
    expect(heard).toEqual(["tools", "tools"])
  })

  it("is asked for once, whatever else asks for it", async () => {
    const { lose, back, streams, settled, heard, clock } = await returned()
    lose(streams()[0]!)
    await settled()
    back()
    back()
    await settled()
    back()
    clock.advance(600_000)
    await settled()
    expect([streams().length, heard]).toEqual([2, ["tools"]])
  })

  it("before it began is asked for all the same", async () => {
    const { by, lose, back } = returning()
    const { client, server, streams, settled, acknowledge, tell } = await listened({}, {}, by)
    server.answers["subscriptions/listen"] = () => undefined
    let heard = 0
    client.on(toolsChanged, () => heard++)
    await settled()
    lose(streams()[0]!)
    await settled()
    server.answers["subscriptions/listen"] = (_, id) => acknowledge(id)
    back()
    await settled()
    tell(streams()[1]!, "tools/list_changed")
    await settled()
    expect(heard).toBe(2)
  })

  it("is not asked for when nobody wants it any more", async () => {
    const { lose, back, streams, settled, heard, stop, subscription } = await returned()
    lose(streams()[0]!)
    await settled()
    stop()
    subscription.close()
    back()
    await settled()
    expect([streams().length, heard]).toEqual([1, []])
  })

  it("and is ended ever again ends what was watched, in the end", async () => {
    const { server, clock, acknowledge, end, streams, settled, subscription, ignored } = await returned()
    server.answers["subscriptions/listen"] = (_, id) => {
      acknowledge(id)
      end(id)
    }
    end(streams()[0]!)
    for (let i = 0; i < 12; i++) {
      await settled()
      clock.advance(40_000)
    }
    await settled()
    expect(streams()).toHaveLength(11)
    expect(ignored().at(-1)).toBe("the server ended the stream, and tells of no more changes")
    const rest: Array<unknown> = []
    for await (const { uri } of subscription) rest.push(uri)
    expect(rest).toEqual([uri])
  })
})

it("a stream that ends cleanly is asked for again after a second, and what may have changed is said to have", async () => {
  const clock = simulated()
  const { client, end, streams, settled } = await listened({}, { clock })
  const heard: Array<string> = []
  client.on(toolsChanged, () => heard.push("tools"))
  client.on(promptsChanged, () => heard.push("prompts"))
  await settled()
  end(streams().at(-1)!)
  await settled()
  const before = streams().length
  clock.advance(999)
  await settled()
  expect(streams()).toHaveLength(before)
  clock.advance(251)
  await settled()
  expect([streams().length - before, heard]).toEqual([1, ["tools", "prompts"]])
})

it("a session that is begun anew says of lists and resources that they may be others", async () => {
  const { by, back } = returning()
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } }
  const server = hand({ revision: "2025-11-25", capabilities, answers: { "resources/subscribe": () => ({}) } })
  const heard: Array<string> = []
  const client = await connect(by(server.channel), {
    clientInfo,
    prefer: "2025-11-25",
    onNotification: (method) => heard.push(method)
  })
  const subscription = client.subscribe(uri)
  await subscription.ready
  await client.callTool("it")
  const next = subscription.next()
  back()
  expect(await next).toEqual({ done: false, value: { uri } })
  // What the server does not tell of is not told.
  expect(heard).toEqual([toolsChanged])
  await client.callTool("it")
  expect(server.asked("tools/list")).toHaveLength(2)
})
