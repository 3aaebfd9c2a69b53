/** What either side says, and that it says the same by whichever way it is asked. */
import { expect, test } from "vitest"
import type { EitherFailure } from "../src/failure-of-either.js"
import { internal, spelled } from "../src/failure-of-either.js"
import { errorOf } from "../src/failure.js"

const failures: ReadonlyArray<readonly [EitherFailure, number]> = [
  [{ _tag: "InvalidRequest", why: "w" }, -32600],
  [{ _tag: "NotReady", method: "m" }, -32600],
  [{ _tag: "IdInUse", id: 1 }, -32600],
  [{ _tag: "MethodUnknown", method: "m", why: "is not here" }, -32601],
  [{ _tag: "MethodUndeclared", method: "m", needs: "roots" }, -32601],
  [{ _tag: "ParamsInvalid", method: "m", problem: { at: "a", expected: "a string" } }, -32602],
  [{ _tag: "ResultInvalid", method: "m" }, -32603],
  [{ _tag: "TooManyRequests", limit: 2 }, -32603]
]

test.each(failures)("%j is spelled alike on both sides", (failure, code) => {
  expect(spelled(failure).code).toBe(code)
  expect(spelled(failure)).toEqual(errorOf(failure))
})

test("an internal error says what failed", () =>
  expect(internal("it failed")).toEqual({ code: -32603, message: "Internal error: it failed" }))
