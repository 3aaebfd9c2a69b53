/** Every kind of failure is spelled: a number of JSON-RPC's own or the specification's, and a message of its own that says all of it. */
import { describe, expect, it } from "vitest"
import type { Failure } from "../src/failure.js"
import { errorOf } from "../src/failure.js"

type Kinds = { readonly [Tag in Failure["_tag"]]: Extract<Failure, { readonly _tag: Tag }> }

const method = "tools/call"
const supported = ["2025-11-25", "2026-07-28"]

/** One of each; a kind that is missing here does not compile. */
const kinds: Kinds = {
  InvalidRequest: { _tag: "InvalidRequest", why: "it has no method" },
  NotReady: { _tag: "NotReady", method },
  IdInUse: { _tag: "IdInUse", id: 17 },
  MethodUnknown: { _tag: "MethodUnknown", method, why: "is not in 2024-11-05" },
  MethodUndeclared: { _tag: "MethodUndeclared", method, needs: "tasks.list" },
  ParamsInvalid: { _tag: "ParamsInvalid", method, problem: { at: "a.b", expected: "a string" } },
  ResultInvalid: { _tag: "ResultInvalid", method },
  TooManyRequests: { _tag: "TooManyRequests", limit: 31 },
  ParseFailed: { _tag: "ParseFailed", why: "utf8" },
  TooLarge: { _tag: "TooLarge" },
  BatchRefused: { _tag: "BatchRefused", why: "there are no batches" },
  NotInitialized: { _tag: "NotInitialized", method, supported },
  AlreadyInitialized: { _tag: "AlreadyInitialized" },
  VersionUnsupported: { _tag: "VersionUnsupported", requested: "1999-01-01", supported },
  EnvelopeInvalid: { _tag: "EnvelopeInvalid", method, problem: { at: "_meta", expected: "an object" }, supported },
  RevisionUnsupported: { _tag: "RevisionUnsupported", requested: "1999-01-01", supported },
  HeaderMismatch: { _tag: "HeaderMismatch", header: "2025-11-25", body: "2026-07-28" },
  CapabilityMissing: {
    _tag: "CapabilityMissing",
    asked: "the tool book",
    needs: [["elicitation", "url"], ["elicitation", "form"], ["roots"]]
  },
  StateRefused: { _tag: "StateRefused", method },
  ToolUnknown: { _tag: "ToolUnknown", name: "hammer" },
  PromptUnknown: { _tag: "PromptUnknown", name: "poem" },
  ResourceUnknown: { _tag: "ResourceUnknown", uri: "file:///a", code: -32002 },
  ArgumentMissing: { _tag: "ArgumentMissing", prompt: "poem", argument: "about" },
  CursorInvalid: { _tag: "CursorInvalid", method, cursor: "c" },
  ArgumentsInvalid: { _tag: "ArgumentsInvalid", tool: "hammer", why: "nail: expected a string" },
  HandlerCrashed: { _tag: "HandlerCrashed", method },
  TooManySubscriptions: { _tag: "TooManySubscriptions", limit: 47 },
  Stopping: { _tag: "Stopping" },
  Interrupted: { _tag: "Interrupted" },
  Chosen: { _tag: "Chosen", code: 5, message: "out of paper", data: { tray: 2 } }
}

/** JSON-RPC 2.0, 5.1; 2025-11-25 and before, server/resources; 2026-07-28 basic, Error Codes. */
const numbers = [-32700, -32600, -32601, -32602, -32603, -32002, -32020, -32021, -32022]

describe.each(Object.entries(kinds))("%s", (tag, failure) => {
  it("has a number, and a message that says what the failure says", () => {
    const error = errorOf(failure)
    if (tag !== "Chosen") expect(numbers).toContain(error.code)
    if ("code" in failure) expect(error.code).toBe(failure.code)
    const said = error.message + JSON.stringify(error.data ?? {})
    for (const [name, value] of Object.entries(failure))
      if (!unsaid.has(name)) for (const part of partsOf(value)) expect(said, `${tag}.${name}`).toContain(part)
    expect(error.message).not.toContain("undefined")
  })

  it("has no member that is not there", () => {
    const error = errorOf(failure)
    expect(JSON.parse(JSON.stringify(error))).toStrictEqual(error)
  })
})

it("no two kinds are told by the same words", () => {
  const told = Object.values(kinds).map((failure) => errorOf(failure).message)
  // Both are about a version that is not spoken: their numbers tell them apart.
  expect(new Set(told).size).toBe(told.length - 1)
})

it("what the body says of the version is told only when it says something", () => {
  for (const body of [undefined, null, 7, {}])
    expect(errorOf({ _tag: "HeaderMismatch", header: "2025-11-25", body })).toEqual({
      code: -32020,
      message: "Header mismatch: MCP-Protocol-Version is 2025-11-25, and the body names none"
    })
  expect(errorOf(kinds.HeaderMismatch).message).toBe(
    "Header mismatch: MCP-Protocol-Version is 2025-11-25, and the body says 2026-07-28"
  )
})

it("the capabilities that are missing are one object", () => {
  expect(errorOf(kinds.CapabilityMissing).data).toEqual({
    requiredCapabilities: { elicitation: { url: {}, form: {} }, roots: {} }
  })
})

/** What is a name for programs, or chosen by whoever asked. */
const unsaid = new Set(["_tag", "why", "cursor", "code"])

const partsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(partsOf) : [String(value)]
