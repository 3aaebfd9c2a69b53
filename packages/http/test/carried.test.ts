/** Invariant 13 has teeth: what an adapter does wrong with what it carries is seen. */
import { describe, expect, it } from "vitest"
import type { Site } from "../../testing/src/index.js"
import { assertCarried } from "../../testing/src/index.js"
import { inProcess } from "./ways.js"

type Through = (answer: Site["answer"]) => Site["answer"]

/** Changes the events of each stream; `own`: whether the stream is the session's own. */
const changing =
  (change: (event: string, own: boolean) => ReadonlyArray<string>): Through =>
  (answer) =>
  async (request) => {
    const response = await answer(request)
    if (response.body === null || response.headers.get("content-type") !== "text/event-stream") return response
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        // Each write is an event of its own.
        transform(event, controller) {
          for (const one of change(event, request.method === "GET")) controller.enqueue(one)
        }
      })
    )
    return new Response(events.pipeThrough(new TextEncoderStream()), response)
  }

/** What one exchange should have said is said by the next that streams. */
function misdirecting(): Through {
  const held: Array<string> = []
  return changing((event, own) => {
    if (!own && event.includes("notifications/progress") && held.length === 0) {
      held.push(event)
      return []
    }
    return [...held.splice(0), event]
  })
}

const isAbout = (method: string) => (event: string) => event.includes(`"notifications/${method}"`)
const [isProgress, isLog, isChange] = [isAbout("progress"), isAbout("message"), isAbout("tools/list_changed")]

/** JSON answers that are changed. */
const answering =
  (change: (text: string) => string): Through =>
  (answer) =>
  async (request) => {
    const response = await answer(request)
    if (response.headers.get("content-type") !== "application/json") return response
    return new Response(change(await response.text()), response)
  }

const faults: ReadonlyArray<readonly [what: string, through: Through]> = [
  ["drops a progress", changing((event) => (isProgress(event) ? [] : [event]))],
  ["repeats a notification", changing((event) => (isLog(event) ? [event, event] : [event]))],
  ["says by another exchange what belongs to one", misdirecting()],
  ["tells nothing by the session's own stream", changing((event, own) => (own && isChange(event) ? [] : [event]))],
  ["answers with another's id", answering((text) => text.replace(/"id":2\b/, '"id":"2"'))],
  [
    "answers everything with success",
    (answer) => async (request) => {
      const response = await answer(request)
      return response.status === 400 ? new Response(await response.text(), { headers: response.headers }) : response
    }
  ],
  ["leaves an error out", answering((text) => (text.includes("-32601") ? "" : text))]
]

describe("an adapter that", () => {
  it.each(faults)("%s is found out", { timeout: 20_000 }, async (_, through) => {
    const broken = inProcess("a broken fetch handler", {}, through)
    await expect(assertCarried([broken], { seed: 1, conversations: 100, patienceMs: 100 })).rejects.toThrow(
      /^Invariant 13: .* Not so by a broken fetch handler \(seed 1, conversation \d+\)/
    )
  })
})
