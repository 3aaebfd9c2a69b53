/** States that no conversation with this machine has led to are gone on with all the same. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { v2025_11_25 } from "../../src/revisions/index.js"
import { serverMachine } from "../../src/server/index.js"
import { answer } from "./asking.js"
import { call, define, everything, messages, ready, tool } from "./by-hand.js"

const definition = define(everything, { tools: [tool("slow")] })

describe("a session in which an id stands twice", () => {
  it("is read back, and an answer to the first of the two finds no question", () => {
    const by = ready("2025-11-25", definition, {}, { roots: {} })
    by.hear(call("c"))
    const questions = [{ key: "a", method: "roots/list", params: undefined }]
    by.tell({ _tag: "NeedsInput", call: 1, id: "c", questions, once: {} })
    const sound = JSON.parse(JSON.stringify(by.machine.encode(by.state()))) as JsonObject
    const [entry] = sound["inFlight"] as ReadonlyArray<JsonObject>
    const twice = by.machine.decode({ ...sound, inFlight: [entry!, { ...entry, asking: undefined }] })
    if (!twice.ok) throw new Error(twice.error)
    const [, outputs] = by.machine.step(twice.value, { _tag: "Received", json: answer(2), via: "a" })
    expect(outputs).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored", id: 2 } }])
  })
})

describe("a machine that no longer speaks the revision of a session", () => {
  it("serves it to its end by the newest that it speaks", () => {
    const by = ready("2025-03-26", definition)
    by.hear(call(1))
    const newer = serverMachine({ ...definition, revisions: [v2025_11_25] })
    const [, outputs] = newer.step(by.state(), { _tag: "Succeeded", call: 1, id: 1, result: { content: [] } })
    expect(messages(outputs)).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [] } }])
  })
})
