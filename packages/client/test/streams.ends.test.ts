/** Streams that the server ends, before they began, in the moment in which they begin, and later: when it is asked for another. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { listened } from "./listened.js"

const uri = "note://today"
const other = "note://other"
const toolsChanged = "notifications/tools/list_changed"
const promptsChanged = "notifications/prompts/list_changed"
const ignore = () => {}
const listen = "subscriptions/listen"
const unbegun = "the server ended the stream before it acknowledged it"

/** How the server ends a stream, beside its acknowledgement. */
const ends = {
  result: (id: number) => ({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta: tagOf(id) } }),
  error: (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "no more" } }),
  cancelled: (id: number) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: id, _meta: tagOf(id) }
  })
} as const
const kinds = Object.keys(ends) as ReadonlyArray<keyof typeof ends>
const tagOf = (id: number) => ({ "io.modelcontextprotocol/subscriptionId": id })

describe("a stream that ends in the moment in which it begins", () => {
  it.each(kinds)("is over, and is not asked for again until something is wanted: %s", async (how) => {
    const { client, server, acknowledge, streams, settled } = await listened()
    server.answers[listen] = (_, id) => {
      acknowledge(id)
      server.send(ends[how](id))
    }
    const stop = client.on(toolsChanged, ignore)
    await settled()
    expect(streams()).toHaveLength(1)
    client.on(promptsChanged, ignore)
    await settled()
    expect(streams()).toHaveLength(2)
    stop()
    await settled()
    expect(streams()).toHaveLength(2)
    client.on(toolsChanged, ignore)
    await settled()
    expect(streams()).toHaveLength(3)
  })

  it("ends the subscriptions that it told of, whose readers waited for it", async () => {
    const { client, server, acknowledge, end } = await listened()
    server.answers[listen] = (_, id) => {
      acknowledge(id)
      end(id)
    }
    const subscription = client.subscribe(uri)
    await subscription.ready
    expect(await subscription.next()).toEqual({ done: true, value: undefined })
  })

  it("ends all subscriptions of one resource, and is not asked for again by their end", async () => {
    const { client, end, streams, settled } = await listened()
    const [first, second] = [client.subscribe(uri), client.subscribe(uri)]
    await Promise.all([first.ready, second.ready])
    end(streams()[0]!)
    for (const one of [first, second]) expect(await one.next()).toEqual({ done: true, value: undefined })
    await settled()
    expect(streams()).toHaveLength(1)
    const again = client.subscribe(uri)
    await again.ready
    expect(streams()).toHaveLength(2)
  })

  it("is followed by one for what was wanted too late for it", async () => {
    const { client, server, acknowledge, end, streams, settled } = await listened()
    server.answers[listen] = () => undefined
    client.on(toolsChanged, ignore)
    await settled()
    const late = client.subscribe(other)
    await settled()
    server.answers[listen] = (_, id) => acknowledge(id)
    const [a] = streams()
    acknowledge(a!)
    end(a!)
    await late.ready
    expect(streams()).toHaveLength(2)
  })
})

describe("a stream that ends before it began", () => {
  const busy = async () => {
    const clock = simulated()
    const by = await listened({}, { clock })
    by.server.answers[listen] = (_, id) => ({ _meta: tagOf(id) })
    return { ...by, clock }
  }

  it("is asked for again, later and later, so often and no more, and that is reported", async () => {
    const { client, clock, streams, settled, ignored } = await busy()
    client.on(toolsChanged, ignore)
    await settled()
    let least = 1_000
    for (let asked = 1; asked <= 10; asked++) {
      expect(streams()).toHaveLength(asked)
      clock.advance(least - 1)
      await settled()
      expect(streams()).toHaveLength(asked)
      clock.advance(least / 4 + 1)
      await settled()
      least = Math.min(least * 2, 30_000)
    }
    expect(streams()).toHaveLength(11)
    clock.advance(600_000)
    await settled()
    expect(streams()).toHaveLength(11)
    const said = ignored()
    expect(said).toHaveLength(11)
    for (const one of said.slice(0, 10))
      expect(one).toMatch(new RegExp(`^${unbegun}; it is asked for again in \\d+ ms$`))
    expect(said[10]).toMatch(new RegExp(`^the server does not tell of toolsListChanged: .*${unbegun}`))
    client.on(promptsChanged, ignore)
    await settled()
    clock.advance(1_250)
    await settled()
    expect(streams()).toHaveLength(13)
  })

  it("tells again what it told, when it begins at last", async () => {
    const { client, server, clock, acknowledge, streams, settled, tell } = await busy()
    let heard = 0
    client.on(toolsChanged, () => heard++)
    await settled()
    server.answers[listen] = (_, id) => acknowledge(id)
    clock.advance(1_250)
    await settled()
    tell(streams()[1]!, "tools/list_changed")
    await settled()
    clock.advance(600_000)
    await settled()
    expect([streams().length, heard]).toEqual([2, 1])
  })

  it("leaves the one before alone, and is not asked for when nobody wants it any more", async () => {
    const { client, server, clock, acknowledge, streams, settled, updated } = await busy()
    const refuses = server.answers[listen]!
    server.answers[listen] = (_, id) => acknowledge(id)
    const first = client.subscribe(uri)
    await first.ready
    server.answers[listen] = refuses
    const stop = client.on(toolsChanged, ignore)
    await settled()
    updated(streams()[0]!, uri)
    expect((await first.next()).value).toMatchObject({ uri })
    stop()
    clock.advance(600_000)
    await settled()
    expect(streams()).toHaveLength(2)
    first.close()
    await settled()
    expect(server.asked("notifications/cancelled").map(({ params }) => params.requestId)).toEqual([streams()[0]])
  })

  it("is not asked for again when the session is over", async () => {
    const { client, clock, settled, streams } = await busy()
    client.on(toolsChanged, ignore)
    await settled()
    await client.close()
    expect(clock.pending()).toBe(0)
    clock.advance(600_000)
    expect(streams()).toHaveLength(1)
  })
})

it("is asked for at most once for each time that something is wanted, however the server begins and ends it", async () => {
  const answer = fc.record({ begins: fc.boolean(), ends: fc.constantFrom(undefined, ...kinds) })
  const move = fc.constantFrom("tools", "prompts", "watch", "stop", "close", "end")
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), fc.array(move), async (answers, moves) => {
      const clock = simulated()
      const { client, server, acknowledge, settled, streams, end } = await listened({}, { clock })
      let at = 0
      server.answers[listen] = (_, id) => {
        const { begins, ends: how } = answers[at++ % answers.length]!
        if (begins) acknowledge(id)
        if (how !== undefined) server.send(ends[how](id))
      }
      const stops: Array<() => void> = []
      let wanted = 0
      for (const one of moves) {
        const before = streams().length
        if (one === "tools") stops.push(client.on(toolsChanged, ignore))
        if (one === "prompts") stops.push(client.on(promptsChanged, ignore))
        if (one === "watch") stops.push(client.subscribe(uri).close)
        if (one === "stop") stops.shift()?.()
        if (one === "close") stops.pop()?.()
        if (one === "end" && before > 0) end(streams()[before - 1]!)
        wanted += one === "tools" || one === "prompts" || one === "watch" ? 1 : 0
        await settled()
        // One for all that is wanted, and where that is refused one for what nobody waits for.
        expect(streams().length - before).toBeLessThanOrEqual(2)
      }
      const rest = streams().length
      await settled()
      expect(streams()).toHaveLength(rest)
      clock.advance(600_000)
      await settled()
      // One more where one was silent until its time was over.
      expect(streams().length - rest).toBeLessThanOrEqual(wanted + 10)
      await client.close()
    }),
    { numRuns: 200 }
  )
})
