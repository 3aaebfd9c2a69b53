/** A session that waits for a seal, or for streams to end, is written down and read back whole. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { revisions } from "../../src/revisions/index.js"
import type { Session } from "./by-hand.js"
import { define, enveloped, everything, session } from "./by-hand.js"

const declared = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } }
const both = define(everything, { revisions })

/** A request whose questions are being sealed, one whose state is being opened, and a stream. */
const waiting = (): Session => {
  const by = session(both)
  const json = enveloped(1, "tools/call", { name: "slow" }, { ...declared, "io.modelcontextprotocol/logLevel": "info" })
  by.tell({ _tag: "Received", json, via: "a", principal: "ann" })
  const questions = [{ key: "r", method: "roots/list", params: undefined }]
  by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions, once: { hold: 7 } })
  by.hear(enveloped("2", "tools/call", { name: "slow", requestState: "t", inputResponses: { r: 1 } }, declared))
  by.hear(enveloped("s", "subscriptions/listen", { notifications: { resourceSubscriptions: ["a:1"] } }))
  return by
}

const written = (by: Session) =>
  JSON.parse(JSON.stringify(by.machine.encode(by.state()))) as {
    readonly inFlight: ReadonlyArray<JsonObject & { id: string | number; stage: JsonObject }>
    readonly listens: ReadonlyArray<JsonObject>
  }

it("is the same when it is read back", () => {
  const by = waiting()
  const before = written(by)
  by.move()
  expect(written(by)).toEqual(before)
  expect(by.state()).toMatchObject({ inFlight: { size: 2 }, listens: { size: 1 } })
})

it("says who asked, how much it wants to hear of, and on whose behalf", () => {
  const [sealing] = written(waiting()).inFlight.filter(({ id }) => id === 1)
  expect(sealing).toMatchObject({
    principal: "ann",
    level: "info",
    peer: { revision: "2026-07-28", capabilities: { roots: {} } },
    stage: {
      _tag: "Sealing",
      questions: { r: { method: "roots/list" } },
      payload: { asked: { r: "roots/list" }, answers: {}, once: { hold: 7 }, logged: 0 }
    }
  })
})

describe("is refused", () => {
  const broken = (id: string | number, change: JsonObject) => {
    const by = waiting()
    const sound = written(by)
    const inFlight = sound.inFlight.map((entry) => (entry.id === id ? { ...entry, ...change } : entry))
    return by.machine.decode({ ...sound, inFlight })
  }
  const malformed = { ok: false, error: "malformed" }

  it.each<[string, JsonObject]>([
    ["no stage", { stage: null }],
    ["an unknown stage", { stage: { _tag: "Napping" } }],
    ["questions that are none", { stage: { _tag: "Sealing", questions: [], payload: {} } }],
    ["no questions", { stage: { _tag: "Sealing", payload: {} } }],
    ["nothing to remember", { stage: { _tag: "Sealing", questions: {} } }],
    ["no token", { stage: { _tag: "Unsealing", responses: {} } }],
    ["a token that is no text", { stage: { _tag: "Unsealing", token: 7, responses: {} } }],
    ["no responses", { stage: { _tag: "Unsealing", token: "t" } }],
    ["a peer of an unknown revision", { peer: { revision: "2027-01-01", capabilities: {} } }],
    ["a peer without capabilities", { peer: { revision: "2026-07-28" } }],
    ["no peer", { peer: null }],
    ["a principal that is no text", { principal: 7 }],
    ["an unknown level", { level: "loud" }],
    ["a method of another revision", { method: "ping" }],
    ["once that is nothing", { asking: { open: [], answers: {}, once: null } }],
    [
      "an open question of no method",
      { asking: { open: [{ ask: 9, key: "a", method: "ping" }], answers: {}, once: {} } }
    ]
  ])("with %s", (_, change) => {
    expect(broken(1, change)).toEqual(malformed)
    expect(broken("2", change)).toEqual(malformed)
  })

  it("but not without what may be absent", () => {
    const { peer } = written(waiting()).inFlight[0]!
    const spared = { peer: { ...(peer as JsonObject), info: undefined }, principal: undefined, level: undefined }
    expect(broken(1, spared).ok).toBe(true)
  })
})
