/** Every kind of error has words of its own, which hold all that the error says. */
import { describe, expect, it } from "vitest"
import type { CallError } from "../../src/client/index.js"
import { explain } from "../../src/client/index.js"

type Kinds = { readonly [Tag in CallError["_tag"]]: Extract<CallError, { readonly _tag: Tag }> }

const method = "tools/call"
const error = { code: -32099, message: "out of paper" }

/** One of each; a kind that is missing here does not compile. */
const kinds: Kinds = {
  Answered: { _tag: "Answered", method, error },
  MethodUnknown: { _tag: "MethodUnknown", method, revision: "2024-11-05" },
  MethodUndeclared: { _tag: "MethodUndeclared", method, needs: "tasks", declared: ["tools", "logging"] },
  ParamsInvalid: { _tag: "ParamsInvalid", method, problem: { at: "cursor", expected: "a string" } },
  ResultInvalid: { _tag: "ResultInvalid", method, problem: { at: "content", expected: "an array" } },
  TimedOut: { _tag: "TimedOut", method, ms: 1234, total: true, unproven: true },
  Abandoned: { _tag: "Abandoned", method, reason: "the user left" },
  VersionUnsupported: {
    _tag: "VersionUnsupported",
    asked: "2025-11-25",
    offered: ["1999-01-01", "1999-02-02"],
    spoken: ["2024-11-05"],
    error
  },
  AskRefused: { _tag: "AskRefused", method, key: "guests", error },
  TooManyRounds: { _tag: "TooManyRounds", method, rounds: 16 },
  Refused: { _tag: "Refused", method, status: 503, why: "the gateway is closed" },
  NotOpen: { _tag: "NotOpen", method, why: "it was never opened" },
  Closed: { _tag: "Closed", method, why: "the process exited" }
}

describe.each(Object.entries(kinds))("%s", (tag, failure) => {
  it("is told with all its members", () => {
    const words = explain(failure)
    for (const [name, value] of Object.entries(failure))
      if (!unsaid.has(name)) for (const part of partsOf(value)) expect(words, `${tag}.${name}`).toContain(part)
  })
})

it("no two kinds are told by the same words", () => {
  const { Refused, NotOpen, Closed } = kinds
  const told = Object.values({
    ...kinds,
    Closed: { ...Closed, why: Refused.why },
    NotOpen: { ...NotOpen, why: Refused.why }
  })
  // A refusal and an end are the same to a person: nothing was answered, and why.
  expect(new Set(told.map(explain)).size).toBe(told.length - 1)
})

it("a refusal is not told as an answer", () => {
  const failure = {
    _tag: "VersionUnsupported",
    asked: "2025-11-25",
    offered: ["2026-07-28"],
    spoken: ["2026-07-28"]
  } as const
  expect(explain(failure)).toBe(
    "The server answered initialize of 2025-11-25 with 2026-07-28, which initialize never agrees on; this client speaks 2026-07-28"
  )
  expect(explain({ ...failure, error })).toBe(
    "The server offered version 2026-07-28 when asked for 2025-11-25; this client speaks 2026-07-28 (error -32099: out of paper)"
  )
})

/** What is for programs, or decides which words are said. */
const unsaid = new Set(["_tag", "status", "total", "unproven"])

const partsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(partsOf) : [String(value)]
