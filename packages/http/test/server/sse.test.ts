/** Events as text, read again by a parser that others wrote. */
import { createParser } from "eventsource-parser"
import type { EventSourceMessage } from "eventsource-parser"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sseComment, sseEvent } from "../../src/server/sse.js"

function read(text: string) {
  const events: Array<EventSourceMessage> = []
  const [retries, comments]: [Array<number>, Array<string>] = [[], []]
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
    onComment: (comment) => comments.push(comment)
  })
  parser.feed(text)
  return { events, retries, comments }
}

describe("an event", () => {
  it("holds a message on one line", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const text = JSON.stringify(json)
        const event = sseEvent(text)
        expect(event.trimEnd().split("\n")).toHaveLength(1)
        expect(read(event).events).toEqual([{ data: text, event: undefined, id: undefined }])
      })
    )
  })

  it("can not end early, nor hold a field of its data's choice", () => {
    const piece = fc.oneof(fc.constantFrom("\n", "\r", "\r\n", "id: 1", "data:", ":"), fc.string({ unit: "grapheme" }))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const data = `x${pieces.join("")}`
        expect(read(sseEvent(data)).events.map((event) => event.data)).toEqual([data.replace(/\r\n?/g, "\n")])
      })
    )
  })

  it("may have a name, an id, and a wish for when to come back", () => {
    const { events, retries } = read(sseEvent("{}", { id: "a-1", event: "message", retry: 500 }))
    expect([events, retries]).toEqual([[{ data: "{}", event: "message", id: "a-1" }], [500]])
  })

  it("may say nothing but where a stream is", () => {
    expect(sseEvent("", { id: "1" })).toBe("id: 1\ndata: \n\n")
  })

  it("is none when it is a comment", () => {
    expect(read(sseComment)).toEqual({ events: [], retries: [], comments: [""] })
  })
})
