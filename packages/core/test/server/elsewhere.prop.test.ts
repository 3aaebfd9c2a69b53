/** The state is kept elsewhere and the process killed at any step: nothing that a handler does once is ever done twice. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import type { RevisionName } from "../../src/revision.js"
import type { Input, Invoke, Output, ServerState } from "../../src/server/index.js"
import { serverMachine } from "../../src/server/index.js"
import { call, define, initialize, initialized, tool } from "./by-hand.js"

/** What the tool does, in order: things done once, and questions that are asked together. */
const script: ReadonlyArray<{ readonly once: string } | { readonly ask: ReadonlyArray<string> }> = [
  { once: "reserve" },
  { ask: ["guests"] },
  { once: "charge" },
  { ask: ["seats", "name"] },
  { once: "confirm" }
]

const definition = define({ tools: {}, logging: {} }, { tools: [tool("book")] })
const machine = serverMachine(definition)

class Killed extends Error {}

/** A process after another over one stored state. `kills`: after how many moments each of them dies. */
class World {
  /** Written before anything that follows from it is done. */
  store: unknown = JSON.parse(JSON.stringify(machine.encode(machine.initial)))
  readonly done = new Map<string, number>()
  readonly replies: Array<JsonObject> = []
  /** What is on its way to the server: what its client said outlives a process. */
  readonly mail: Array<JsonObject> = []
  readonly kills: Array<number>
  #state: ServerState = machine.initial
  #left = Infinity
  /** What the process has yet to do: it is lost with it. */
  #work: Array<() => void> = []

  constructor(kills: ReadonlyArray<number>) {
    this.kills = [...kills]
  }

  run(): void {
    for (let moments = 0; moments < 300; moments++) {
      try {
        const work = this.#work.shift()
        if (work !== undefined) work()
        else if (this.mail.length > 0) this.tell({ _tag: "Received", json: this.mail.shift()!, via: "v" })
        else if (!this.fire()) return
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        this.restart()
      }
    }
  }

  /** The process may end here. */
  moment(): void {
    if (--this.#left < 0) throw new Killed()
  }

  tell(input: Input): void {
    this.moment()
    const [next, outputs] = machine.step(this.#state, input)
    this.#state = next
    this.store = JSON.parse(JSON.stringify(machine.encode(next)))
    for (const output of outputs) this.#work.push(() => this.perform(output))
  }

  perform(output: Output): void {
    this.moment()
    if (output._tag === "Send") this.hear(output.message as unknown as JsonObject)
    if (output._tag === "Invoke") this.handle(output)
  }

  /** The client answers whatever it is asked. */
  hear(message: JsonObject): void {
    if (message["method"] === undefined) this.replies.push(message)
    else if (message["id"] !== undefined)
      this.mail.push({ jsonrpc: "2.0", id: message["id"]!, result: { action: "accept", content: {} } })
  }

  handle({ call: number, id, answers, once: before }: Invoke): void {
    const once: Record<string, unknown> = { ...before }
    for (const line of script) {
      if ("once" in line) {
        if (Object.hasOwn(once, line.once)) continue
        this.moment()
        this.done.set(line.once, (this.done.get(line.once) ?? 0) + 1)
        once[line.once] = "done"
        this.moment()
        continue
      }
      const missing = line.ask.filter((key) => answers?.[key] === undefined)
      if (missing.length === 0) continue
      const questions = missing.map((key) => ({
        key,
        method: "elicitation/create",
        params: { message: key, requestedSchema: { type: "object", properties: {} } }
      }))
      return void this.#work.push(() =>
        this.tell({ _tag: "NeedsInput", call: number, id, questions, once: once as JsonObject })
      )
    }
    this.#work.push(() => this.tell({ _tag: "Succeeded", call: number, id, result: { content: [] } }))
  }

  /** A question whose sending was lost is given up in time. */
  fire(): boolean {
    const { inFlight } = this.store as {
      inFlight: ReadonlyArray<{ asking?: { open: ReadonlyArray<{ ask: number }> } }>
    }
    const asked = inFlight.flatMap(({ asking }) => asking?.open ?? [])[0]
    if (asked === undefined) return false
    this.tell({ _tag: "TimerFired", timer: { of: "ask", call: asked.ask } })
    return true
  }

  restart(): void {
    this.#work = []
    this.#left = this.kills.shift() ?? Infinity
    const moved = machine.decode(this.store)
    if (!moved.ok) throw new Error(moved.error)
    this.#state = moved.value
    this.#work.push(() => this.tell({ _tag: "Resumed" }))
  }
}

const lived = (revision: RevisionName, kills: ReadonlyArray<number>): World => {
  const world = new World([])
  for (const json of [initialize(revision, { elicitation: {} }), initialized]) {
    world.mail.push(json)
    world.run()
  }
  const busy = new World(kills)
  busy.store = world.store
  busy.restart()
  busy.mail.push(call("c", "book") as JsonObject)
  busy.run()
  return busy
}

describe.each(["2025-06-18", "2025-11-25"] as const)("a tool that asks twice on %s", (revision) => {
  it("does everything once and is answered when nobody kills it", () => {
    const { done, replies } = lived(revision, [])
    expect([...done]).toEqual([
      ["reserve", 1],
      ["charge", 1],
      ["confirm", 1]
    ])
    expect(replies).toMatchObject([{ id: "c", result: { content: [] } }])
  })

  it("does nothing twice and is answered once at most, whichever moments it is killed at", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(25), { maxLength: 6 }), (kills) => {
        const { done, replies } = lived(revision, kills)
        expect([...done.values()].every((times) => times === 1)).toBe(true)
        expect(replies.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 }
    )
  })

  it("goes on where it was when it is killed while a question waits for its answer", () => {
    const survived = Array.from({ length: 40 }, (_, moment) => lived(revision, [moment])).filter(({ replies }) =>
      Object.hasOwn(replies[0] ?? {}, "result")
    )
    // Between a question and its answer there are moments enough; within a run of the handler there is none.
    expect(survived.length).toBeGreaterThan(10)
    for (const { done } of survived) expect(done.get("confirm")).toBe(1)
  })
})
