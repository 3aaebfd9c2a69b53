/** Whatever clients do, in whatever order and by whichever process: each request is answered once, to whom it belongs. */
import { tool } from "@parley/server"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { memoryEvents } from "../../src/server/event-memory.js"
import type { Fake } from "./fake-exchange.js"
import type { Serving } from "./serving.js"
import { call, defined, guests, initialize, serving, settled } from "./serving.js"
import { sharedStores } from "./shared-stores.js"

type Move =
  | { readonly _tag: "Echo" | "Wait" | "Book" }
  | {
      readonly _tag: "Answer" | "Cancel" | "Leave" | "Resume" | "Finish" | "Release" | "Time" | "Settle"
      readonly which: number
    }

const which = fc.nat(7)
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.constantFrom<Move>({ _tag: "Echo" }, { _tag: "Wait" }, { _tag: "Book" }, { _tag: "Wait" }, { _tag: "Book" }),
  fc.record({
    _tag: fc.constantFrom("Answer", "Cancel", "Leave", "Resume", "Finish", "Release", "Time", "Settle"),
    which
  })
)
const moves = fc.array(fc.record({ session: fc.nat(1), process: fc.nat(1), move }), { maxLength: 40 })

type Played = ReadonlyArray<{ readonly session: number; readonly process: number; readonly move: Move }>

interface Asked {
  readonly id: number
  readonly text: string
  readonly exchanges: Array<Fake>
  cancelled: boolean
  /** Gone before there was anything to come back for. */
  lost: boolean
}

interface Running {
  readonly text: string
  readonly finish: () => void
  readonly release: () => void
}

function patient() {
  const running: Array<Running> = []
  const wait = tool("wait", { input: text }, ({ text }, call) => {
    call.progress(1)
    return new Promise<string>((finish) =>
      running.push({ text, finish: () => finish(text), release: () => call.release({ retryMs: 1 }) })
    )
  })
  const echo = tool("echo", { input: text }, ({ text }) => text)
  const ask = tool("book", { input: text, asks: { guests } }, async ({ text }, call) => {
    await call.ask("guests", { message: "How many?" })
    return text
  })
  return { running, server: () => defined([wait, echo, ask]) }
}

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const

const repliesOf = ({ exchanges, id }: Asked) =>
  exchanges
    .flatMap((exchange) =>
      exchange.streams() ? exchange.messages() : exchange.text() === undefined ? [] : [exchange.json()]
    )
    .filter((message) => message.id === id && message.method === undefined)

async function play(
  processes: ReadonlyArray<Serving>,
  running: ReadonlyArray<Running>,
  all: Played,
  quiet: () => Promise<void>
) {
  const sessions = await Promise.all(
    [0, 1].map(async () => {
      const reply = processes[0]!.post(initialize("2025-11-25", { elicitation: {} }))
      await quiet()
      const headers = { "mcp-session-id": reply.headers()["mcp-session-id"]! }
      processes[0]!.post({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers })
      await quiet()
      return { headers, asked: [] as Array<Asked> }
    })
  )
  let ids = 0
  const last = ({ exchanges }: Asked): Fake => exchanges[exchanges.length - 1]!
  const seen = ({ exchanges }: Asked): string | undefined =>
    exchanges.flatMap((exchange) => exchange.events()).findLast(({ id }) => id !== undefined)?.id

  const leave = (asked: Asked): void => {
    last(asked).leave()
    if (seen(asked) === undefined && !last(asked).ended()) asked.lost = true
  }
  const answer = (serving: Serving, headers: Record<string, string>, asked: Asked): void => {
    for (const exchange of asked.exchanges)
      for (const { id, method } of exchange.streams() ? exchange.messages() : [])
        if (method === "elicitation/create")
          serving.post({ jsonrpc: "2.0", id, result: { action: "accept", content: { guests: 1 } } }, { headers })
  }
  const resume = (serving: Serving, headers: Record<string, string>, asked: Asked): void => {
    const from = seen(asked)
    if (from !== undefined) asked.exchanges.push(serving.get({ ...headers, "last-event-id": from }))
  }

  for (const { session, process, move } of all) {
    const serving = processes[process % processes.length]!
    const { headers, asked } = sessions[session]!
    const one = "which" in move && asked.length > 0 ? asked[move.which % asked.length] : undefined
    switch (move._tag) {
      case "Echo":
      case "Wait":
      case "Book": {
        // Both sessions use the same ids.
        const id = asked.length
        const text = `${session}/${ids++}`
        const more = { _meta: { progressToken: id } }
        const exchange = serving.post(call(id, move._tag.toLowerCase(), { text }, more), { headers })
        asked.push({ id, text, exchanges: [exchange], cancelled: false, lost: false })
        break
      }
      case "Answer":
        if (one !== undefined) answer(serving, headers, one)
        break
      case "Cancel":
        if (one === undefined) break
        one.cancelled = true
        serving.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: one.id } }, { headers })
        break
      case "Leave":
        if (one !== undefined) leave(one)
        break
      case "Resume":
        if (one !== undefined) leave(one)
        if (one?.lost === false) resume(serving, headers, one)
        break
      case "Finish":
        running[move.which]?.finish()
        break
      case "Release":
        running[move.which]?.release()
        break
      case "Time":
        serving.clock.advance(300 * move.which)
        break
      case "Settle":
        await quiet()
    }
  }

  // Whoever was cut off comes back, every question is answered, and every handler comes to its end.
  for (let round = 0; round < 3; round++) {
    await quiet()
    for (const { headers, asked } of sessions)
      for (const one of asked)
        if (!one.lost && repliesOf(one).length === 0 && seen(one) !== undefined) {
          last(one).leave()
          resume(processes[0]!, headers, one)
        }
    await quiet()
    for (const { headers, asked } of sessions)
      for (const one of asked) answer(processes[1 % processes.length]!, headers, one)
    for (const { finish } of running) finish()
    await quiet()
  }
  for (const { asked } of sessions)
    for (const one of asked) {
      const replies = repliesOf(one)
      const texts = replies.map(({ result }) => result.content[0].text)
      if (one.cancelled || one.lost) expect(texts.length).toBeLessThanOrEqual(1)
      else expect([one, texts]).toEqual([one, [one.text]])
      for (const text of texts) expect(text).toBe(one.text)
      if (!one.lost) expect([one, last(one).ended()]).toEqual([one, true])
    }
  return sessions
}

test("in one process", async () => {
  await fc.assert(fc.asyncProperty(moves, inOne), { numRuns: 150 })
})

async function inOne(all: Played): Promise<void> {
  const { running, server } = patient()
  const events = memoryEvents()
  const serving_ = await serving(server(), { events })
  const sessions = await play([serving_], running, all, settled)
  for (const { headers } of sessions) serving_.remove(headers)
  await settled()
  expect(serving_.served.count()).toBe(0)
  expect(events.size()).toEqual({ sessions: 0, streams: 0, events: 0 })
  serving_.clock.advance(3_600_000)
  expect(serving_.clock.pending()).toBe(0)
}

test("in two", async () => {
  await fc.assert(fc.asyncProperty(moves, fc.infiniteStream(fc.nat(2)), inTwo), { numRuns: 40 })
})

async function inTwo(all: Played, pauses: IterableIterator<number>): Promise<void> {
  const { running, server } = patient()
  const stores = sharedStores(() => pauses.next().value)
  const { sessions, events } = stores
  const processes = [await serving(server(), { sessions, events }), await serving(server(), { sessions, events })]
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 60; turns++) await settled()
  }
  const played = await play(processes, running, all, quiet)
  for (const { headers } of played) processes[1]!.remove(headers)
  await quiet()
  expect(stores.kept.size).toBe(0)
  for (const { served } of processes) await served.close()
  for (const { served } of processes) expect(served.count()).toBe(0)
}
