/** Conversations with servers of 2026-07-28 are drawn in which a client that does one thing wrong shows it: each is found, and named. */
import type { JsonObject } from "@parley/core"
import type { ClientMachine, Input, Output } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import { brokenBy, clientConversation, conversations } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { own, reading } from "../src/envelope.js"
import { askable, client, discovered } from "./client-definitions.js"

const definition = client(askable)
const options = {
  prior: { _tag: "Discovered", result: { ...discovered, capabilities: { tools: { listChanged: true } } } }
} as const

/** The first violation in so many conversations, the same each time, of a machine whose outputs are changed so. */
function found(change: (outputs: ReadonlyArray<Output>, input: Input) => ReadonlyArray<Output>): string {
  const real = clientMachine(definition, options)
  const step: ClientMachine["step"] = (state, input) => {
    const [next, outputs] = real.step(state, input)
    return [next, state.phase._tag === "Open" ? change(outputs, input) : outputs]
  }
  for (const drawn of fc.sample(conversations(), { numRuns: 600, seed: 7 })) {
    const broken = brokenBy(clientConversation(definition, drawn, options, { ...real, step }))
    if (broken !== undefined) return `${broken.number}: ${broken.why}`
  }
  return "nothing was found"
}

/** Each request that goes out, changed. */
const asking = (change: (params: JsonObject) => JsonObject, when: (method: unknown) => boolean = () => true) =>
  found((outputs) =>
    outputs.map((output): Output => {
      const message = output._tag === "Send" ? (output.message as unknown as JsonObject) : {}
      if (output._tag !== "Send" || message["id"] === undefined || !when(message["method"])) return output
      return { ...output, message: { ...message, params: change(message["params"] as JsonObject) } as never }
    })
  )
const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
const dropping = (tag: Output["_tag"]): string => found((outputs) => outputs.filter(({ _tag }) => _tag !== tag))
const notice = (json: unknown): Output =>
  ({ _tag: "Notice", method: reading(json).method, params: reading(json).params, about: 11 }) as Output

describe("a client", () => {
  it("that loses the state of a server is found", () =>
    expect(asking((params) => without(params, "requestState"))).toMatch("8: "))
  it("that loses what its user answered is found", () =>
    expect(asking((params) => without(params, "inputResponses"))).toMatch("answers to other questions"))
  it("that does not say who it is is found", () =>
    expect(asking((params) => ({ ...params, _meta: {} }))).toMatch(/^[68]: /))
  it("that does not put questions to its user is found", () => expect(dropping("Ask")).toMatch("3: "))
  it("that forgets an acknowledgement is found", () => expect(dropping("Acknowledged")).toMatch("was not told"))
  it("that keeps news to itself is found", () => expect(dropping("Notice")).toMatch("was not heard"))
  it("that does not settle is found", () => expect(dropping("Settle")).toMatch("3: "))
  it("that hands out whatever comes is found", () =>
    expect(
      found((outputs, input) =>
        input._tag === "Received" && reading(input.json).method === "notifications/tools/list_changed"
          ? [notice(input.json)]
          : outputs
      )
    ).toMatch("9: "))
  it("that answers its server is found", () =>
    expect(
      found((outputs, input) => {
        if (input._tag !== "Received" || reading(input.json).kind !== "request") return outputs
        const message = { jsonrpc: "2.0", id: own(input.json, "id"), error: { code: -32601, message: "no" } }
        return [{ _tag: "Send", message, via: input.via, last: true, text: undefined } as Output]
      })
    ).toMatch("is no request there"))
  it("that cancels what was answered is found", () =>
    expect(
      found((outputs, input) => {
        if (input._tag !== "Received" || reading(input.json).kind !== "reply") return outputs
        const params = { requestId: own(input.json, "id") }
        const message = { jsonrpc: "2.0", method: "notifications/cancelled", params }
        return [...outputs, { _tag: "Send", message, via: undefined, last: false, text: undefined } as Output]
      })
    ).toMatch("is not under way"))
})
