/** Invariant 13 has teeth: what a WebSocket does wrong with what it carries is seen. */
import { describe, expect, it } from "vitest"
import { assertCarried } from "../../testing/src/index.js"
import type { Odd } from "./ways.js"
import { sockets } from "./ways.js"

const isAbout = (method: string) => (text: string) => text.includes(`"notifications/${method}"`)
const [isProgress, isLog, isChange, isCancel] = ["progress", "message", "tools/list_changed", "cancelled"].map(
  isAbout
) as [(text: string) => boolean, (text: string) => boolean, (text: string) => boolean, (text: string) => boolean]

const back = (change: (text: string) => ReadonlyArray<string>): Odd => ({ back: () => change })

/** What is said first is said after what comes next. */
function late(): (text: string) => ReadonlyArray<string> {
  const held: Array<string> = []
  return (text) => {
    if (isProgress(text) && held.length === 0) {
      held.push(text)
      return []
    }
    return [text, ...held.splice(0)]
  }
}

const faults: ReadonlyArray<readonly [what: string, odd: Odd]> = [
  ["drops a progress", back((text) => (isProgress(text) ? [] : [text]))],
  ["repeats a notification", back((text) => (isLog(text) ? [text, text] : [text]))],
  ["tells nothing of changes", back((text) => (isChange(text) ? [] : [text]))],
  ["says things in another order", { back: late }],
  ["answers with another's id", back((text) => [text.replace(/"id":2\b/, '"id":"2"')])],
  ["leaves an error out", back((text) => (text.includes("-32601") ? [] : [text]))],
  ["passes no cancellation on", { there: (text) => (isCancel(text) ? [] : [text]) }],
  ["passes a message on twice", { there: (text) => [text, text] }],
  ["closes on what is no JSON", { there: (text) => (text.startsWith("{") || text.startsWith("[") ? [text] : []) }],
  [
    "forgets its session when it rests",
    {
      rests: true,
      serving: (hosting) => ({
        ...hosting,
        serve: (channel, given) => hosting.serve(channel, { ...given, state: undefined })
      })
    }
  ],
  [
    "hears of no change while it rests",
    { rests: true, serving: (hosting) => ({ ...hosting, onChange: () => () => undefined }) }
  ]
]

describe("a WebSocket that", () => {
  it.each(faults)("%s is found out", { timeout: 20_000 }, async (_, odd) => {
    const broken = sockets("a broken WebSocket", odd)
    await expect(assertCarried([broken], { seed: 1, conversations: 100, patienceMs: 100 })).rejects.toThrow(
      /^Invariant 13: .* Not so by a broken WebSocket \(seed 1, conversation \d+\)/
    )
  })
})
