/** Conversations are drawn in which a machine that forgets something shows it: each of these is found, and named. */
import type { Definition } from "@parley/core"
import type { ClientMachine, Input as ClientInput } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { Input, ServerMachine } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { brokenBy, clientConversation, conversations, serverConversation } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { reading } from "../src/envelope.js"
import { clients, everything } from "./definitions.js"

type Violation = ReturnType<typeof brokenBy>

/** The first violation in so many conversations, the same each time. */
function first(violation: (drawn: Parameters<typeof serverConversation>[1]) => Violation): string {
  for (const drawn of fc.sample(conversations(), { numRuns: 600, seed: 7 })) {
    const found = violation(drawn)
    if (found !== undefined) return `${found.number}: ${found.why}`
  }
  return "nothing was found"
}

const isBrokenReply = (json: unknown): boolean => {
  const { kind, id, replyish } = reading(json)
  return kind === "garbage" && replyish && id !== undefined
}

describe("a server", () => {
  const real = serverMachine(everything)
  /** What it leaves undone, and how it is found out. */
  const found = (forgets: (input: Input, phase: string) => boolean, definition: Definition = everything): string => {
    const step: ServerMachine["step"] = (state, input) =>
      forgets(input, state.phase._tag) ? [state, []] : real.step(state, input)
    return first((drawn) => brokenBy(serverConversation(definition, drawn, {}, { ...real, step })))
  }

  it("that loses an update before its client is ready is found", () =>
    expect(found(({ _tag }, phase) => _tag === "Updated" && phase === "Opened")).toMatch("9: "))
  it("that loses an update is found", () => expect(found(({ _tag }) => _tag === "Updated")).toMatch("was not told"))
  it("that does not tell of changed lists is found", () =>
    expect(found(({ _tag }) => _tag === "Changed")).toMatch(/9: the \w+ changed, and the client was not told/))
  it("that leaves a question open for ever after a broken reply is found", () =>
    expect(found((input) => input._tag === "Received" && isBrokenReply(input.json))).toMatch("got a broken reply"))
  it("that lets a question wait longer than its time is found", () =>
    expect(found(({ _tag }) => _tag === "TimerFired")).toMatch("10: the timer ask ran out, and nothing came of it"))
  it("that waits for answers when there will be none is found", () =>
    expect(found(({ _tag }) => _tag === "InputEnded")).toMatch(/1: handler|10: .* says nothing more/))
})

describe("a client", () => {
  const [definition, options] = clients["that can be asked everything"]!
  const real = clientMachine(definition, options)
  const found = (forgets: (input: ClientInput) => boolean): string => {
    const step: ClientMachine["step"] = (state, input) => (forgets(input) ? [state, []] : real.step(state, input))
    return first((drawn) => brokenBy(clientConversation(definition, drawn, options, { ...real, step })))
  }

  it("that waits on after a broken reply is found", () =>
    expect(found((input) => input._tag === "Received" && isBrokenReply(input.json))).toMatch("got a broken reply"))
  it("that lets a question wait longer than its time is found", () =>
    expect(found(({ _tag, ...rest }) => _tag === "TimerFired" && JSON.stringify(rest).includes("ask"))).toMatch(
      "10: the timer ask ran out, and nothing came of it"
    ))
  it("that tells progress which does not increase is found", () => {
    const step: ClientMachine["step"] = (state, input) => {
      const [next, outputs] = real.step(state, input)
      return input._tag === "AskProgressed" ? [state, outputs] : [next, outputs]
    }
    const text = first((drawn) => brokenBy(clientConversation(definition, drawn, options, { ...real, step })))
    expect(text).toMatch(/9: progress for .* went from/)
  })
})
