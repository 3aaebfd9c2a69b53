/** What the other side said when it left, as it is shown to a person. */
import { expect, it } from "vitest"
import { leaving, readable, reasonOf } from "../../src/line/codes.js"

it.each([
  [1000, "", "the other side closed the connection (1000, done)"],
  [1012, "moving", "the other side closed the connection (1012, restarting): moving"],
  [4000, "x", "the other side closed the connection (4000): x"],
  [1006, "", "the connection broke without a word (1006)"],
  [
    1011,
    "\u001b[31mRED\u0007\nok\u202edesrever",
    "the other side closed the connection (1011, it failed):  [31mRED ok desrever"
  ]
])("%i %j", (code, reason, said) => {
  expect(leaving(code, reason)).toBe(said)
})

it("shows what is no letter, but moves nothing", () => {
  expect(readable("grüße 👩‍👩‍👧 \u0080\u2066")).toBe("grüße 👩‍👩‍👧  ")
})

it("is cut between characters", () => {
  expect(reasonOf("é".repeat(100))).toBe("é".repeat(61))
})
