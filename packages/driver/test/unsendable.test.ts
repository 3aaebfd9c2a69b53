/** Messages that are no JSON: whoever waits for them is told, the rest goes out, and the conversation goes on. */
import type { Message } from "@parley/core"
import { describe, expect, it } from "vitest"
import { text } from "./by-hand.js"
import { start } from "./remembering.js"

const result = (id: number, value: unknown) => ({ jsonrpc: "2.0", id, result: { value } }) as unknown as Message
const instead = (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: expect.any(String) as string } })

const circle: { self?: unknown } = {}
circle.self = circle
let deep: unknown = []
for (let depth = 0; depth < 100_000; depth++) deep = [deep]

const hostile: ReadonlyArray<readonly [string, unknown]> = [
  ["a bigint", 1n],
  ["a circle", circle],
  ["something a hundred thousand deep", deep],
  [
    "a toJSON that throws",
    {
      toJSON: () => {
        throw new Error("no")
      }
    }
  ],
  [
    "a getter that throws",
    {
      get it() {
        throw new Error("no")
      }
    }
  ],
  [
    "a proxy whose keys can not be read",
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no")
        }
      }
    )
  ]
]

/** A driver that sends this when it hears "go", over a channel that writes JSON. */
function sending(message: Message | ReadonlyArray<Message>) {
  const unsent: Array<Message> = []
  const started = start(
    (word) => (word === "go" ? [{ _tag: "Send", message, via: "here", last: true, text: undefined }] : []),
    undefined,
    { unsent: (message) => unsent.push(message) }
  )
  const { channel } = started
  const written: Array<unknown> = []
  channel.send = (out) => {
    written.push(JSON.parse(JSON.stringify(out.message)))
    channel.sent.push(out)
  }
  return { ...started, written, unsent }
}

describe.each(hostile)("a reply that holds %s", (_, value) => {
  it("is replaced by an error under its id, by its way", () => {
    const { channel, driver, written, unsent } = sending(result(7, value))
    expect(() => channel.on.frame(text("go"))).not.toThrow()
    expect(written).toEqual([instead(7)])
    expect(channel.sent[0]).toMatchObject({ via: "here", last: true })
    expect(unsent).toHaveLength(1)
    void channel.on.frame(text("next"))
    expect(driver.state()).toEqual(["go", "next"])
  })

  it("does not keep the rest of its batch back", () => {
    const { channel, written } = sending([result(1, "a"), result(2, value), result(3, "c")])
    void channel.on.frame(text("go"))
    expect(written).toEqual([[result(1, "a"), instead(2), result(3, "c")]])
  })

  it("is left out when it is no reply, since nobody waits for it", () => {
    const note = { jsonrpc: "2.0", method: "it", params: { value } } as unknown as Message
    const alone = sending(note)
    void alone.channel.on.frame(text("go"))
    expect(alone.written).toEqual([])
    expect(alone.unsent).toEqual([note])
    const { channel, written } = sending([note, result(2, "b")])
    void channel.on.frame(text("go"))
    expect(written).toEqual([[result(2, "b")]])
  })
})

it("tells nobody of what could be sent", () => {
  const { channel, written, unsent } = sending(result(1, "a"))
  void channel.on.frame(text("go"))
  expect(written).toEqual([result(1, "a")])
  expect(unsent).toEqual([])
})

it("is answered once also when writing it fails every other time", () => {
  let times = 0
  const moody = {
    toJSON: () => {
      if (++times % 2 === 1) throw new Error("not now")
      return "now"
    }
  }
  const { channel, written } = sending(result(1, moody))
  void channel.on.frame(text("go"))
  expect(written).toEqual([result(1, "now")])
})
