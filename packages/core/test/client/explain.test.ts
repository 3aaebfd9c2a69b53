/** Why a call has no result, in words for a person. */
import { expect, it } from "vitest"
import type { CallError } from "../../src/client/index.js"
import { clientMachine, elicitationsIn, explain } from "../../src/client/index.js"
import { define } from "./by-hand.js"

const method = "tools/list"

it.each<[CallError, string]>([
  [
    { _tag: "Answered", method, error: { code: -32603, message: "no" } },
    "tools/list was answered with error -32603: no"
  ],
  [
    { _tag: "Answered", method: "resources/read", error: { code: -32002, message: "Resource not found" } },
    "resources/read was answered with error -32002: Resource not found (the server has no such resource)"
  ],
  [
    {
      _tag: "Answered",
      method,
      error: {
        code: -32042,
        message: "Sign in",
        data: {
          elicitations: [
            { mode: "url", elicitationId: "e", url: "https://a.example/", message: "Pay" },
            { mode: "url", elicitationId: "f", url: "https://b.example/", message: "Sign" }
          ]
        }
      }
    },
    "tools/list was answered with error -32042: Sign in (call again after the user has visited https://a.example/: Pay; https://b.example/: Sign)"
  ],
  [
    { _tag: "Answered", method, error: { code: -32042, message: "Sign in", data: { elicitations: "none" } } },
    "tools/list was answered with error -32042: Sign in"
  ],
  [
    { _tag: "MethodUnknown", method, revision: "2025-11-25" },
    "tools/list is not a request that a client may send in 2025-11-25; nothing was sent"
  ],
  [
    { _tag: "MethodUndeclared", method, needs: "tools", declared: ["logging", "prompts"] },
    "tools/list needs the capability tools, and the server declared only logging, prompts; nothing was sent"
  ],
  [
    { _tag: "MethodUndeclared", method, needs: "tools", declared: [] },
    "tools/list needs the capability tools, and the server declared no capabilities at all; nothing was sent"
  ],
  [
    { _tag: "ParamsInvalid", method, problem: { at: "cursor", expected: "a string" } },
    "The params for tools/list are not valid: cursor: expected a string; nothing was sent"
  ],
  [
    { _tag: "ResultInvalid", method, problem: { at: "tools", expected: "an array" } },
    "The server's result for tools/list is not valid: tools: expected an array"
  ],
  [{ _tag: "TimedOut", method, ms: 5, total: false }, "tools/list was not answered within 5 ms"],
  [{ _tag: "TimedOut", method, ms: 5, total: true }, "tools/list was not answered within 5 ms in all"],
  [
    { _tag: "TimedOut", method, ms: 5, total: false, unproven: true },
    "tools/list was not answered within 5 ms; the server was opened by what was remembered of it (`prior`), which may hold no longer: connect again without it"
  ],
  [
    { _tag: "TooManyRounds", method, rounds: 16 },
    "tools/list was not answered: 16 requests were made for it, and the server answered each by input_required"
  ],
  [{ _tag: "Abandoned", method, reason: undefined }, "tools/list was abandoned"],
  [{ _tag: "Abandoned", method, reason: "late" }, "tools/list was abandoned: late"],
  [
    { _tag: "VersionUnsupported", asked: "a", offered: ["b"], spoken: ["a", "c"] },
    "The server offered version b when asked for a; this client speaks a, c"
  ],
  [
    { _tag: "VersionUnsupported", asked: "a", offered: ["c"], spoken: ["c", "a"] },
    "The server answered initialize of a with c, which initialize never agrees on; this client speaks c, a"
  ],
  [
    {
      _tag: "VersionUnsupported",
      asked: "a",
      offered: ["b", "d"],
      spoken: ["a"],
      error: { code: -32022, message: "no" }
    },
    "The server offered versions b, d when asked for a; this client speaks a (error -32022: no)"
  ],
  [
    {
      _tag: "VersionUnsupported",
      asked: "a",
      offered: ["b", "a"],
      spoken: ["a"],
      error: { code: -32022, message: "no" }
    },
    "The server refused version a, and yet names it as one that it speaks; this client speaks a (error -32022: no)"
  ],
  [
    { _tag: "VersionUnsupported", asked: "a", offered: [], spoken: ["a"], error: { code: -32022, message: "no" } },
    "The server does not speak version a, and names none that it speaks; this client speaks a (error -32022: no)"
  ],
  [
    { _tag: "VersionUnsupported", asked: "a", offered: [], spoken: ["a"] },
    "The server does not speak version a, and names none that it speaks; this client speaks a"
  ],
  [
    { _tag: "VersionUnsupported", asked: "a", offered: [], spoken: ["a"], error: { code: -32601, message: "what?" } },
    "The server refused server/discover of a, as those do that are opened by initialize; this client speaks a (error -32601: what?)"
  ],
  [{ _tag: "NotOpen", method, why: "gone" }, "tools/list can not be sent: gone"],
  [{ _tag: "Closed", method, why: "gone" }, "tools/list was not answered: gone"]
])("%j", (error, words) => expect(explain(error)).toBe(words))

it("a client can not speak nothing", () => {
  expect(() => clientMachine(define({}, { revisions: [] }))).toThrow(
    new TypeError("A client must speak at least one revision")
  )
})

it("finds the pages to visit in what asks for them, and nowhere else", () => {
  const page = { mode: "url", elicitationId: "e", url: "https://a.example/", message: "Pay" }
  const broken = [null, 7, {}, { ...page, mode: "form" }, { ...page, url: 7 }]
  expect(elicitationsIn(-32042, { elicitations: [...broken, page] })).toEqual([page])
  for (const data of [undefined, null, [page], {}]) expect(elicitationsIn(-32042, data)).toEqual([])
  expect(elicitationsIn(-32002, { elicitations: [page] })).toEqual([])
})
